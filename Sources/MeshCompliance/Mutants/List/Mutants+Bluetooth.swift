import MeshBluetoothHost
import MeshFirmware
import MeshTime

// Section C: the service, its protection, values, queues and names.
extension Mutant {
    static let bluetooth: [Mutant] = service + protection + queues + names

    /// The faults of the radio over Bluetooth, among all its faults, from its start on.
    var bluetoothFaults: [BluetoothFault] {
        faults.compactMap {
            if case .bluetooth(let design) = $0 { BluetoothFault(.design(design), number: 0) } else { nil }
        }
    }

    /// True when the radio advertises a new name before its next start.
    var renamesAtOnce: Bool {
        faults.contains { if case .newNameAtOnce = $0 { true } else { false } }
    }

    private static let service: [Mutant] = [
        Mutant(
            "ble-receive-of-another-kind", .reply, [19], "RX has the UUID of the service.", .bluetooth(.otherReceive)),
        Mutant(
            "ble-receive-properties", .reply, [23, 24], "RX lacks a way of writing, or has one more.",
            .bluetooth(.otherReceiveProperties)),
        Mutant(
            "ble-transmit-properties", .reply, [23, 24],
            "TX can be read where it should not, or cannot where it should.",
            .bluetooth(.otherTransmitProperties)),
        Mutant(
            "ble-serial-header", .framing, [20], "Values of TX have the header of a serial line.",
            .bluetooth(.serialHeader)),
        Mutant(
            "ble-mtu-ignored", .length, [20, 32], "Frames are cut into pieces of 20 bytes, whatever MTU was agreed on.",
            .bluetooth(.ignoresMTU)),
        Mutant("ble-mtu-517", .limit, [32], "An ESP32 agrees to an MTU of 517.", .bluetooth(.longestMTU)),
        Mutant(
            "ble-long-value-cut", .lax, [26], "Of a value above 176 bytes the first 176 are executed.",
            .bluetooth(.cutsLongValues)),
    ]

    private static let protection: [Mutant] = [
        Mutant("ble-no-passkey", .lax, [22], "Pairing asks for no passkey.", .bluetooth(.noPasskey)),
        Mutant(
            "ble-stays-after-failure", .kept, [22], "After a wrong PIN the link stays.", .bluetooth(.staysAfterFailure)),
        Mutant("ble-open", .lax, [21], "RX and TX can be used without pairing.", .bluetooth(.open)),
        Mutant(
            "ble-executes-unpaired", .lax, [21, 25], "What is written before pairing is executed.",
            .bluetooth(.executesUnproven)),
    ]

    private static let queues: [Mutant] = [
        Mutant("ble-no-pace", .late, [27], "An ESP32 notifies without a rest.", pace(queue: 4, gap: .zero)),
        Mutant(
            "ble-short-pace", .late, [27], "An ESP32 rests for 30 ms between notifications.",
            pace(queue: 4, gap: .milliseconds(30))),
        Mutant("ble-queue-unbounded", .limit, [28], "An ESP32 queues frames without end.", pace(queue: .max)),
        Mutant("ble-queue-of-two", .limit, [28], "An ESP32 queues two frames.", pace(queue: 2)),
        Mutant(
            "ble-listing-does-not-pause", .limit, [29], "A contact listing goes on while the queue is full.",
            pace(queue: 12, gap: .zero, listingLimit: .max)),
        Mutant(
            "ble-queue-of-an-esp32", .limit, [29], "An nRF52 queues four frames.",
            pace(queue: 4, gap: .zero, listingLimit: 8)),
        Mutant(
            "ble-frames-kept", .kept, [30], "A frame that waited for one central goes to the next.",
            .bluetooth(.keepsFrames)),
    ]

    private static let names: [Mutant] = [
        Mutant(
            "ble-advertises-late", .late, [30], "After a connection the radio is not found for five seconds.",
            .bluetooth(.advertisesLate)),
        Mutant(
            "ble-advertises-at-once", .late, [30], "An ESP32 advertises without waiting for a second.",
            .bluetooth(.advertisesAtOnce)),
        Mutant("ble-bare-name", .reply, [31], "The advertised name is the node's alone.", .bluetooth(.bareName)),
        Mutant(
            "ble-new-name-at-once", .stale, [31], "A new name is advertised before the next start.",
            .newNameAtOnce),
    ]

    /// The frames of a Bluetooth link wait and pause otherwise.
    private static func pace(queue: Int, gap: TimeSpan = .milliseconds(60), listingLimit: Int? = nil) -> Defect {
        .booted { radio in
            guard case .frames = radio.interface else { return }
            let pace = FrameInterface.Pace(sendQueueSize: queue, gap: gap, listingLimit: listingLimit)
            radio.interface = .frames(FrameInterface(isConnected: false, pace: pace))
        }
    }
}
