import MeshCrypto
import MeshPacket
import MeshRadio
import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

/// A node on a bench: time passes, its radio sends, and everything it wants done is kept.
struct Bench<Node: MeshNode> {
    var node: Node
    private(set) var now = Instant.start
    /// The listen-before-talk input.
    var isChannelBusy = false
    /// True when transmissions ever end.
    var completes = true
    /// The sent frames as hex, with their times in milliseconds.
    private(set) var sent: [(at: Int64, frame: String)] = []
    private(set) var events: [NodeEvent] = []
    /// What it has written to a bridge, with the speed or channel.
    private(set) var bridged: [(bytes: [UInt8], tuning: UInt32)] = []
    /// The output of the node on its console.
    var printed: [UInt8] = []
    private var transmissionEnd: Instant?

    init(_ node: Node) {
        self.node = node
    }

    /// The frames that were sent.
    var frames: [String] { sent.map(\.frame) }
    var drops: [DropReason] {
        events.compactMap { if case .rxDrop(let reason) = $0 { reason } else { nil } }
    }

    /// Presents a frame now.
    mutating func hear(_ hex: String, snr quarters: Int = 20) throws {
        try hear(try #require([UInt8](hex: hex)), snr: quarters)
    }

    mutating func hear(_ bytes: [UInt8], snr quarters: Int = 20) throws {
        handle(.heard(RadioFrame(bytes), Signal(snrHundredths: Int16(quarters * 25), rssiHundredths: -9000)))
    }

    /// One pass now.
    mutating func handle(_ input: NodeInput = .woke) {
        var effects: [NodeEffect] = []
        node.handle(input, at: now, radio: RadioStatus(isReceiving: isChannelBusy), into: &effects)
        for effect in effects {
            switch effect {
            case .transmit(let frame):
                sent.append((now.milliseconds, frame.bytes.hex))
                let length = node.core.parameters.airtimeMicroseconds(bytes: frame.count)
                transmissionEnd = completes ? now + .microseconds(length) : nil
            case .trace(let event): events.append(event)
            case .appBytes(let bytes): printed += bytes
            case .bridge(let bytes, let tuning): bridged.append((bytes, tuning))
            default: break
            }
        }
    }

    /// Lets time pass, with the passes that the node asks for.
    mutating func run(_ span: TimeSpan) {
        let end = now + span
        var passes = 0
        while passes < 200_000 {
            passes += 1
            let next = min(node.nextWake, transmissionEnd ?? .never)
            guard next <= end else { break }
            now = max(next, now)
            if let finished = transmissionEnd, finished <= now {
                transmissionEnd = nil
                handle(.transmitDone)
            } else {
                handle()
            }
        }
        #expect(passes < 200_000, "the node wakes without end")
        now = end
    }

    /// Runs until nothing is queued or in flight, for at most a minute.
    mutating func settle() { run(.seconds(60)) }
}

/// Creating and sending on the bench.
extension Bench {
    /// Queues raw bytes as they are.
    mutating func queueRaw(_ hex: String, priority: UInt8 = 0, delay: UInt32 = 0) throws {
        let packet = try PacketView(try #require([UInt8](hex: hex)))
        let isQueued = node.core.sendRawPacket(packet, priority: priority, delayMillis: delay)
        #expect(isQueued)
        handle()
    }
}
