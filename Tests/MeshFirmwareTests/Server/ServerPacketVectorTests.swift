import MeshCrypto
import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

/// The packets that infrastructure nodes send, made by our own code.
@Suite struct ServerPacketVectorTests {
    private static let server = Peer("server", identity: InfrastructureVectors.server)
    private static let alice = InfrastructureVectors.peer("alice")
    private static let bob = InfrastructureVectors.peer("bob")

    // MARK: Logins

    private struct Login: Decodable {
        struct Fields: Decodable {
            let serverClock: UInt32
            let adminFlag: UInt8
            let permissions: UInt8
            let random: String
            let versionLevel: UInt8
        }
        struct Datagram: Decodable {
            let payload: String
        }
        struct Return: Decodable {
            let innerPlaintext: String
            let path: String
            let payload: String
            let rawFlood: String
        }

        let fields: Fields
        let plaintext: String
        let asResponseDatagram: Datagram
        let asPathReturn: Return
    }

    @Test(arguments: [
        "LOGIN-RESP-REP-ADMIN", "LOGIN-RESP-REP-GUEST", "LOGIN-RESP-REP-READONLY", "LOGIN-RESP-ROOM-ADMIN",
        "LOGIN-RESP-ROOM-RW", "LOGIN-RESP-ROOM-GUEST", "LOGIN-RESP-SEN-ADMIN",
    ])
    func `a granted login is answered as the reference answers it, by either carrier`(id: String) throws {
        let vector = InfrastructureVectors.read(id, as: Login.self)
        let fields = vector.fields
        let body = LoginResponsePlaintext(
            serverTime: fields.serverClock, admin: fields.adminFlag, permissions: fields.permissions,
            random: try #require(FixedBytes(hex: fields.random)), level: fields.versionLevel)
        #expect(body.written().hex == vector.plaintext)

        let response = Self.server.datagram(.response, body.written(), to: Self.alice.key)
        #expect(try PacketView(response).payload.hex == vector.asResponseDatagram.payload)

        let path = try #require([UInt8](hex: vector.asPathReturn.path))
        let packet = Self.server.pathReturn(
            PathLength(hashSize: 1, hops: path.count), path, extra: .response, body.written(), to: Self.alice.key,
            .flood)
        #expect(packet.hex == vector.asPathReturn.rawFlood)
        let inner = try #require(Self.alice.opened(packet, with: Self.server.key))
        #expect(inner.hex.hasPrefix(vector.asPathReturn.innerPlaintext))
    }

    // MARK: Answers to anonymous questions

    private struct Answer: Decodable {
        struct Fields: Decodable {
            let tag: UInt32
            let serverClock: UInt32
            let names: String?
            let nodeName: String?
            let ownerInfo: String?
            let features: UInt8?
        }

        let fields: Fields
        let plaintext: String
        let payload: String
    }

    @Test(arguments: [
        "ANON-RESP-REGIONS", "ANON-RESP-OWNER", "ANON-RESP-BASIC", "ANON-RESP-BASIC-DISABLED", "ANON-RESP-BASIC-RS232",
        "ANON-RESP-BASIC-ESPNOW",
    ])
    func `answers to strangers are sealed as the reference seals them`(id: String) throws {
        let vector = InfrastructureVectors.read(id, as: Answer.self)
        let fields = vector.fields
        let body =
            fields.names.map { [UInt8]($0.utf8) } ?? fields.features.map { [$0] }
            ?? [UInt8]("\(fields.nodeName ?? "")\n\(fields.ownerInfo ?? "")".utf8)
        let plaintext = ResponsePlaintext(tag: fields.tag, data: Peer.bytes(fields.serverClock) + body).written()
        #expect(plaintext.hex == vector.plaintext)

        let packet = Self.server.datagram(.response, plaintext, to: InfrastructureVectors.peer("carol").key)

        #expect(try PacketView(packet).payload.hex == vector.payload)
    }

    // MARK: Discovery

    private struct ControlVector: Decodable {
        let payload: String
        let raw: String
    }

    @Test(
        arguments: [
            ("DISCOVER-RESP-REPEATER-FULL", .repeater, false), ("DISCOVER-RESP-REPEATER-PREFIX", .repeater, true),
            ("DISCOVER-RESP-SENSOR-FULL", .sensor, false), ("DISCOVER-RESP-SENSOR-PREFIX", .sensor, true),
        ] as [(String, NodeType, Bool)])
    func `discovery is answered as the reference answers it`(id: String, type: NodeType, prefixOnly: Bool) throws {
        let vector = InfrastructureVectors.read(id, as: ControlVector.self)

        let response = DiscoverResponse(
            nodeType: type, snr: -30, tag: 0x0BAD_F00D, publicKey: Self.server.key, prefixOnly: prefixOnly)

        #expect(response.written().hex == vector.payload)
        #expect(Peer.routed(PacketFactory.control(response), .direct).hex == vector.raw)
    }

    // MARK: Adverts and scopes

    private struct Adverts: Decodable {
        struct Case: Decodable {
            let role: String
            let configuredName: String
            let latLonE6: [Int32]?
            let appData: String
            let payload: String
            let rawZeroHop: String
        }

        let cases: [Case]
    }

    @Test func `ADVERT-APPDATA adverts hold place and name as far as they fit`() throws {
        let types: [String: NodeType] = ["repeater": .repeater, "room_server": .room, "sensor": .sensor]
        for vector in InfrastructureVectors.read("ADVERT-APPDATA", as: Adverts.self).cases {
            let place = vector.latLonE6.map { AdvertData.Location(latitude: $0[0], longitude: $0[1]) }
            let data = AdvertData(
                type: try #require(types[vector.role]), location: place, name: ByteText(vector.configuredName))
            #expect(data.written().hex == vector.appData)

            let packet = PacketFactory.advert(of: Self.server.identity, timestamp: 1_767_226_200, data: data)

            #expect(packet?.payload.hex == vector.payload)
            #expect(Peer.routed(packet, .direct).hex == vector.rawZeroHop)
        }
    }

    private struct Codes: Decodable {
        struct Case: Decodable {
            let region: String
            let key: String
            let payload: String
            let code: UInt16
            let raw: String
            let rawMacValue: UInt16?
        }

        let cases: [Case]
    }

    @Test(.proves("INF-100", "INF-101")) func `names give keys with or without #, and no code is 0 or 0xFFFF`() throws {
        let cases = InfrastructureVectors.read("TRANSPORT-CODE", as: Codes.self).cases
        for vector in cases {
            let key = MeshHash.regionKey(name: [UInt8](vector.region.utf8))
            #expect(key.hex == vector.key)
            let payload = try #require([UInt8](hex: vector.payload))

            var packet = try #require(payload.withUnsafeBytes { PacketView(unrouted: .grpTxt, payload: $0) })
            packet.routeFlood(codes: TransportCodes(region: packet.transportCode(for: key)))

            #expect(packet.transportCodes == TransportCodes(region: vector.code))
            #expect(packet.bytes.hex == vector.raw)
        }
        #expect(cases.compactMap(\.rawMacValue) == [0, 0xFFFF])
    }
}
