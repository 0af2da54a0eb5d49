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
        /// A link of any kind has ended, or could not be ended.
        public static let disconnectionComplete: UInt8 = 0x05
        /// The encryption of a link was switched on or off, version 1.
        public static let encryptionChange: UInt8 = 0x08
        /// What the other side's controller is.
        public static let remoteVersion: UInt8 = 0x0C
        /// A command is done, with what it returns.
        public static let commandComplete: UInt8 = 0x0E
        /// A command was begun or refused; another event tells its end.
        public static let commandStatus: UInt8 = 0x0F
        /// The controller is broken.
        public static let hardwareError: UInt8 = 0x10
        /// Fragments have left the controller.
        public static let completedPackets: UInt8 = 0x13
        /// Holds link keys that the controller has stored.
        public static let returnLinkKeys: UInt8 = 0x15
        /// Holds the link key that a classic pairing made.
        public static let linkKeyNotification: UInt8 = 0x18
        /// `HCI_Encryption_Key_Refresh_Complete`: an encrypted link goes on with a new key.
        public static let encryptionKeyRefresh: UInt8 = 0x30
        /// A low-energy event: its code is the first parameter.
        public static let lowEnergy: UInt8 = 0x3E
        /// `HCI_Encryption_Change` version 2, which also tells the size of the key.
        public static let encryptionChangeV2: UInt8 = 0x59
    }

    /// The codes of low-energy events.
    public enum LowEnergyCode {
        /// `HCI_LE_Connection_Complete`.
        public static let connectionComplete: UInt8 = 0x01
        /// `HCI_LE_Advertising_Report`.
        public static let advertisingReport: UInt8 = 0x02
        /// `HCI_LE_Connection_Update_Complete`.
        public static let connectionUpdateComplete: UInt8 = 0x03
        /// `HCI_LE_Long_Term_Key_Request`.
        public static let longTermKeyRequest: UInt8 = 0x05
        /// `HCI_LE_Remote_Connection_Parameter_Request`.
        public static let connectionParameterRequest: UInt8 = 0x06
        /// `HCI_LE_Data_Length_Change`.
        public static let dataLengthChange: UInt8 = 0x07
        /// `HCI_LE_Enhanced_Connection_Complete` version 1: with resolvable private addresses.
        public static let enhancedConnectionComplete: UInt8 = 0x0A
        /// `HCI_LE_Extended_Advertising_Report`.
        public static let extendedAdvertisingReport: UInt8 = 0x0D
        /// The same in version 2: also with the periodic advertising that it came from.
        public static let enhancedConnectionCompleteV2: UInt8 = 0x29
    }

    /// The opcodes of commands.
    public enum CommandCode {
        /// `HCI_Disconnect`: ends a link of any kind.
        public static let disconnect: UInt16 = 0x0406
        /// `HCI_Link_Key_Request_Reply`; holds a link key of a classic link.
        public static let linkKeyReply: UInt16 = 0x040B
        /// `HCI_PIN_Code_Request_Reply`; holds the PIN of a classic pairing.
        public static let pinCodeReply: UInt16 = 0x040D
        /// `HCI_Read_Remote_Version_Information`: an event tells it.
        public static let readRemoteVersion: UInt16 = 0x041D
        /// `HCI_User_Passkey_Request_Reply`; holds the six digits that were typed.
        public static let passkeyReply: UInt16 = 0x042E
        /// `HCI_Set_Event_Mask`.
        public static let setEventMask: UInt16 = 0x0C01
        /// `HCI_Reset`: the controller begins anew, without connections.
        public static let reset: UInt16 = 0x0C03
        /// `HCI_Write_Stored_Link_Key`; holds link keys for the controller to keep.
        public static let writeStoredLinkKey: UInt16 = 0x0C11
        /// `HCI_Write_Local_Name`: the adapter's name, 248 bytes of UTF-8.
        public static let writeLocalName: UInt16 = 0x0C13
        /// `HCI_Read_Local_Version_Information`.
        public static let readLocalVersion: UInt16 = 0x1001
        /// `HCI_Read_Buffer_Size`, of classic links, or of all.
        public static let readBufferSize: UInt16 = 0x1005
        /// `HCI_Read_BD_ADDR`; its answer has the adapter's public address.
        public static let readAddress: UInt16 = 0x1009
        /// `HCI_LE_Set_Event_Mask`: which low-energy events are sent.
        public static let setLowEnergyEventMask: UInt16 = 0x2001
        /// `HCI_LE_Read_Buffer_Size` version 1.
        public static let readLowEnergyBufferSize: UInt16 = 0x2002
        /// `HCI_LE_Read_Local_Supported_Features`.
        public static let readLowEnergyFeatures: UInt16 = 0x2003
        /// `HCI_LE_Set_Random_Address`, for all that is no advertising set.
        public static let setRandomAddress: UInt16 = 0x2005
        /// `HCI_LE_Set_Advertising_Parameters`, of legacy advertising.
        public static let setAdvertisingParameters: UInt16 = 0x2006
        /// `HCI_LE_Set_Advertising_Data`, of legacy advertising: up to 31 bytes.
        public static let setAdvertisingData: UInt16 = 0x2008
        /// `HCI_LE_Set_Scan_Response_Data`, of legacy advertising: up to 31 bytes.
        public static let setScanResponseData: UInt16 = 0x2009
        /// `HCI_LE_Set_Advertising_Enable`, of legacy advertising.
        public static let setAdvertisingEnable: UInt16 = 0x200A
        /// `HCI_LE_Set_Scan_Parameters`, of legacy scanning.
        public static let setScanParameters: UInt16 = 0x200B
        /// `HCI_LE_Set_Scan_Enable`, of legacy scanning.
        public static let setScanEnable: UInt16 = 0x200C
        /// `HCI_LE_Create_Connection`, on the 1M layer alone.
        public static let createConnection: UInt16 = 0x200D
        /// `HCI_LE_Create_Connection_Cancel`; the connection completes with the status 0x02.
        public static let createConnectionCancel: UInt16 = 0x200E
        /// `HCI_LE_Connection_Update`, of the central.
        public static let connectionUpdate: UInt16 = 0x2013
        /// `HCI_LE_Encrypt`: one block of AES-128; holds its key.
        public static let encrypt: UInt16 = 0x2017
        /// `HCI_LE_Enable_Encryption`, of the central; holds a long term key.
        public static let enableEncryption: UInt16 = 0x2019
        /// `HCI_LE_Long_Term_Key_Request_Reply`, of the peripheral; holds a long term key.
        public static let longTermKeyReply: UInt16 = 0x201A
        /// `HCI_LE_Long_Term_Key_Request_Negative_Reply`: the peripheral has none.
        public static let longTermKeyRefusal: UInt16 = 0x201B
        /// `HCI_LE_Remote_Connection_Parameter_Request_Reply`.
        public static let connectionParameterReply: UInt16 = 0x2020
        /// `HCI_LE_Remote_Connection_Parameter_Request_Negative_Reply`.
        public static let connectionParameterRefusal: UInt16 = 0x2021
        /// `HCI_LE_Set_Data_Length`: how long packets on the air may be.
        public static let setDataLength: UInt16 = 0x2022
        /// `HCI_LE_Add_Device_To_Resolving_List`; holds both identity resolving keys.
        public static let addToResolvingList: UInt16 = 0x2027
        /// `HCI_LE_Set_Advertising_Set_Random_Address`, for one set of extended advertising.
        public static let setAdvertisingSetRandomAddress: UInt16 = 0x2035
        /// `HCI_LE_Set_Extended_Advertising_Parameters` version 1.
        public static let setExtendedAdvertisingParameters: UInt16 = 0x2036
        /// `HCI_LE_Set_Extended_Advertising_Data`: a part of up to 251 bytes.
        public static let setExtendedAdvertisingData: UInt16 = 0x2037
        /// `HCI_LE_Set_Extended_Scan_Response_Data`: a part of up to 251 bytes.
        public static let setExtendedScanResponseData: UInt16 = 0x2038
        /// `HCI_LE_Remove_Advertising_Set`: one set, by its handle.
        public static let removeAdvertisingSet: UInt16 = 0x203C
        /// `HCI_LE_Clear_Advertising_Sets`: all sets; without parameters.
        public static let clearAdvertisingSets: UInt16 = 0x203D
        /// `HCI_LE_Extended_Create_Connection` version 1, on any physical layer.
        public static let extendedCreateConnection: UInt16 = 0x2043
        /// `HCI_LE_Set_Extended_Advertising_Parameters` version 2: with the coding of the coded layer.
        public static let setExtendedAdvertisingParametersV2: UInt16 = 0x207F
        /// `HCI_LE_Extended_Create_Connection` version 2: also as an answer to periodic advertising.
        public static let extendedCreateConnectionV2: UInt16 = 0x2085
    }
}

extension HCI {
    /// A low-energy connection has begun, or could not be made.
    public struct ConnectionComplete: FieldGroup, Hashable {
        /// 0 for a connection; else the controller's error code, and the fields behind it mean nothing.
        public var status: UInt8 = 0
        /// The Connection_Handle, 0 to 0x0EFF.
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
        /// The central's, as the peripheral learns it: 0 for 500 ppm to 7 for 20 ppm; 0 at the central.
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
        /// Of the logging side, the lowest byte first; zero where it used none.
        public var local = FixedBytes<6>()
        /// Of the other side, the lowest byte first; zero where it used none.
        public var peer = FixedBytes<6>()

        public init() {}

        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.fixed("local_private_address", &local)
            w.fixed("peer_private_address", &peer)
        }
    }

    /// A connection has ended.
    public struct DisconnectionComplete: FieldGroup, Hashable {
        /// 0 when the link has ended; else the controller's error code.
        public var status: UInt8 = 0
        /// The Connection_Handle, 0 to 0x0EFF.
        public var handle: UInt16 = 0
        /// The controller's error code: 0x08 for a timeout, 0x13 when the peer ended it, 0x16 when this host did.
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
        /// 0 when it was switched; else the controller's error code.
        public var status: UInt8 = 0
        /// The Connection_Handle, 0 to 0x0EFF.
        public var handle: UInt16 = 0
        /// 0 off; 1 on, with AES-CCM on low energy and E0 on classic links; 2 on, with AES-CCM on classic links.
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
        /// 0 when the key is in use; else the controller's error code.
        public var status: UInt8 = 0
        /// The Connection_Handle, 0 to 0x0EFF.
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
        /// 0 while the command is carried out; else the controller's error code, and nothing follows.
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
        /// 0 for a connection; else the controller's error code.
        public var status: UInt8 = 0
        /// The Connection_Handle, 0 to 0x0EFF.
        public var handle: UInt16 = 0
        /// The public address of the other side, the lowest byte first.
        public var peer = FixedBytes<6>()

        public init() {}

        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("status", &status, unit: .hex)
            w.u16("handle", &handle, unit: .hex)
            w.fixed("peer_address", &peer)
        }
    }
}
