// Responses: the contact table.
public import MeshPacket
public import MeshWire

extension Resp {
    /// A contact listing begins.
    ///
    /// Sent by the radio in answer to a command. Since 1.0. Source: `RESP_CODE_CONTACTS_START` in companion_radio,
    /// 1.17.1.
    public struct ContactsStart: ResponseFrame {
        public static let code = ResponseCode.contactsStart

        /// All contacts in the table, not those that will be sent.
        public var count: UInt32 = 0

        @inlinable public init() {}

        @inlinable
        public init(count: UInt32) {
            self.count = count
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u32("count", &count)
        }
    }

    /// One contact.
    ///
    /// Sent by the radio in answer to a command. Since 1.0. Source: `RESP_CODE_CONTACT` in companion_radio, 1.17.1.
    public struct Contact: ResponseFrame {
        public static let code = ResponseCode.contact

        /// The contact's data in the radio's storage.
        public var record: ContactRecord = ContactRecord()

        @inlinable public init() {}

        @inlinable
        public init(record: ContactRecord) {
            self.record = record
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.group(&record)
        }
    }

    /// A contact listing ends.
    ///
    /// Sent by the radio in answer to a command. Since 1.0. Source: `RESP_CODE_END_OF_CONTACTS` in companion_radio,
    /// 1.17.1.
    public struct EndOfContacts: ResponseFrame {
        public static let code = ResponseCode.endOfContacts

        /// The largest among the frames sent; 0 if none was sent.
        public var mostRecentLastModified: UInt32 = 0

        @inlinable public init() {}

        @inlinable
        public init(mostRecentLastModified: UInt32) {
            self.mostRecentLastModified = mostRecentLastModified
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u32("most_recent_lastmod", &mostRecentLastModified, unit: .unixTime)
        }
    }

    /// An advert packet to pass on: flood, never with transport codes.
    ///
    /// Sent by the radio in answer to a command. Since 1.0. Source: `RESP_CODE_EXPORT_CONTACT` in companion_radio,
    /// 1.17.1.
    public struct ExportContact: ResponseFrame {
        public static let code = ResponseCode.exportContact

        /// The advert, signed by the node it is of, at most 175 bytes.
        public var packet: [UInt8] = []

        @inlinable public init() {}

        @inlinable
        public init(packet: [UInt8]) {
            self.packet = packet
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.rest("packet", &packet, atMost: 175)
        }
    }

    /// The way that the last advert of a node came.
    ///
    /// Sent by the radio in answer to a command. Since 1.7.1. Source: `RESP_CODE_ADVERT_PATH` in companion_radio,
    /// 1.17.1.
    public struct AdvertPath: ResponseFrame {
        public static let code = ResponseCode.advertPath

        /// The radio's clock.
        public var receivedAt: UInt32 = 0
        /// Hops and hash size of the path that follows.
        public var pathLength: PathLength = .empty
        /// The hop nearest to the sender first.
        public var path: [UInt8] = []

        @inlinable public init() {}

        @inlinable
        public init(receivedAt: UInt32, pathLength: PathLength = .empty, path: [UInt8]) {
            self.receivedAt = receivedAt
            self.pathLength = pathLength
            self.path = path
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u32("recv_time", &receivedAt, unit: .unixTime)
            w.raw("path_len", &pathLength)
            w.bytes("path", &path, count: pathLength.bytesThatFollow)
        }
    }
}
