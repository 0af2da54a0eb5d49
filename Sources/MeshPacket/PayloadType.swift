public import MeshWire

/// The type of a packet's payload: bits 5…2 of its header. The reserved values 12, 13 and 14 are kept as they are.
@frozen
public struct PayloadType: RawRepresentable, ExpressibleByRawValue, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue & 15
    }

    /// The type of a header byte.
    @inlinable
    public init(header: UInt8) {
        rawValue = header >> 2 & 15
    }

    /// A request to a server role or a contact; sealed.
    @inlinable public static var req: Self { Self(rawValue: 0) }
    /// The answer to a request or a login; sealed.
    @inlinable public static var response: Self { Self(rawValue: 1) }
    /// A text message or command; sealed.
    @inlinable public static var txtMsg: Self { Self(rawValue: 2) }
    /// An acknowledgement.
    @inlinable public static var ack: Self { Self(rawValue: 3) }
    /// A node's signed self-description.
    @inlinable public static var advert: Self { Self(rawValue: 4) }
    /// Text to a channel; sealed with the channel's key.
    @inlinable public static var grpTxt: Self { Self(rawValue: 5) }
    /// Application data to a channel; sealed with the channel's key.
    @inlinable public static var grpData: Self { Self(rawValue: 6) }
    /// A request that carries its sender's whole key, such as a login; sealed.
    @inlinable public static var anonReq: Self { Self(rawValue: 7) }
    /// A path returned to its originator, perhaps with an acknowledgement or a response; sealed.
    @inlinable public static var path: Self { Self(rawValue: 8) }
    /// A probe along a given route that collects the SNR of each hop.
    @inlinable public static var trace: Self { Self(rawValue: 9) }
    /// One of several copies; only acknowledgements are defined.
    @inlinable public static var multipart: Self { Self(rawValue: 10) }
    /// Control and discovery, in the clear.
    @inlinable public static var control: Self { Self(rawValue: 11) }
    /// Bytes of an application's own format.
    @inlinable public static var rawCustom: Self { Self(rawValue: 15) }

    /// The firmware's name, or the number of a reserved type.
    public var name: String {
        switch rawValue {
        case 0: "REQ"
        case 1: "RESPONSE"
        case 2: "TXT_MSG"
        case 3: "ACK"
        case 4: "ADVERT"
        case 5: "GRP_TXT"
        case 6: "GRP_DATA"
        case 7: "ANON_REQ"
        case 8: "PATH"
        case 9: "TRACE"
        case 10: "MULTIPART"
        case 11: "CONTROL"
        case 15: "RAW_CUSTOM"
        default: "RESERVED_\(rawValue)"
        }
    }

    /// True when the payload begins with destination and source hash: REQ, RESPONSE, TXT_MSG and PATH.
    @inlinable public var isDatagram: Bool { rawValue <= 2 || rawValue == 8 }
    /// True when the payload is sealed with a channel's key.
    @inlinable public var isGroup: Bool { rawValue == 5 || rawValue == 6 }

    /// Payloads shorter than this are not processed by a node (OverTheAir, "Reception"), in bytes.
    @inlinable public var shortestProcessed: Int {
        switch rawValue {
        case 0, 1, 2, 8, 10: 5
        case 3, 5, 6: 4
        case 4: 100
        case 7: 36
        case 9: 9
        case 11: 1
        default: 0
        }
    }
}

extension PayloadType: CustomStringConvertible {
    public var description: String { name }
}

/// The kind of node that an advert describes: `ADV_TYPE_…`, 0…15. Unknown values are kept.
@frozen
public struct NodeType: RawRepresentable, ExpressibleByRawValue, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    @inlinable public static var none: Self { Self(rawValue: 0) }
    /// A companion radio or another chat node.
    @inlinable public static var chat: Self { Self(rawValue: 1) }
    @inlinable public static var repeater: Self { Self(rawValue: 2) }
    @inlinable public static var room: Self { Self(rawValue: 3) }
    @inlinable public static var sensor: Self { Self(rawValue: 4) }
}

extension NodeType: CustomStringConvertible {
    public var description: String {
        switch rawValue {
        case 0: "none"
        case 1: "chat"
        case 2: "repeater"
        case 3: "room server"
        case 4: "sensor"
        default: "node type \(rawValue)"
        }
    }
}

/// The type of a message's text: `TXT_TYPE_…`, bits 7…2 of the byte behind the timestamp. Unknown values are kept.
@frozen
public struct TextType: RawRepresentable, ExpressibleByRawValue, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    @inlinable public static var plain: Self { Self(rawValue: 0) }
    /// A command to a server role, or its reply; never acknowledged.
    @inlinable public static var cliData: Self { Self(rawValue: 1) }
    /// Text of another author, passed on by a room server; four bytes of the author's key precede the text.
    @inlinable public static var signedPlain: Self { Self(rawValue: 2) }
    /// A command to a node that permits it, companions included; since 1.18 (FWV-125).
    @inlinable public static var remoteCommand: Self { Self(rawValue: 3) }
}

extension TextType: CustomStringConvertible {
    public var description: String {
        switch rawValue {
        case 0: "plain"
        case 1: "CLI data"
        case 2: "signed plain"
        case 3: "remote command"
        default: "text type \(rawValue)"
        }
    }
}
