import ArgumentParser
import MeshTestbed
import MeshTime
import MeshTransports
import MeshWire
import Synchronization

/// `meshbed ble scan`: the radios in range.
struct BleScan: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "List the radios in range.",
        discussion: """
            A radio is a device that offers the Nordic UART service. It is called MeshCore where its name begins \
            as the firmware makes names. On a terminal each radio is shown as soon as it is heard. The signal is \
            the first one that was heard, in dBm.

            Examples:
              meshbed ble scan
              meshbed ble scan --seconds 20 --json
              meshbed ble scan --via hci1
              sudo meshbed ble scan --via 'hci1?mode=exact'
              meshbed ble scan --via hci:tcp=127.0.0.1:6402

            Exit status: 0 when a radio was heard, 1 when none was, 2 when nothing could be heard.
            """)

    @Option(
        help: ArgumentHelp(
            "Through which controller: \(BluetoothController.forms). bluetoothd's default adapter when not given.",
            valueName: "controller"),
        transform: { text in
            do throws(LinkError) { return try BluetoothController(text) } catch { throw ValidationError("\(error)") }
        })
    var via = BluetoothController.desktop(nil)

    @Option(help: ArgumentHelp("How long to listen.", valueName: "seconds"))
    var seconds = 8

    @Flag(help: "Print one JSON array, at the end.") var json = false

    static let longest = 3600

    func validate() throws {
        guard 1...Self.longest ~= seconds else {
            throw ValidationError("--seconds is not a number from 1 to \(Self.longest)")
        }
    }

    func run() throws {
        let found = Mutex<[UInt64: BluetoothNeighbor]>([:])
        let isLive = !json
        do throws(LinkError) {
            try BluetoothScan.run(via: via, for: .seconds(seconds)) { neighbor in
                let before = found.withLock { found in
                    let before = found[neighbor.address]
                    var kept = neighbor
                    kept.signal = before?.signal ?? neighbor.signal
                    found[neighbor.address] = kept
                    return before
                }
                guard isLive, before.map({ ShownNeighbor($0).isOther(than: ShownNeighbor(neighbor)) }) ?? true else {
                    return
                }
                Console.out(ShownNeighbor(neighbor).line)
            }
        } catch {
            throw Console.failed("ble scan", error)
        }
        let all = found.withLock { $0.values.sorted { $0.address < $1.address }.map(ShownNeighbor.init) }
        if json { Console.text(CaptureJSON.line(all, isPretty: true)) }
        guard all.isEmpty else { return }
        if isLive { Console.note("No radio was heard; switch one on, and end its link with any other app.") }
        throw ExitCode(1)
    }
}

/// A radio in range for people and for programs.
struct ShownNeighbor: Encodable {
    let address: String
    let name: String?
    /// The signal in dBm.
    let signal: Int?
    let isPaired: Bool
    /// `MeshCore`, or `Nordic UART` for what only offers its service.
    let kind: String

    init(_ neighbor: BluetoothNeighbor) {
        address = "\(BluetoothRadio.Peer.address(neighbor.address))"
        name = neighbor.name
        signal = neighbor.signal
        isPaired = neighbor.isPaired
        kind = neighbor.isMeshCore ? "MeshCore" : "Nordic UART"
    }

    /// Tells whether the radio has to be shown again; the signal alone, which always changes, is no reason.
    func isOther(than other: ShownNeighbor) -> Bool {
        (name, isPaired, kind) != (other.name, other.isPaired, other.kind)
    }

    var line: String {
        let strength = signal.map { "\($0) dBm" } ?? "-"
        let padded = strength.alignedRight(to: 8)
        return "\(address)  \(padded)  \(isPaired ? "paired" : "new   ")  \(kind)  \(name ?? "-")"
    }
}
