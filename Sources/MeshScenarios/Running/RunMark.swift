import FoundationEssentials
import MeshBoards
import MeshWire

/// A run's own mark on real time, so that no packet of it is one that a radio has heard before.
///
/// Radios drop packets that they have heard, and remember them longer than a run lasts. All packets of a scenario
/// follow from its seed. A second run with the same seed would be dropped by the same radios.
public struct RunMark: Hashable, Sendable, CustomStringConvertible {
    /// Mixed into whatever apps draw: identifiers of sessions and pictures, and the pictures.
    public var number: UInt32
    /// Unix seconds at which all clocks begin.
    public var start: UInt32

    public init(number: UInt32, start: UInt32) {
        self.number = number
        self.start = start
    }

    /// Another one for every run on a target whose time is real; `nil` where a run is to be the same every time.
    static func drawn(for target: Target) -> RunMark? {
        let number = UInt32.random(in: 1...UInt32.max)
        switch target.place {
        case .emulator, .modelled: return nil
        // The world is made for the run, and its repeaters and rooms have this time.
        case .wired: return RunMark(number: number, start: Stage.startOfTime)
        case .radios: return RunMark(number: number, start: UInt32(wholePart: Date().timeIntervalSince1970))
        }
    }

    /// Eight hexadecimal digits.
    public var description: String { withUnsafeBytes(of: number.bigEndian) { $0.hex }.uppercased() }
}
