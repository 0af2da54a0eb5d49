package import MeshTime

/// One direction of a faulty link: decides on the outcome of each frame.
package struct FaultyWay: Sendable {
    /// The outcome for one frame.
    package struct Fate: Sendable {
        /// The frames that arrive, in this order; none when the frame is lost.
        package var frames: [[UInt8]]
        /// The place at which each of them is cut in two; `nil` for one that is not.
        package var cut: Int?
        package var held: Duration
        /// True when the link ends after the frame.
        package var isLast: Bool

        /// The frames that arrive where each piece is read as a frame.
        package var pieces: [[UInt8]] {
            guard let cut else { return frames }
            let halves = frames.map { [[UInt8]($0.prefix(cut)), [UInt8]($0.dropFirst(cut))] }
            return halves.flatMap(\.self)
        }
    }

    /// Frames are counted from when they were set.
    package private(set) var faults: LinkFaults
    /// The counter of what these faults do.
    package private(set) var counter: LinkFaultCounter
    private var draws: RandomStream
    /// The stream that draws the changed bytes of garbled frames, apart so that it changes no other draws.
    private var garbling: RandomStream
    private var count = 0

    package init(_ faults: LinkFaults, _ draws: RandomStream) {
        self.faults = faults
        counter = LinkFaultCounter()
        self.draws = draws
        var copy = draws
        garbling = RandomStream(state: ~copy.next())
    }

    /// Sets other faults from the next frame on, and counts what they do.
    package mutating func set(_ faults: LinkFaults, counter: LinkFaultCounter = LinkFaultCounter()) {
        self.faults = faults
        self.counter = counter
        count = 0
    }

    /// True when the next frame may meet a fault.
    package var isOn: Bool { faults != .none && count < faults.frames ?? .max }

    /// Decides on a frame. It always draws the same number of times, so that one fault does not move another's draws.
    ///
    /// Effects are counted with the time, where there is one.
    package mutating func next(_ frame: [UInt8], at now: Instant? = nil) -> Fate {
        guard count < faults.frames ?? .max else { return Fate(frames: [frame], cut: nil, held: .zero, isLast: false) }
        count += 1
        let isDropped = draws.draw(0, 10_000) < faults.drop
        let isDoubled = draws.draw(0, 10_000) < faults.duplicate
        let isCut = draws.draw(0, 10_000) < faults.fragment
        let place = Int(draws.draw(1, UInt32(clamping: max(2, frame.count))))
        let share = Int64(draws.draw(0, 1001))
        var frames = isDropped ? [] : isDoubled ? [frame, frame] : [frame]
        let isGarbled = faults.garble > 0 && garbling.draw(0, 10_000) < faults.garble
        if isGarbled { frames = frames.map { garbled($0) } }
        let delay = faults.delay * Int(share) / 1000
        let stall = faults.stall.flatMap { $0.after == count - 1 ? $0.lasts : nil } ?? .zero
        let fate = Fate(
            frames: frames, cut: isCut && frame.count > 1 ? place : nil, held: delay + stall,
            isLast: faults.cutAfter == count)
        if faults != .none {
            report(
                frame, now,
                [
                    .drop: isDropped, .duplicate: isDoubled && !isDropped, .fragment: fate.cut != nil && !isDropped,
                    .garble: isGarbled && !isDropped, .delay: delay > .zero, .stall: stall > .zero,
                    .cutAfter: fate.isLast,
                ])
        }
        return fate
    }

    private func report(_ frame: [UInt8], _ now: Instant?, _ effects: KeyValuePairs<LinkFaults.Part, Bool>) {
        for (part, isMet) in effects where isMet { counter.note(part, frame: frame, at: now) }
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
