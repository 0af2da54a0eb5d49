/// The attribute protocol: how one side of a Bluetooth connection reads, writes and watches values of the other.
///
/// Its packets are types with one walk each, for reading, writing and printing. All numbers are little endian.
package enum ATT {
    /// The MTU of a connection on which none was agreed, and the smallest.
    package static let defaultMTU = 23
    /// The longest value of an attribute.
    package static let maximumValue = 512

    /// Returns the packet length that both sides use, from the longest that each can receive.
    package static func agreedMTU(_ client: UInt16, _ server: UInt16) -> Int {
        max(defaultMTU, Int(min(client, server)))
    }

    /// The longest value that fits into a write or a notification.
    package static func longestValue(mtu: Int) -> Int { max(0, mtu - 3) }

    /// The longest part of a long write.
    package static func longestPart(mtu: Int) -> Int { max(0, mtu - 5) }
}
