// Pushes: what changes in the contact table by itself.
public import MeshWire

extension Push {
    /// An advert was accepted and its node is a contact now, new or updated.
    ///
    /// Pushed by the radio, only while an app is connected. Since 1.0. Source: `PUSH_CODE_ADVERT` in
    /// companion_radio, 1.17.1.
    public struct Advert: PushFrame, KeyFrame {
        public static let code = PushCode.advert

        /// Key of the contact.
        public var publicKey: FixedBytes<32> = FixedBytes()

        @inlinable public init() {}
    }

    /// A returned path replaced the one of a contact.
    ///
    /// Pushed by the radio, connected or not. Since 1.0. Source: `PUSH_CODE_PATH_UPDATED` in companion_radio,
    /// 1.17.1.
    public struct PathUpdated: PushFrame, KeyFrame {
        public static let code = PushCode.pathUpdated

        /// Key of the contact whose path is another now.
        public var publicKey: FixedBytes<32> = FixedBytes()

        @inlinable public init() {}
    }

    /// An advert of a node that was not stored: manual mode, too many hops, or a full table.
    ///
    /// Flags are 0, the path is unknown, `lastmod` is now.
    ///
    /// Pushed by the radio, only while an app is connected. Since 1.5. Source: `PUSH_CODE_NEW_ADVERT` in
    /// companion_radio, 1.17.1.
    public struct NewAdvert: PushFrame {
        public static let code = PushCode.newAdvert

        /// The node's data from the advert.
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

    /// A contact was overwritten to make room. Removals by command are not pushed.
    ///
    /// Pushed by the radio, only while an app is connected. Since 1.12. Source: `PUSH_CODE_CONTACT_DELETED` in
    /// companion_radio, 1.17.1.
    public struct ContactDeleted: PushFrame, KeyFrame {
        public static let code = PushCode.contactDeleted

        /// Key of the contact.
        public var publicKey: FixedBytes<32> = FixedBytes()

        @inlinable public init() {}
    }

    /// A new node could not be stored; follows its NEW_ADVERT.
    ///
    /// Pushed by the radio, only while an app is connected. Since 1.12. Source: `PUSH_CODE_CONTACTS_FULL` in
    /// companion_radio, 1.17.1.
    public struct ContactsFull: PushFrame, BareFrame {
        public static let code = PushCode.contactsFull

        @inlinable public init() {}
    }
}
