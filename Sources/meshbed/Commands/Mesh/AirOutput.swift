import BluetoothCapture
import MeshCapture
import MeshFiles
import MeshFirmware
import MeshRadio
import MeshSimulator
import MeshTime
import MeshWorlds

/// A file of the packets that the nodes of a world send, which is written a piece at a time; the first failure is kept.
final class AirOutput {
    private let file: OutputFile
    private var writer = LoRaTapWriter()
    private var pending: [UInt8] = []
    /// The reason why the file is not whole, in one line; `nil` while it is.
    private(set) var problem: String?

    /// Opens the file, over one that is there.
    init(_ path: String) throws(FileSystem.Failure) {
        file = try OutputFile(path)
        writer.begin(into: &pending)
    }

    /// Adds a transmission; other events are no packets.
    func add(_ time: Instant, _ happening: MeshRun.Happening) {
        switch happening {
        case .event(.txBegin(_, let packet, _)), .event(.replayBegin(_, let packet, _)):
            let nanoseconds = SyntheticCapture.someTime + time.microseconds * 1000
            do throws(CaptureProblem) {
                try writer.write(packet, at: nanoseconds, on: .usual, nil, into: &pending)
            } catch {
                problem = problem ?? error.description
            }
            if pending.count >= 1 << 20 { flush() }
        default: break
        }
    }

    /// Writes what is left, and closes the file.
    func end() {
        flush()
        attempt { () throws(FileSystem.Failure) in try file.end() }
    }

    private func flush() {
        let piece = pending
        pending.removeAll(keepingCapacity: true)
        attempt { () throws(FileSystem.Failure) in try file.write(piece) }
    }

    private func attempt(_ work: () throws(FileSystem.Failure) -> Void) {
        guard problem == nil else { return }
        do {
            try work()
        } catch {
            problem = "\(file.path): cannot be written: \(error.reason)"
        }
    }
}

extension LoRaTapWriter.Channel {
    /// The settings that boards come with.
    static let usual: Self = {
        let radio = BoardProfile.heltecV3.radio
        return Self(
            kilohertz: radio.frequencyKilohertz, bandwidthHertz: radio.bandwidthHertz,
            spreadingFactor: radio.spreadingFactor)
    }()
}
