package import MeshWire

// What commands return, behind the status: `CommandComplete.returned` from its second byte on.

extension HCI {
    /// Of `HCI_Read_Local_Version_Information`.
    struct LocalVersion: FieldGroup, Hashable {
        /// 6 is Bluetooth 4.0, 9 is 5.0.
        var version: UInt8 = 0
        /// The vendor's.
        var revision: UInt16 = 0
        /// Of the link manager, as `version`.
        var linkVersion: UInt8 = 0
        /// The vendor, as Bluetooth numbers them.
        var manufacturer: UInt16 = 0
        /// The vendor's.
        var subversion: UInt16 = 0

        init() {}

        mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("hci_version", &version)
            w.u16("hci_revision", &revision, unit: .hex)
            w.u8("lmp_version", &linkVersion)
            w.u16("manufacturer", &manufacturer)
            w.u16("lmp_subversion", &subversion, unit: .hex)
        }
    }

    /// Of `HCI_LE_Read_Local_Supported_Features`, and of the classic one.
    struct Features: FieldGroup, Hashable {
        /// A bit for each feature, from bit 0 on.
        var mask: UInt64 = 0

        init() {}

        init(_ mask: UInt64) {
            self.mask = mask
        }

        mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.integer(Field("features", unit: .hex), &mask, in: nil)
        }

        /// Bit 5 of low energy: packets on the air may be longer than 27 bytes.
        var hasLongerData: Bool { mask & 1 << 5 != 0 }
    }

    /// Of `HCI_LE_Read_Buffer_Size`; of zeros where the buffers are those of classic links.
    struct BufferSize: FieldGroup, Hashable {
        /// The longest fragment, in bytes.
        var dataSize: UInt16 = 0
        /// The number of fragments that fit.
        var dataCount: UInt8 = 0

        init() {}

        mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("data_packet_length", &dataSize)
            w.u8("num_data_packets", &dataCount)
        }
    }

    /// Of `HCI_Read_Buffer_Size`.
    struct ClassicBufferSize: FieldGroup, Hashable {
        /// The longest fragment, in bytes.
        var dataSize: UInt16 = 0
        /// The longest packet of voice, in bytes.
        var voiceSize: UInt8 = 0
        /// The number of fragments that fit.
        var dataCount: UInt16 = 0
        /// The number of packets of voice that fit.
        var voiceCount: UInt16 = 0

        init() {}

        mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("data_packet_length", &dataSize)
            w.u8("voice_packet_length", &voiceSize)
            w.u16("num_data_packets", &dataCount)
            w.u16("num_voice_packets", &voiceCount)
        }
    }

    /// Of `HCI_Read_BD_ADDR`.
    struct LocalAddress: FieldGroup, Hashable {
        /// The lowest byte first.
        var address = FixedBytes<6>()

        init() {}

        mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.fixed("address", &address)
        }
    }
}

extension HCI.CommandComplete {
    /// 0 when the command was carried out; `nil` where it returns nothing.
    package var status: UInt8? { returned.first }

    /// Reads what stands behind the status.
    package func result<G: FieldGroup>(_ type: G.Type = G.self) throws(FrameError) -> G {
        try returned.span.withUnsafeBytes { (memory) throws(FrameError) in try G(reading: memory, from: 1) }
    }
}
