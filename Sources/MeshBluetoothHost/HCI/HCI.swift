package import MeshWire

/// The words between a Bluetooth host and its controller, as far as connections need them.
///
/// A command is an opcode of two bytes, a length and its parameters; an event is a code, a length and its parameters.
/// All numbers are little endian. Parameters that are not listed here are left alone.
package enum HCI {
    /// The codes of events.
    package enum EventCode {
        /// Of a classic link.
        package static let connectionComplete: UInt8 = 0x03
        /// A link of any kind has ended, or could not be ended.
        package static let disconnectionComplete: UInt8 = 0x05
        /// The encryption of a link was switched on or off, version 1.
        package static let encryptionChange: UInt8 = 0x08
        /// The version of the other side's controller.
        package static let remoteVersion: UInt8 = 0x0C
        /// A command is done, with what it returns.
        package static let commandComplete: UInt8 = 0x0E
        /// A command was begun or refused; another event reports its end.
        package static let commandStatus: UInt8 = 0x0F
        /// The controller is broken.
        package static let hardwareError: UInt8 = 0x10
        /// Fragments have left the controller.
        package static let completedPackets: UInt8 = 0x13
        /// Holds link keys that the controller has stored.
        package static let returnLinkKeys: UInt8 = 0x15
        /// Holds the link key that a classic pairing made.
        package static let linkKeyNotification: UInt8 = 0x18
        /// `HCI_Encryption_Key_Refresh_Complete`: an encrypted link goes on with a new key.
        package static let encryptionKeyRefresh: UInt8 = 0x30
        /// A low-energy event: its code is the first parameter.
        package static let lowEnergy: UInt8 = 0x3E
        /// `HCI_Encryption_Change` version 2, which also reports the size of the key.
        package static let encryptionChangeV2: UInt8 = 0x59
    }

    /// The codes of low-energy events.
    package enum LowEnergyCode {
        /// `HCI_LE_Connection_Complete`.
        package static let connectionComplete: UInt8 = 0x01
        /// `HCI_LE_Advertising_Report`.
        package static let advertisingReport: UInt8 = 0x02
        /// `HCI_LE_Connection_Update_Complete`.
        package static let connectionUpdateComplete: UInt8 = 0x03
        /// `HCI_LE_Long_Term_Key_Request`.
        package static let longTermKeyRequest: UInt8 = 0x05
        /// `HCI_LE_Remote_Connection_Parameter_Request`.
        package static let connectionParameterRequest: UInt8 = 0x06
        /// `HCI_LE_Data_Length_Change`.
        package static let dataLengthChange: UInt8 = 0x07
        /// `HCI_LE_Enhanced_Connection_Complete` version 1: with resolvable private addresses.
        package static let enhancedConnectionComplete: UInt8 = 0x0A
        /// `HCI_LE_Extended_Advertising_Report`.
        package static let extendedAdvertisingReport: UInt8 = 0x0D
        /// The same in version 2: also with the periodic advertising that it came from.
        package static let enhancedConnectionCompleteV2: UInt8 = 0x29
    }

    /// The opcodes of commands.
    package enum CommandCode {
        /// `HCI_Disconnect`: ends a link of any kind.
        package static let disconnect: UInt16 = 0x0406
        /// `HCI_Link_Key_Request_Reply`; holds a link key of a classic link.
        package static let linkKeyReply: UInt16 = 0x040B
        /// `HCI_PIN_Code_Request_Reply`; holds the PIN of a classic pairing.
        package static let pinCodeReply: UInt16 = 0x040D
        /// `HCI_Read_Remote_Version_Information`: an event reports it.
        package static let readRemoteVersion: UInt16 = 0x041D
        /// `HCI_User_Passkey_Request_Reply`; holds the six digits that were typed.
        package static let passkeyReply: UInt16 = 0x042E
        /// `HCI_Set_Event_Mask`.
        package static let setEventMask: UInt16 = 0x0C01
        /// `HCI_Reset`: the controller begins anew, without connections.
        package static let reset: UInt16 = 0x0C03
        /// `HCI_Write_Stored_Link_Key`; holds link keys for the controller to keep.
        package static let writeStoredLinkKey: UInt16 = 0x0C11
        /// `HCI_Write_Local_Name`: the adapter's name, 248 bytes of UTF-8.
        package static let writeLocalName: UInt16 = 0x0C13
        /// `HCI_Read_Local_Version_Information`.
        package static let readLocalVersion: UInt16 = 0x1001
        /// `HCI_Read_Buffer_Size`, of classic links, or of all.
        package static let readBufferSize: UInt16 = 0x1005
        /// `HCI_Read_BD_ADDR`; its answer has the adapter's public address.
        package static let readAddress: UInt16 = 0x1009
        /// `HCI_LE_Set_Event_Mask`: which low-energy events are sent.
        package static let setLowEnergyEventMask: UInt16 = 0x2001
        /// `HCI_LE_Read_Buffer_Size` version 1.
        package static let readLowEnergyBufferSize: UInt16 = 0x2002
        /// `HCI_LE_Read_Local_Supported_Features`.
        package static let readLowEnergyFeatures: UInt16 = 0x2003
        /// `HCI_LE_Set_Random_Address`, for all that is no advertising set.
        package static let setRandomAddress: UInt16 = 0x2005
        /// `HCI_LE_Set_Advertising_Parameters`, of legacy advertising.
        package static let setAdvertisingParameters: UInt16 = 0x2006
        /// `HCI_LE_Set_Advertising_Data`, of legacy advertising: up to 31 bytes.
        package static let setAdvertisingData: UInt16 = 0x2008
        /// `HCI_LE_Set_Scan_Response_Data`, of legacy advertising: up to 31 bytes.
        package static let setScanResponseData: UInt16 = 0x2009
        /// `HCI_LE_Set_Advertising_Enable`, of legacy advertising.
        package static let setAdvertisingEnable: UInt16 = 0x200A
        /// `HCI_LE_Set_Scan_Parameters`, of legacy scanning.
        package static let setScanParameters: UInt16 = 0x200B
        /// `HCI_LE_Set_Scan_Enable`, of legacy scanning.
        package static let setScanEnable: UInt16 = 0x200C
        /// `HCI_LE_Create_Connection`, on the 1M layer alone.
        package static let createConnection: UInt16 = 0x200D
        /// `HCI_LE_Create_Connection_Cancel`; the connection completes with the status 0x02.
        package static let createConnectionCancel: UInt16 = 0x200E
        /// `HCI_LE_Connection_Update`, of the central.
        package static let connectionUpdate: UInt16 = 0x2013
        /// `HCI_LE_Encrypt`: one block of AES-128; holds its key.
        package static let encrypt: UInt16 = 0x2017
        /// `HCI_LE_Enable_Encryption`, of the central; holds a long term key.
        package static let enableEncryption: UInt16 = 0x2019
        /// `HCI_LE_Long_Term_Key_Request_Reply`, of the peripheral; holds a long term key.
        package static let longTermKeyReply: UInt16 = 0x201A
        /// `HCI_LE_Long_Term_Key_Request_Negative_Reply`: the peripheral has none.
        package static let longTermKeyRefusal: UInt16 = 0x201B
        /// `HCI_LE_Remote_Connection_Parameter_Request_Reply`.
        package static let connectionParameterReply: UInt16 = 0x2020
        /// `HCI_LE_Remote_Connection_Parameter_Request_Negative_Reply`.
        package static let connectionParameterRefusal: UInt16 = 0x2021
        /// `HCI_LE_Set_Data_Length`: how long packets on the air may be.
        package static let setDataLength: UInt16 = 0x2022
        /// `HCI_LE_Add_Device_To_Resolving_List`; holds both identity resolving keys.
        package static let addToResolvingList: UInt16 = 0x2027
        /// `HCI_LE_Set_Advertising_Set_Random_Address`, for one set of extended advertising.
        package static let setAdvertisingSetRandomAddress: UInt16 = 0x2035
        /// `HCI_LE_Set_Extended_Advertising_Parameters` version 1.
        package static let setExtendedAdvertisingParameters: UInt16 = 0x2036
        /// `HCI_LE_Set_Extended_Advertising_Data`: a part of up to 251 bytes.
        package static let setExtendedAdvertisingData: UInt16 = 0x2037
        /// `HCI_LE_Set_Extended_Scan_Response_Data`: a part of up to 251 bytes.
        package static let setExtendedScanResponseData: UInt16 = 0x2038
        /// `HCI_LE_Remove_Advertising_Set`: one set, by its handle.
        package static let removeAdvertisingSet: UInt16 = 0x203C
        /// `HCI_LE_Clear_Advertising_Sets`: all sets; without parameters.
        package static let clearAdvertisingSets: UInt16 = 0x203D
        /// `HCI_LE_Extended_Create_Connection` version 1, on any physical layer.
        package static let extendedCreateConnection: UInt16 = 0x2043
        /// `HCI_LE_Set_Extended_Advertising_Parameters` version 2: with the coding of the coded layer.
        package static let setExtendedAdvertisingParametersV2: UInt16 = 0x207F
        /// `HCI_LE_Extended_Create_Connection` version 2: also as an answer to periodic advertising.
        package static let extendedCreateConnectionV2: UInt16 = 0x2085
    }
}

extension HCI {
    /// A low-energy connection has begun, or could not be made.
    package struct ConnectionComplete: FieldGroup, Hashable {
        /// 0 for a connection; else the controller's error code, and the fields behind it mean nothing.
        package var status: UInt8 = 0
        /// The Connection_Handle, 0 to 0x0EFF.
        package var handle: UInt16 = 0
        /// 0: the logging host is the central; 1: the peripheral.
        package var role: UInt8 = 0
        /// 0 public, 1 random; 2 and 3 the same, known by the identity of a bond.
        package var peerType: UInt8 = 0
        /// The lowest byte first.
        package var peer = FixedBytes<6>()
        /// Of the enhanced forms only.
        package var privateAddresses: PrivateAddresses?
        /// In units of 1.25 ms.
        package var interval: UInt16 = 0
        /// Events of the connection that the peripheral may leave out.
        package var latency: UInt16 = 0
        /// In units of 10 ms.
        package var timeout: UInt16 = 0
        /// The central's, as the peripheral learns it: 0 for 500 ppm to 7 for 20 ppm; 0 at the central.
        package var clockAccuracy: UInt8 = 0

        package init() {}

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
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
    package struct PrivateAddresses: FieldGroup, Hashable {
        /// Of the logging side, the lowest byte first; zero where it used none.
        package var local = FixedBytes<6>()
        /// Of the other side, the lowest byte first; zero where it used none.
        package var peer = FixedBytes<6>()

        package init() {}

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.fixed("local_private_address", &local)
            w.fixed("peer_private_address", &peer)
        }
    }

    /// A connection has ended.
    package struct DisconnectionComplete: FieldGroup, Hashable {
        /// 0 when the link has ended; else the controller's error code.
        package var status: UInt8 = 0
        /// The Connection_Handle, 0 to 0x0EFF.
        package var handle: UInt16 = 0
        /// The controller's error code: 0x08 for a timeout, 0x13 when the peer ended it, 0x16 when this host did.
        package var reason: UInt8 = 0

        package init() {}

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("status", &status, unit: .hex)
            w.u16("handle", &handle, unit: .hex)
            w.u8("reason", &reason, unit: .hex)
        }
    }

    /// The encryption of a connection was switched; the newer form has the size of the key behind it.
    package struct EncryptionChange: FieldGroup, Hashable {
        /// 0 when it was switched; else the controller's error code.
        package var status: UInt8 = 0
        /// The Connection_Handle, 0 to 0x0EFF.
        package var handle: UInt16 = 0
        /// 0 off; 1 on, with AES-CCM on low energy and E0 on classic links; 2 on, with AES-CCM on classic links.
        package var enabled: UInt8 = 0

        package init() {}

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("status", &status, unit: .hex)
            w.u16("handle", &handle, unit: .hex)
            w.u8("enabled", &enabled)
        }
    }

    /// A connection uses a new key.
    package struct EncryptionKeyRefresh: FieldGroup, Hashable {
        /// 0 when the key is in use; else the controller's error code.
        package var status: UInt8 = 0
        /// The Connection_Handle, 0 to 0x0EFF.
        package var handle: UInt16 = 0

        package init() {}

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("status", &status, unit: .hex)
            w.u16("handle", &handle, unit: .hex)
        }
    }

    /// A command was carried out.
    package struct CommandComplete: FieldGroup, Hashable {
        /// The number of commands that the controller accepts now.
        package var packets: UInt8 = 1
        /// Of the command; 0 where the event reports the number only.
        package var opcode: UInt16 = 0
        /// The status comes first, nearly always.
        package var returned: [UInt8] = []

        package init() {}

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("num_packets", &packets)
            w.u16("opcode", &opcode, unit: .hex)
            w.rest("returned", &returned)
        }
    }

    /// The controller works on a command, or refuses it.
    package struct CommandStatus: FieldGroup, Hashable {
        /// 0 while the command is carried out; else the controller's error code, and nothing follows.
        package var status: UInt8 = 0
        /// The number of commands that the controller accepts now.
        package var packets: UInt8 = 1
        /// Of the command.
        package var opcode: UInt16 = 0

        package init() {}

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("status", &status, unit: .hex)
            w.u8("num_packets", &packets)
            w.u16("opcode", &opcode, unit: .hex)
        }
    }

    /// A classic link has begun, or could not be made.
    package struct ClassicConnectionComplete: FieldGroup, Hashable {
        /// 0 for a connection; else the controller's error code.
        package var status: UInt8 = 0
        /// The Connection_Handle, 0 to 0x0EFF.
        package var handle: UInt16 = 0
        /// The public address of the other side, the lowest byte first.
        package var peer = FixedBytes<6>()

        package init() {}

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("status", &status, unit: .hex)
            w.u16("handle", &handle, unit: .hex)
            w.fixed("peer_address", &peer)
        }
    }
}
