import MeshCompanion
public import MeshTime

/// The Bluetooth behaviour that a companion radio has from its chip family: queues, pace, sizes and what may be
/// done with it.
///
/// Source: CompanionStatements, CMP-022 to CMP-032; firmware 1.17.1, `SerialBLEInterface` of nrf52 and of esp32.
public struct BluetoothTraits: Hashable, Sendable {
    /// `FRAME_QUEUE_SIZE`: frames that may wait for the link, and as many from the app that may wait for their pass.
    /// Further ones are lost.
    public let queueSize: Int
    /// `BLE_WRITE_MIN_INTERVAL`: the least time from one frame to the next; zero where each pass may send one.
    public let gap: TimeSpan
    /// Frames that have to wait before a contact listing pauses; `nil` where it pauses after each frame until the gap
    /// is over.
    public let listingLimit: Int?
    /// The largest ATT MTU to which the radio agrees, in bytes.
    public package(set) var mtu: UInt16
    /// True when a frame longer than a notification continues in the next one; otherwise its end is missing.
    public let splitsFrames: Bool
    /// True when frames without a subscriber wait for one; otherwise they are lost.
    public let waitsForSubscription: Bool
    /// Properties of the characteristic that the app writes: 0x04 write without response, 0x08 write.
    public package(set) var receiveProperties: UInt8
    /// Properties of the characteristic that notifies: 0x02 read, 0x10 notify.
    public package(set) var transmitProperties: UInt8
    /// True when it pairs with LE Secure Connections; otherwise as Bluetooth 4.0 did (LE legacy pairing).
    public let hasSecureConnections: Bool
    /// From the end of a connection until the radio advertises again.
    public package(set) var advertisingDelay: TimeSpan

    /// Boards with an nRF52: queues of 12, no rest between frames, a fixed PIN that only legacy pairing can have.
    public static let nrf52 = BluetoothTraits(
        queueSize: 12, gap: .zero, listingLimit: 8, mtu: 247, splitsFrames: true, waitsForSubscription: true,
        receiveProperties: 0x0C, transmitProperties: 0x10, hasSecureConnections: false, advertisingDelay: .zero)

    /// Boards with an ESP32: queues of 4, and 60 ms between frames.
    public static let esp32 = BluetoothTraits(
        queueSize: 4, gap: .milliseconds(60), listingLimit: nil, mtu: 176, splitsFrames: false,
        waitsForSubscription: false, receiveProperties: 0x08, transmitProperties: 0x12, hasSecureConnections: true,
        advertisingDelay: .milliseconds(1000))

    /// The beginning of the name that a radio advertises; the node's name at boot follows (CMP-031).
    public static let namePrefix = "MeshCore-"
}

extension BoardProfile {
    /// The Bluetooth behaviour of the board's firmware; `nil` where the firmware has none.
    public var bluetooth: BluetoothTraits? {
        switch platform {
        case .esp32:
            var traits = BluetoothTraits.esp32
            // What the firmware offers is its frame limit (FWV-012, FWV-060).
            traits.mtu = UInt16(firmware.switches.frameLimit)
            return traits
        case .nrf52: return .nrf52
        case .other: return nil
        }
    }
}
