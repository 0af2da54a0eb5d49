import MeshCrypto
import MeshPacket
import MeshWire
import Testing

/// The packets that clients send to infrastructure nodes, made by our own code.
@Suite struct ClientPacketVectorTests {
    private static let server = InfrastructureVectors.server
    private static let alice = InfrastructureVectors.peer("alice")

    // MARK: Logins and anonymous questions

    private struct Anonymous: Decodable {
        struct Fields: Decodable {
            let timestamp: UInt32
            let password: String?
            let syncSince: UInt32?
            let subType: UInt8?
            let replyPathLen: UInt8?
            let replyPath: String?
        }

        let fields: Fields
        let sender: String
        let plaintext: String
        let payload: String
        let rawFloodZeroHop: String?
        let rawDirectZeroHop: String
        let rawFloodPath2X2Byte: String?
        let packetHash: String?

        var bytes: [UInt8] {
            let password = ByteText(fields.password ?? "")
            if let question = fields.subType {
                return AnonymousQueryPlaintext(
                    tag: fields.timestamp, question: question,
                    replyPathLength: PathLength(rawValue: fields.replyPathLen ?? 0),
                    replyPath: [UInt8](hex: fields.replyPath ?? "") ?? []
                ).written()
            }
            if let since = fields.syncSince {
                return RoomLoginPlaintext(timestamp: fields.timestamp, syncSince: since, password: password).written()
            }
            return LoginPlaintext(timestamp: fields.timestamp, password: password).written()
        }
    }

    @Test(arguments: [
        "LOGIN-REQ-REP-ADMIN", "LOGIN-REQ-REP-BLANK", "LOGIN-REQ-REP-GUEST", "LOGIN-REQ-SEN-ADMIN", "LOGIN-REQ-ROOM-RW",
        "LOGIN-REQ-ROOM-ADMIN", "LOGIN-REQ-ROOM-BLANK", "ANON-REQ-REGIONS", "ANON-REQ-OWNER", "ANON-REQ-BASIC",
    ])
    func `logins and anonymous questions are sealed as the reference seals them`(id: String) throws {
        let vector = InfrastructureVectors.read(id, as: Anonymous.self)
        let sender = InfrastructureVectors.peer(vector.sender)
        let plaintext = vector.bytes
        #expect(plaintext.hex == vector.plaintext)

        let packet = try #require(
            plaintext.withUnsafeBytes {
                PacketFactory.anonymous(
                    to: Self.server.publicKey[0], from: sender.key, secret: sender.secret(with: Self.server.publicKey),
                    $0)
            })

        #expect(packet.payload.hex == vector.payload)
        #expect(Peer.routed(packet, .direct).hex == vector.rawDirectZeroHop)
        let isLogin = vector.fields.subType == nil
        let others = [vector.rawFloodZeroHop, vector.rawFloodPath2X2Byte, vector.packetHash]
        #expect(others.allSatisfy { ($0 != nil) == isLogin })
        if let raw = vector.rawFloodZeroHop { #expect(Peer.routed(packet, .flood).hex == raw) }
        let twoHops = Peer.Way.flood(PathLength(hashSize: 2, hops: 2), [0x11, 0x22, 0x33, 0x44])
        if let raw = vector.rawFloodPath2X2Byte { #expect(Peer.routed(packet, twoHops).hex == raw) }
        if let hash = vector.packetHash {
            #expect(withUnsafeBytes(of: packet.packetHash.littleEndian) { [UInt8]($0) }.hex == hash)
        }
    }

    // MARK: Requests

    private struct Sealed: Decodable {
        let plaintext: String
        let payload: String
        let rawFlood: String?
    }

    /// Four bytes of parameters where apps leave them reserved, and their random bytes.
    private func request(_ id: String) -> RequestPlaintext {
        let random: FixedBytes<4> = FixedBytes([0xDE, 0xAD, 0xBE, 0xEF])
        func standard(_ tag: UInt32, _ type: RequestType, _ first: UInt8 = 0) -> RequestPlaintext {
            RequestPlaintext(tag: tag, type: type, reserved: FixedBytes([first, 0, 0, 0]), random: random)
        }
        switch id {
        case "STATUS-REQ": return standard(1_767_225_900, .getStatus)
        case "TELEM-REQ-ALL": return standard(1_767_225_910, .getTelemetryData)
        case "TELEM-REQ-NO-ENV": return standard(1_767_225_910, .getTelemetryData, 0x04)
        case "TELEM-REQ-BASE-ONLY": return standard(1_767_225_910, .getTelemetryData, 0xFE)
        case "ACL-REQ": return standard(1_767_225_930, .getAccessList)
        case "MMA-REQ":
            let day = Peer.bytes(86_400) + Peer.bytes(0) + [0, 0]
            return RequestPlaintext(tag: 1_767_225_920, type: .getAvgMinMax, parameters: day)
        case "NEIGH-REQ":
            let tenNewest: [UInt8] = [0, 10, 0, 0, 0, 8] + random.array
            return RequestPlaintext(tag: 1_767_225_940, type: .getNeighbours, parameters: tenNewest)
        default: return RequestPlaintext(tag: 1_767_225_950, type: .getOwnerInfo, parameters: random.array)
        }
    }

    @Test(arguments: [
        "STATUS-REQ", "TELEM-REQ-ALL", "TELEM-REQ-NO-ENV", "TELEM-REQ-BASE-ONLY", "MMA-REQ", "ACL-REQ", "NEIGH-REQ",
        "OWNER-REQ",
    ])
    func `requests are sealed as the reference seals them`(id: String) throws {
        let vector = InfrastructureVectors.read(id, as: Sealed.self)
        let plaintext = request(id).written()
        #expect(plaintext.hex == vector.plaintext)

        let flood = Self.alice.datagram(.req, plaintext, to: Self.server.publicKey, .flood)

        #expect(try PacketView(flood).payload.hex == vector.payload)
        if let raw = vector.rawFlood { #expect(flood.hex == raw) }
    }

    // MARK: Paths

    private struct Path: Decodable {
        let plaintext: String
        let payload: String
        let storedOutPathLen: UInt8
        let storedOutPath: String
    }

    @Test func `PATH-RECIP a client says where it is`() throws {
        let vector = InfrastructureVectors.read("PATH-RECIP", as: Path.self)
        let path = try #require([UInt8](hex: vector.storedOutPath))
        let fields = try #require(
            PathReturnPlaintext(
                pathLength: PathLength(rawValue: vector.storedOutPathLen), path: path, random: FixedBytes([1, 2, 3, 4]))
        )

        #expect(fields.written().hex == vector.plaintext)
        let packet = Self.alice.pathReturn(fields.pathLength, path, to: Self.server.publicKey)
        #expect(try PacketView(packet).payload.hex == vector.payload)
    }

    // MARK: Discovery

    private struct ControlVector: Decodable {
        let payload: String?
        let payloadTemplate: String?
        let raw: String?
    }

    @Test(arguments: [
        ("DISCOVER-REQ", DiscoverRequest(filter: 4, tag: 0x0BAD_F00D)),
        (
            "DISCOVER-REQ-PREFIX-SINCE",
            DiscoverRequest(filter: 0xFF, tag: 0x0BAD_F00D, since: 1_767_225_600, prefixOnly: true)
        ),
        ("DISCOVER-REQ-OWN", DiscoverRequest(filter: 4, tag: 0x0BAD_F00D, since: 0)),
    ])
    func `discovery asks as the reference asks`(id: String, request: DiscoverRequest) throws {
        let vector = InfrastructureVectors.read(id, as: ControlVector.self)
        let template = vector.payloadTemplate?.replacing("tttttttt", with: "0df0ad0b")

        #expect(request.written().hex == vector.payload ?? template)
        #expect(try request.written().withUnsafeBytes { try DiscoverRequest(reading: $0) } == request)
        if let raw = vector.raw { #expect(Peer.routed(PacketFactory.control(request), .direct).hex == raw) }
    }
}
