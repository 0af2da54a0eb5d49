package import MeshWire

/// The stamp of a text for a node that knows its clients' texts and requests by rising stamps, as a room does.
///
/// Such a node takes a text with the stamp of the last request for a copy: it acknowledges it and does not store it.
package struct TextStamp: Hashable, Sendable {
    /// The key of the node.
    package var node: FixedBytes<32>
    /// The stamp, in seconds since 1970.
    package var time: UInt32
    /// True for the first attempt; an older copy of a text is merely refused.
    package var isFirst: Bool

    package init(node: FixedBytes<32>, time: UInt32, isFirst: Bool) {
        self.node = node
        self.time = time
        self.isFirst = isFirst
    }

    /// The reason why a text was not written: a request to the node had its stamp, or a later one.
    struct IsTaken: Error, CustomStringConvertible {
        let description = "a request to the node has taken the stamp of the text"
    }
}
