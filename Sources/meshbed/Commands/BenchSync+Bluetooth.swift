import ArgumentParser
import MeshBluetoothHost
import MeshBoards
import MeshCompliance
import MeshEmulator
import MeshFirmware
import MeshTime
import MeshWire

/// The modelled link of `meshbed bench sync --over ble`.
struct BluetoothLinkOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Over ble: the time between connection events, whatever radio and app ask for; 7.5 to 4000 in steps "
                + "of 1.25. Without it the longest that they allow: 30 with an nRF52, 50 with an ESP32.",
            valueName: "milliseconds"))
    var interval: Double?

    @Option(help: ArgumentHelp("Over ble: the longest payload on the air, 27 to 251.", valueName: "bytes"))
    var payload: UInt16?

    @Option(help: "Over ble: the physical layer, 1M or 2M.", transform: Self.layer)
    var phy: PhysicalLayer?

    @Option(help: ArgumentHelp("Over ble: packets of each side in one connection event.", valueName: "count"))
    var packets: Int?

    @Option(help: ArgumentHelp("Over ble: packets that are lost, of 10000.", valueName: "count"))
    var loss: UInt16?

    mutating func validate() throws {
        if let interval {
            let units = interval / 1.25
            guard 6...3200 ~= units, units == units.rounded() else {
                throw ValidationError("--interval must be from 7.5 to 4000 in steps of 1.25")
            }
        }
        guard 27...251 ~= payload ?? 27 else { throw ValidationError("--payload must be from 27 to 251") }
        guard packets ?? 1 > 0 else { throw ValidationError("--packets must be at least 1") }
        guard loss ?? 0 < 10_000 else { throw ValidationError("--loss must be from 0 to 9999") }
    }

    /// True when any of the options was given.
    var isGiven: Bool {
        interval != nil || payload != nil || phy != nil || packets != nil || loss != nil
    }

    /// A benchmark of each link that was asked for.
    func benchmarks(over links: [Target.Modelled]) -> [BluetoothSync] {
        links.map { link in
            var sync = BluetoothSync(link.board.platform)
            sync.link.air.interval = interval.map { UInt16(wholePart: $0 / 1.25) }
            if let payload { sync.link.longestPayload = payload }
            if let phy { sync.link.air.layer = phy }
            sync.link.air.packetsPerEvent = packets
            sync.link.air.lossPerTenThousand = loss ?? 0
            return sync
        }
    }

    private static func layer(_ name: String) throws -> PhysicalLayer {
        guard let layer = PhysicalLayer(rawValue: name) else {
            throw ValidationError("'\(name)' is no physical layer, expected 1M or 2M")
        }
        return layer
    }
}

extension BenchSync {
    /// Syncs over the modelled link; one line for each chip family and number of messages.
    func run(over links: [Target.Modelled]) throws {
        var sheet = try output.sheet("sync", heading: Self.bluetoothHeading)
        for _ in 0..<output.repeats {
            for count in messages.isEmpty ? [10_000] : messages {
                for var sync in bluetooth.benchmarks(over: links) {
                    sync.load.messages = count
                    sync.seed = Seed(seed)
                    let row = try sync.run()
                    sheet.add(row.figures, line: Self.line(row))
                    sheet.add(digest: "\(row.digest)", of: row.label)
                }
            }
        }
        try sheet.close()
    }

    private static let bluetoothHeading =
        "chip   interval  payload  messages  connect s   sync s  messages s  limit s  of limit  events  packets   bytes  again  air s  CPU s"

    private static func line(_ row: BluetoothSync.Row) -> String {
        row.chip.padded(to: 6)
            + RightColumns.row(
                (row.intervalMilliseconds.fixed(2), 9), ("\(row.payload)", 9), ("\(row.messages)", 10),
                (row.connectSeconds.fixed(1), 11), (row.seconds.fixed(1), 9), (row.messageSeconds.fixed(1), 12),
                (row.limitSeconds.fixed(1), 9), ((row.share * 100).fixed(1) + "%", 10), ("\(row.events)", 8),
                ("\(row.packets)", 9), ("\(row.bytes)", 8), ("\(row.repeats)", 7), (row.airSeconds.fixed(1), 7),
                (row.cpuSeconds.fixed(1), 7))
    }
}
