public import MeshWire

/// The words between a Bluetooth host and its controller, as far as connections need them.
///
/// A command is an opcode of two bytes, a length and its parameters; an event is a code, a length and its parameters.
/// All numbers are little endian. Parameters that are not listed here are left alone.
public enum HCI {
    /// The codes of events.
    public enum EventCode {
        /// Of a classic link.
        public static let connectionComplete: UInt8 = 0x03
        public static let disconnectionComplete: UInt8 = 0x05
        public static let encryptionChange: UInt8 = 0x08
        public static let commandComplete: UInt8 = 0x0E
        public static let commandStatus: UInt8 = 0x0F
        public static let returnLinkKeys: UInt8 = 0x15
        public static let linkKeyNotification: UInt8 = 0x18
        public static let encryptionKeyRefresh: UInt8 = 0x30
        /// A low-energy event: its code is the first parameter.
        public static let lowEnergy: UInt8 = 0x3E
        public static let encryptionChangeV2: UInt8 = 0x59
    }

    /// The codes of low-energy events.
    public enum LowEnergyCode {
        public static let connectionComplete: UInt8 = 0x01
        public static let advertisingReport: UInt8 = 0x02
        public static let enhancedConnectionComplete: UInt8 = 0x0A
        public static let extendedAdvertisingReport: UInt8 = 0x0D
        public static let enhancedConnectionCompleteV2: UInt8 = 0x29
    }

    /// The opcodes of commands.
    public enum CommandCode {
        public static let linkKeyReply: UInt16 = 0x040B
        public static let pinCodeReply: UInt16 = 0x040D
        public static let passkeyReply: UInt16 = 0x042E
        public static let reset: UInt16 = 0x0C03
        public static let writeStoredLinkKey: UInt16 = 0x0C11
        public static let writeLocalName: UInt16 = 0x0C13
        public static let readAddress: UInt16 = 0x1009
        public static let setRandomAddress: UInt16 = 0x2005
        public static let setAdvertisingParameters: UInt16 = 0x2006
        public static let setAdvertisingData: UInt16 = 0x2008
        public static let setScanResponseData: UInt16 = 0x2009
        public static let createConnection: UInt16 = 0x200D
        public static let encrypt: UInt16 = 0x2017
        public static let enableEncryption: UInt16 = 0x2019
        public static let longTermKeyReply: UInt16 = 0x201A
        public static let addToResolvingList: UInt16 = 0x2027
        public static let setAdvertisingSetRandomAddress: UInt16 = 0x2035
        public static let setExtendedAdvertisingParameters: UInt16 = 0x2036
        public static let setExtendedAdvertisingData: UInt16 = 0x2037
        public static let setExtendedScanResponseData: UInt16 = 0x2038
        public static let removeAdvertisingSet: UInt16 = 0x203C
        public static let clearAdvertisingSets: UInt16 = 0x203D
        public static let extendedCreateConnection: UInt16 = 0x2043
        public static let setExtendedAdvertisingParametersV2: UInt16 = 0x207F
        public static let extendedCreateConnectionV2: UInt16 = 0x2085
    }
}

extension HCI {
    /// A low-energy connection has begun, or could not be made.
    public struct ConnectionComplete: FieldGroup, Hashable {
        public var status: UInt8 = 0
        public var handle: UInt16 = 0
        /// 0: the logging host is the central; 1: the peripheral.
        public var role: UInt8 = 0
        /// 0 public, 1 random; 2 and 3 the same, known by the identity of a bond.
        public var peerType: UInt8 = 0
        /// The lowest byte first.
        public var peer = FixedBytes<6>()
        /// Of the enhanced forms only.
        public var privateAddresses: PrivateAddresses?
        /// In units of 1.25 ms.
        public var interval: UInt16 = 0
        /// Events of the connection that the peripheral may leave out.
        public var latency: UInt16 = 0
        /// In units of 10 ms.
        public var timeout: UInt16 = 0
        public var clockAccuracy: UInt8 = 0

        public init() {}

        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("status", &status, unit: .hex)
            w.u16("handle", &handle, unit: .hex)
            w.u8("role", &role, in: 0...1)
            w.u8("peer_address_type", &peerType, in: 0...3)
            w.fixed("peer_address", &peer)
            if var addresses = privateAddresses {
                w.group(&addresses)
                privateAddresses = addresses
            }
            w.u16("interval", &interval)
            w.u16("latency", &latency)
            w.u16("timeout", &timeout)
            w.u8("clock_accuracy", &clockAccuracy)
        }
    }

    /// The addresses that were used on the air in the place of identities.
    public struct PrivateAddresses: FieldGroup, Hashable {
        public var local = FixedBytes<6>()
        public var peer = FixedBytes<6>()

        public init() {}

        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.fixed("local_private_address", &local)
            w.fixed("peer_private_address", &peer)
        }
    }

    /// A connection has ended.
    public struct DisconnectionComplete: FieldGroup, Hashable {
        public var status: UInt8 = 0
        public var handle: UInt16 = 0
        public var reason: UInt8 = 0

        public init() {}

        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("status", &status, unit: .hex)
            w.u16("handle", &handle, unit: .hex)
            w.u8("reason", &reason, unit: .hex)
        }
    }

    /// The encryption of a connection was switched; the newer form has the size of the key behind it.
    public struct EncryptionChange: FieldGroup, Hashable {
        public var status: UInt8 = 0
        public var handle: UInt16 = 0
        public var enabled: UInt8 = 0

        public init() {}

        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("status", &status, unit: .hex)
            w.u16("handle", &handle, unit: .hex)
            w.u8("enabled", &enabled)
        }
    }

    /// A connection uses a new key.
    public struct EncryptionKeyRefresh: FieldGroup, Hashable {
        public var status: UInt8 = 0
        public var handle: UInt16 = 0

        public init() {}

        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("status", &status, unit: .hex)
            w.u16("handle", &handle, unit: .hex)
        }
    }

    /// A command was carried out.
    public struct CommandComplete: FieldGroup, Hashable {
        /// How many commands the controller takes now.
        public var packets: UInt8 = 1
        /// Of the command; 0 where only the number is told.
        public var opcode: UInt16 = 0
        /// The status comes first, nearly always.
        public var returned: [UInt8] = []

        public init() {}

        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("num_packets", &packets)
            w.u16("opcode", &opcode, unit: .hex)
            w.rest("returned", &returned)
        }
    }

    /// The controller works on a command, or refuses it.
    public struct CommandStatus: FieldGroup, Hashable {
        public var status: UInt8 = 0
        /// How many commands the controller takes now.
        public var packets: UInt8 = 1
        /// Of the command.
        public var opcode: UInt16 = 0

        public init() {}

        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("status", &status, unit: .hex)
            w.u8("num_packets", &packets)
            w.u16("opcode", &opcode, unit: .hex)
        }
    }

    /// A classic link has begun, or could not be made.
    public struct ClassicConnectionComplete: FieldGroup, Hashable {
        public var status: UInt8 = 0
        public var handle: UInt16 = 0
        public var peer = FixedBytes<6>()

        public init() {}

        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("status", &status, unit: .hex)
            w.u16("handle", &handle, unit: .hex)
            w.fixed("peer_address", &peer)
        }
    }
}
