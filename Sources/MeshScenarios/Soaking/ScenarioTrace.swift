import MeshCompanion
import MeshCore
import MeshFirmware
import MeshPacket
import MeshSimulator
import MeshTime
import MeshWire
import MeshWorlds

/// A recorded run as a trace file, which `meshbed mesh why` explains.
///
/// Each attempt of a text is a message of its own, as each is a packet of its own on the air.
public struct ScenarioTrace {
    private let result: ScenarioResult
    private var writer = TraceWriter()
    /// Places in the head's nodes.
    private let places: [String: Int]
    private var names: [FixedBytes<6>: String] = [:]
    private var count = 0
    /// The text, by node, that its radio was asked for last, until it answers.
    private var asked: [Int: Int] = [:]
    /// The texts by node and code.
    private var codes: [Int: [UInt32: Int]] = [:]

    /// The bytes of the file. The run must have been recorded, or there is a head and nothing else.
    public static func bytes(of result: ScenarioResult) -> [UInt8] {
        var trace = ScenarioTrace(result)
        return trace.write()
    }

    private init(_ result: ScenarioResult) {
        self.result = result
        var places: [String: Int] = [:]
        for (index, member) in result.scenario.cast.enumerated() { places[member.name] = index }
        self.places = places
    }

    private mutating func write() -> [UInt8] {
        let end = Instant.start + TimeSpan(result.elapsed)
        writer.begin(topology, seed: result.seed, span: end - .start)
        var latest = Instant.start
        var air = result.air[...]
        for entry in result.entries {
            let time = Instant.start + TimeSpan(entry.time)
            while let record = air.first, record.time < time {
                writer.add(record.time, record.node, .event(record.event))
                air.removeFirst()
            }
            latest = max(latest, time)
            if let who = entry.who, let node = places[who] { tell(entry.kind, time, node) }
        }
        for record in air {
            writer.add(record.time, record.node, .event(record.event))
            latest = max(latest, record.time)
        }
        writer.end(
            digest: result.worldDigest?.description ?? "none", unseed: result.unseed?.description ?? "none",
            at: max(end, latest))
        return writer.takeText()
    }

    private var topology: Topology {
        var topology = Topology(name: result.scenario.name)
        topology.nodes = result.scenario.cast.map { Topology.Node($0.name, $0.role.topologyRole) }
        topology.links = result.scenario.links.compactMap { link in
            guard let one = places[link.one.name], let other = places[link.other.name] else { return nil }
            let signal = Signal(snrHundredths: Int16(nearest: link.snr * 100), rssiHundredths: -8000)
            return Topology.Link(one, other, there: signal, back: link.isOneWay ? nil : signal)
        }
        return topology
    }

    private mutating func tell(_ kind: EventLog.Entry.Kind, _ time: Instant, _ node: Int) {
        switch kind {
        case .toRadio(let frame): command(frame, time, node)
        case .toApp(let frame): answer(frame, time, node)
        case .connected, .disconnected, .step, .fault, .cameTrue, .reached, .failed: break
        }
    }

    private mutating func command(_ frame: [UInt8], _ time: Instant, _ node: Int) {
        asked[node] = nil
        switch frame.first.map(CommandCode.init(rawValue:)) {
        case .addUpdateContact:
            guard let contact = try? AddUpdateContact(decoding: frame) else { return }
            names[contact.publicKey.sixBytes] = contact.name.text.readable
        case .sendTxtMsg:
            guard let text = try? SendTxtMsg(decoding: frame) else { return }
            let number = message(
                to: names[text.publicKeyPrefix] ?? text.publicKeyPrefix.array.hex,
                text.text.readable + (text.attempt > 0 ? " (attempt \(text.attempt + 1))" : ""), time, node)
            asked[node] = number
        case .sendChannelTxtMsg:
            guard let text = try? SendChannelTxtMsg(decoding: frame) else { return }
            message(to: "#public", text.text.readable, time, node)
        case .sendSelfAdvert: message(to: "#advert", "", time, node)
        default: break
        }
    }

    @discardableResult
    private mutating func message(to: String, _ text: String, _ time: Instant, _ node: Int) -> Int {
        count += 1
        writer.add(time, NodeID(index: node), .message(number: count, to: to, text: text))
        return count
    }

    private mutating func answer(_ frame: [UInt8], _ time: Instant, _ node: Int) {
        if let sent = try? Resp.Sent(decoding: frame) {
            if let number = asked.removeValue(forKey: node) { codes[node, default: [:]][sent.tag] = number }
        } else if let confirmed = try? Push.SendConfirmed(decoding: frame),
            let number = codes[node]?.removeValue(forKey: confirmed.ack)
        {
            writer.add(time, NodeID(index: node), .acknowledged(number: number))
        }
    }
}

extension Member.Role {
    /// The nearest role that a trace knows.
    fileprivate var topologyRole: Topology.Role {
        serverRole.map(Topology.Role.server) ?? .companion
    }
}
