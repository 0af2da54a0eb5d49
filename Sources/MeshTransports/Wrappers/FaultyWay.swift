package import MeshTime

/// One way of a faulty link: what becomes of each frame.
package struct FaultyWay: Sendable {
    /// What becomes of one frame.
    package struct Fate: Sendable {
        /// What arrives, in this order; nothing when the frame is lost.
        package var pieces: [[UInt8]]
        package var held: Duration
        /// Whether the link ends behind it.
        package var isLast: Bool
    }

    /// Frames are counted from when they were set.
    package var faults: LinkFaults { didSet { count = 0 } }
    private var draws: RandomStream
    /// Which bytes change in garbled frames, so that they move nobody else's numbers.
    private var garbling: RandomStream
    private var count = 0

    package init(_ faults: LinkFaults, _ draws: RandomStream) {
        self.faults = faults
        self.draws = draws
        var copy = draws
        garbling = RandomStream(state: ~copy.next())
    }

    /// Whether anything may become of the next frame but that it passes.
    package var isOn: Bool { faults != .none && count < faults.frames ?? .max }

    /// Always draws the same number of times, so that one fault's chance does not move another's.
    package mutating func next(_ frame: [UInt8]) -> Fate {
        guard count < faults.frames ?? .max else { return Fate(pieces: [frame], held: .zero, isLast: false) }
        count += 1
        let isDropped = draws.draw(0, 10_000) < faults.drop
        let isDoubled = draws.draw(0, 10_000) < faults.duplicate
        let isCut = draws.draw(0, 10_000) < faults.fragment
        let place = Int(draws.draw(1, UInt32(clamping: max(2, frame.count))))
        let share = Int64(draws.draw(0, 1001))
        var pieces = isCut && frame.count > 1 ? [[UInt8](frame[..<place]), [UInt8](frame[place...])] : [frame]
        if faults.garble > 0, garbling.draw(0, 10_000) < faults.garble { pieces = pieces.map { garbled($0) } }
        if isDoubled { pieces += pieces }
        if isDropped { pieces = [] }
        var held = faults.delay * Int(share) / 1000
        if let stall = faults.stall, stall.after == count - 1 { held += stall.lasts }
        return Fate(pieces: pieces, held: held, isLast: faults.cutAfter == count)
    }

    /// Some bytes become others, the first one left alone: a frame of the same kind with another content.
    private mutating func garbled(_ frame: [UInt8]) -> [UInt8] {
        guard frame.count > 1 else { return frame.map { ~$0 } }
        var frame = frame
        for _ in 0...Int(garbling.draw(0, 4)) {
            frame[Int(garbling.draw(1, UInt32(clamping: frame.count)))] ^= UInt8(garbling.draw(1, 256))
        }
        return frame
    }
}
