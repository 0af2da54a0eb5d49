import MeshCrypto
public import MeshFiles
import MeshFirmware
import MeshPacket
public import MeshSimulator
public import MeshTime
import MeshWire

/// Makes a world of adverts that were heard: each line is a packet in hex, or a JSON record with a field `hex`.
///
/// The newest advert of a key counts. Nodes get the role that they advertise, at factory settings; one without a role
/// becomes a companion. Links are made from the places, so a node without one is left out.
public struct AdvertFile: Sendable {
    /// The world that was made from the adverts.
    public let plan: WorldPlan
    /// Adverts with a valid signature.
    public private(set) var adverts = 0
    /// Packets that are no adverts, or whose signature is wrong.
    public private(set) var others = 0
    /// Nodes left out because no advert of theirs says where they are.
    public private(set) var placeless = 0
    /// Names of nodes left out because the coordinates in their adverts are no place, in the order of the file.
    public private(set) var misplaced: [String] = []

    /// Bytes of a line at most: a packet has 255, and its record some words more.
    private static let longestLine = 65_536

    private struct Found {
        let key: PublicKey
        var timestamp: UInt32
        var data: AdvertData

        /// The coordinates in the advert; 0, 0 are none.
        var states: AdvertData.Location? {
            data.location.flatMap { $0.latitude == 0 && $0.longitude == 0 ? nil : $0 }
        }
        var point: GeoPoint? { states.flatMap { GeoPoint(microdegrees: $0.latitude, $0.longitude) } }
    }

    /// Makes a world of a file of adverts. Throws for a line that is no packet, a file that is too long, and one
    /// without a place.
    public init(_ bytes: [UInt8], name: String, seed: Seed) throws(FileProblem) {
        guard bytes.count <= WorldFile.longest else {
            throw FileProblem(line: 0, reason: "is longer than \(WorldFile.longest >> 20) MiB")
        }
        var nodes: [Found] = []
        var places: [PublicKey: Int] = [:]
        var adverts = 0
        var others = 0
        var (start, number) = (0, 0)
        while let line = Self.line(of: bytes, &start) {
            number += 1
            guard let packet = try Self.packet(line, line: number) else { continue }
            guard let found = Self.advert(packet) else {
                others += 1
                continue
            }
            adverts += 1
            if let place = places[found.key] {
                if found.timestamp > nodes[place].timestamp { nodes[place] = found }
            } else {
                places[found.key] = nodes.count
                nodes.append(found)
            }
        }
        let placed = nodes.filter { $0.point != nil }
        guard !placed.isEmpty else {
            throw FileProblem(line: 0, reason: "has no advert with a valid signature and a place")
        }
        plan = WorldPlan(Self.topology(placed, name: name, seed: seed))
        self.adverts = adverts
        self.others = others
        misplaced = nodes.filter { $0.point == nil && $0.states != nil }.map {
            $0.data.name.isEmpty ? $0.key.prefix(3).hex : $0.data.name.string
        }
        placeless = nodes.count - placed.count - misplaced.count
    }

    /// Tells whether a file looks like one of adverts: its first line is hex, or a whole JSON object with `hex` in it.
    public static func looksLikeOne(_ bytes: [UInt8]) -> Bool {
        var start = 0
        while let line = line(of: bytes, &start) {
            if !isBlank(line) { return ((try? packet(line, line: 1)) ?? nil) != nil }
        }
        return false
    }

    /// The line that begins there, without its end; nil behind the last.
    private static func line(of bytes: [UInt8], _ start: inout Int) -> ArraySlice<UInt8>? {
        guard start <= bytes.count else { return nil }
        let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        defer { start = end + 1 }
        return bytes[start..<end]
    }

    private static func isBlank(_ line: ArraySlice<UInt8>) -> Bool {
        line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    }

    /// The packet in a line; `nil` for an empty line, a comment behind `#`, and a record without `hex`.
    private static func packet(_ line: ArraySlice<UInt8>, line number: Int) throws(FileProblem) -> [UInt8]? {
        guard line.count <= longestLine else {
            throw FileProblem(line: number, reason: "is longer than \(longestLine) bytes")
        }
        let text = String(decoding: line, as: UTF8.self).filter { !$0.isWhitespace }
        guard let first = text.first, first != "#" else { return nil }
        guard first == "{" else {
            guard let bytes = [UInt8](hex: text) else {
                throw FileProblem(line: number, reason: "is neither hex nor a JSON record")
            }
            return bytes
        }
        do {
            let fields = try JSONFields(JSONReader.read(Array(line), line: number), at: "")
            guard let hex = try fields.string("hex") else { return nil }
            // Captures hold what was heard, damage included: what is no packet is counted, not refused.
            return [UInt8](hex: hex) ?? []
        } catch let problem as JSONProblem {
            throw FileProblem(line: problem.line, reason: "is no JSON: \(problem.reason)")
        } catch let problem as FileProblem {
            throw problem
        } catch {
            throw FileProblem(line: number, reason: "\(error)")
        }
    }

    private static func advert(_ bytes: [UInt8]) -> Found? {
        guard let view = try? PacketView(bytes), view.hasValidAdvertSignature else { return nil }
        let payload = view.payload
        guard let data = try? AdvertData(appData: Array(payload.dropFirst(Advert.headSize))) else { return nil }
        let timestamp = (0..<4).reduce(UInt32(0)) { $0 | UInt32(payload[32 + $1]) << UInt32(8 * $1) }
        return Found(key: PublicKey(payload.prefix(32)), timestamp: timestamp, data: data)
    }

    private static func topology(_ nodes: [Found], name: String, seed: Seed) -> Topology {
        var topology = Topology(name: name)
        var globe = Globe()
        var labels = NodeLabels()
        for (index, node) in nodes.enumerated() {
            let label = labels.take(node.data.name.string, key: node.key.prefix(3).hex)
            let server = ServerRole.allCases.first { $0.nodeType == node.data.nodeType }
            let role = Topology.Role.allCases.first { $0.serverRole == server }
            topology.nodes.append(Topology.Node(label, role ?? .companion))
            if let point = node.point { globe.add(index, point) }
        }
        globe.settle { topology.nodes[$0].place = $1 }
        topology.link(seed: seed)
        return topology
    }
}
