// Commands: the contact table.
public import MeshPacket
public import MeshWire

/// Lists the contacts, all or those changed after a time.
///
/// `badState` while a listing is running. One contact a loop pass follows, and other frames may come between.
/// Commands wait on links that do not read while they write. A frame of 2 to 4 bytes counts as one without filter.
///
/// Sent by the app. Errors: `badState`. Since 1.0. Source: `CMD_GET_CONTACTS` in companion_radio, 1.17.1.
public struct GetContacts: CommandFrame {
    public static let code = CommandCode.getContacts
    public typealias Reply = ContactListing

    /// Only contacts whose `lastmod` is greater.
    public var since: UInt32?

    @inlinable public init() {}

    @inlinable
    public init(since: UInt32?) {
        self.since = since
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.tail("since", &since, unit: .unixTime)
    }
}

/// Stores a contact as given, new or known; nothing is validated and nothing is transmitted.
///
/// Between 36 and 135 bytes, missing fields come from the receive buffer. With a full table the entry of smallest
/// `lastmod` that is no favourite is replaced, if auto-add allows overwriting. In that case `contactDeleted` is
/// pushed before OK.
///
/// Sent by the app. Errors: `tableFull`. Since 1.0. Source: `CMD_ADD_UPDATE_CONTACT` in companion_radio,
/// 1.17.1.
public struct AddUpdateContact: CommandFrame {
    public static let code = CommandCode.addUpdateContact
    public typealias Reply = Resp.OK

    /// Key of the contact.
    public var publicKey: FixedBytes<32> = FixedBytes()
    /// Node type. With an unknown key, 0 means a hidden transient slot.
    public var type: NodeType = .chat
    /// Bit 0 favourite, bits 1 to 3 telemetry permissions.
    public var flags: UInt8 = 0
    /// FF: no path known.
    public var outPathLength: PathLength = .unknown
    /// The path, stored whole whatever the length is.
    public var outPath: FixedBytes<64> = FixedBytes()
    /// Name of the contact: UTF-8 up to the first NUL, 32 bytes with it.
    public var name: FixedBytes<32> = FixedBytes()
    /// The node's own clock; adverts not newer than this are not accepted.
    public var lastAdvert: UInt32 = 0
    /// Kept as stored when absent.
    public var position: Position?
    /// The radio's clock when absent.
    public var lastModified: UInt32?

    @inlinable public init() {}

    @inlinable
    public init(
        publicKey: FixedBytes<32>, type: NodeType = .chat, flags: UInt8, outPathLength: PathLength = .unknown,
        outPath: FixedBytes<64>, name: FixedBytes<32>, lastAdvert: UInt32, position: Position? = nil,
        lastModified: UInt32? = nil
    ) {
        self.publicKey = publicKey
        self.type = type
        self.flags = flags
        self.outPathLength = outPathLength
        self.outPath = outPath
        self.name = name
        self.lastAdvert = lastAdvert
        self.position = position
        self.lastModified = lastModified
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.fixed("public_key", &publicKey)
        w.raw("type", &type, in: 0...4)
        w.u8("flags", &flags, unit: .hex)
        w.raw("out_path_len", &outPathLength)
        w.fixed("out_path", &outPath)
        w.text("name", &name)
        w.u32("last_advert", &lastAdvert, unit: .unixTime)
        w.tail("position", &position, size: 8)
        w.tail("lastmod", &lastModified, unit: .unixTime, since: 7)
    }
}

/// Removes a contact and, on boards that keep a file per node, its stored advert.
///
/// Sent by the app. Errors: `notFound`. Since 1.0. Source: `CMD_REMOVE_CONTACT` in companion_radio, 1.17.1.
public struct RemoveContact: CommandFrame, KeyFrame {
    public static let code = CommandCode.removeContact
    public typealias Reply = Resp.OK

    /// Key of the contact.
    public var publicKey: FixedBytes<32> = FixedBytes()

    @inlinable public init() {}
}

/// Forgets the way to a contact, so that the next message is flooded.
///
/// `lastmod` does not change: a listing with `since` does not show it.
///
/// Sent by the app. Errors: `notFound`. Since 1.0. Source: `CMD_RESET_PATH` in companion_radio, 1.17.1.
public struct ResetPath: CommandFrame, KeyFrame {
    public static let code = CommandCode.resetPath
    public typealias Reply = Resp.OK

    /// Key of the contact.
    public var publicKey: FixedBytes<32> = FixedBytes()

    @inlinable public init() {}
}

/// Sends the stored advert of a contact to the neighbours.
///
/// `tableFull` also when no advert was ever received from it.
///
/// Sent by the app. Errors: `notFound`, `tableFull`. Since 1.0. Source: `CMD_SHARE_CONTACT` in companion_radio,
/// 1.17.1.
public struct ShareContact: CommandFrame, KeyFrame {
    public static let code = CommandCode.shareContact
    public typealias Reply = Resp.OK

    /// Key of the contact.
    public var publicKey: FixedBytes<32> = FixedBytes()

    @inlinable public init() {}
}

/// Asks for an advert packet to pass on: a contact's stored one, or a fresh one of the radio itself.
///
/// A stored packet of more than 175 bytes gets no answer at all.
///
/// Sent by the app. Errors: `notFound`, `tableFull`. Since 1.0. Source: `CMD_EXPORT_CONTACT` in
/// companion_radio, 1.17.1.
public struct ExportContact: CommandFrame {
    public static let code = CommandCode.exportContact
    public typealias Reply = Resp.ExportContact

    /// The radio itself when absent.
    public var publicKey: FixedBytes<32>?

    @inlinable public init() {}

    @inlinable
    public init(publicKey: FixedBytes<32>?) {
        self.publicKey = publicKey
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.tail("public_key", &publicKey)
    }
}

/// Imports an advert packet as if the radio had received it.
///
/// OK means only that it was parsed. Signature, timestamp and auto-add rules apply later; `advert` or `newAdvert`
/// is pushed if they let it through.
///
/// Sent by the app. Errors: `illegalArg`. Since 1.0. Source: `CMD_IMPORT_CONTACT` in companion_radio, 1.17.1.
public struct ImportContact: CommandFrame {
    public static let code = CommandCode.importContact
    public typealias Reply = Resp.OK

    /// At least 98 bytes.
    public var packet: [UInt8] = []

    @inlinable public init() {}

    @inlinable
    public init(packet: [UInt8]) {
        self.packet = packet
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.rest("packet", &packet)
    }
}

/// Asks for one contact.
///
/// The answer looks like a contact of a running listing.
///
/// Sent by the app. Errors: `notFound`. Since 1.2. Source: `CMD_GET_CONTACT_BY_KEY` in companion_radio, 1.17.1.
public struct GetContactByKey: CommandFrame, KeyFrame {
    public static let code = CommandCode.getContactByKey
    public typealias Reply = Resp.Contact

    /// Key of the contact.
    public var publicKey: FixedBytes<32> = FixedBytes()

    @inlinable public init() {}
}

/// Asks which way the last advert of a node came, contact or not.
///
/// The radio remembers 16, until it reboots, and compares the first 7 bytes of the key.
///
/// Sent by the app. Errors: `notFound`. Since 1.7.1. Source: `CMD_GET_ADVERT_PATH` in companion_radio, 1.17.1.
public struct GetAdvertPath: CommandFrame {
    public static let code = CommandCode.getAdvertPath
    public typealias Reply = Resp.AdvertPath

    /// A byte that is sent as 0; the radio ignores it.
    public var reserved: UInt8 = 0
    /// Key of the node whose advert is asked for.
    public var publicKey: FixedBytes<32> = FixedBytes()

    @inlinable public init() {}

    @inlinable
    public init(reserved: UInt8 = 0, publicKey: FixedBytes<32>) {
        self.reserved = reserved
        self.publicKey = publicKey
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u8("reserved", &reserved)
        w.fixed("public_key", &publicKey)
    }
}

/// Chooses which node types become contacts by themselves, and from how far.
///
/// Sent by the app. Errors: none of its own. Since 1.12. Source: `CMD_SET_AUTOADD_CONFIG` in companion_radio,
/// 1.17.1.
public struct SetAutoaddConfig: CommandFrame {
    public static let code = CommandCode.setAutoaddConfig
    public typealias Reply = Resp.OK

    /// Bit 0 overwrite the oldest when full, bits 1 to 4 chat, repeater, room server, sensor.
    public var config: UInt8 = 0
    /// 0 no limit, n: fewer than n hops.
    public var maxHops: UInt8?

    @inlinable public init() {}

    @inlinable
    public init(config: UInt8, maxHops: UInt8? = nil) {
        self.config = config
        self.maxHops = maxHops
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u8("config", &config, unit: .hex)
        w.tail("max_hops", &maxHops, unit: .hops, since: 10, in: 0...64)
    }
}

/// Asks for the auto-add rules.
///
/// Sent by the app. Errors: none of its own. Since 1.12. Source: `CMD_GET_AUTOADD_CONFIG` in companion_radio,
/// 1.17.1.
public struct GetAutoaddConfig: CommandFrame, BareFrame {
    public static let code = CommandCode.getAutoaddConfig
    public typealias Reply = Resp.AutoaddConfig

    @inlinable public init() {}
}
