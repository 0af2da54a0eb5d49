package import MeshTime

/// The outcome for one frame of a link with planned faults.
package struct LinkPassage: Hashable, Sendable {
    /// Bytes that the receiving end gets at once: on a stream with their headers, on Bluetooth one frame.
    package struct Write: Hashable, Sendable {
        package var bytes: [UInt8]
        /// The time since the write before it.
        package var pause: TimeSpan

        package init(bytes: [UInt8], pause: TimeSpan = .zero) {
            self.bytes = bytes
            self.pause = pause
        }
    }

    /// The writes of this direction, in their order.
    package var writes: [Write] = []
    /// The time by which this direction is late from here on.
    package var late = TimeSpan.zero
    /// The time for which nothing passes in either direction.
    package var silence = TimeSpan.zero
    /// True when the link ends behind the writes.
    package var isLast = false
    /// What happens to the power of the board, before the writes reach anybody.
    package var power: [LinkPowerFault] = []
}

/// A change of a board's power that a planned fault asks for.
package struct LinkPowerFault: Hashable, Sendable {
    /// The change.
    package enum Kind: Hashable, Sendable {
        case reboot
        case off(for: TimeSpan)
        /// In the next write of a file, of which `bytes` are left, or none of the file.
        case brownOut(bytes: Int?, for: TimeSpan)
    }

    package let kind: Kind
    /// The fault of the plan that it is of, counted since the link's first plan.
    package let fault: Int
}
