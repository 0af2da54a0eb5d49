import MeshFirmware
import MeshPacket
import MeshSimulator
import MeshTime
import MeshWorlds

/// Receives the events of a run, and logs the floods that its observers hear.
final class FloodRecorder {
    private(set) var log = FloodLog()
    private let isObserver: [Bool]
    private var frames: [UInt64: (packet: Int, path: [UInt8], hashSize: Int, relays: [Int])] = [:]
    private var places: [UInt64: Int] = [:]
    /// The nodes of each path of a packet.
    private var ways: [Way: [Int]] = [:]

    private struct Way: Hashable {
        var packet: Int
        var path: [UInt8]
    }

    init(observers: [Int], nodes: Int) {
        var isObserver = [Bool](repeating: false, count: nodes)
        for node in observers { isObserver[node] = true }
        self.isObserver = isObserver
    }

    func take(_ time: Instant, _ node: NodeID, _ happening: MeshRun.Happening) {
        guard case .event(let event) = happening else { return }
        switch event {
        case .txBegin(let frame, let bytes, let airtime): begin(frame, bytes, airtime, node.index)
        case .rxEnd(let frame, let signal):
            guard node.index < isObserver.count, isObserver[node.index], let heard = frames[frame] else { return }
            // What an observer has sent itself comes back to it; its log has that too, except for its own packets.
            guard log.packets[heard.packet].origin != node.index else { return }
            var reception = FloodLog.Reception(
                packet: heard.packet, observer: node.index, path: heard.path, hashSize: heard.hashSize,
                time: Double(time.microseconds) / 1e6, snr: Double(signal.snrHundredths) / 100)
            reception.relays = heard.relays
            log.append(reception)
        default: break
        }
    }

    private func begin(_ frame: UInt64, _ bytes: [UInt8], _ airtime: TimeSpan, _ node: Int) {
        guard let view = try? PacketView(bytes), view.isFlood else { return }
        let hash = view.packetHash
        let path = view.path
        let size = view.pathLength.hashSize
        let place: Int
        if let known = places[hash] {
            place = known
        } else {
            place = log.open(
                FloodLog.Packet(
                    origin: node, isAdvert: view.type == .advert, airtime: Double(airtime.microseconds) / 1e6))
            places[hash] = place
        }
        var relays: [Int] = []
        if !path.isEmpty {
            relays = (ways[Way(packet: place, path: path.dropLast(size))] ?? []) + [node]
            ways[Way(packet: place, path: path)] = relays
        }
        frames[frame] = (place, path, size, relays)
        // A frame is on the air for seconds at most; older ones are forgotten.
        if frames.count > 20_000 { frames = frames.filter { $0.key + 10_000 > frame } }
    }
}
