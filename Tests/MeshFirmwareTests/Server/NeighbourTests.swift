import MeshCrypto
import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

@testable import MeshFirmware

/// The repeaters that a repeater receives itself, and its reports of them.
@Suite struct NeighbourTests {
    private let alice = ServerStage.alice

    private func neighbour(_ number: UInt8) -> Peer { Peer("n\(number)", type: .repeater, seed: number) }

    /// A repeater that alice administrates, and that has heard its neighbours so many seconds apart.
    private func stage(hearing snrs: [Double], secondsApart: UInt32 = 10) -> ServerStage {
        var stage = ServerStage(.repeater) { $0.preferences.isForwardingDisabled = true }
        for (index, snr) in snrs.enumerated() {
            stage.setClock(ServerStage.clock + secondsApart * UInt32(index))
            stage.hear(neighbour(100 + UInt8(index)).advert(1000, .flood), snr: snr, observing: 10)
        }
        #expect(stage.logIn(alice) != nil)
        return stage
    }

    private func request(
        version: UInt8 = 0, count: UInt8 = 255, offset: UInt16 = 0, order: UInt8 = 0, prefix: UInt8 = 4
    ) -> [UInt8] {
        var request = NeighboursRequest()
        request.version = version
        request.count = count
        request.offset = offset
        request.order = NeighboursRequest.Order(rawValue: order)
        request.prefixLength = prefix
        return request.written()
    }

    private func answer(_ stage: inout ServerStage, _ request: [UInt8]) throws -> NeighboursAnswer {
        let answer = stage.answer(alice, .getNeighbours, request)
        return try #require(answer).withUnsafeBytes { try NeighboursAnswer(reading: $0) }
    }

    /// First bytes of the keys in an answer with entries of this size.
    private func keys(_ answer: NeighboursAnswer, entry size: Int) -> [UInt8] {
        (0..<Int(answer.count)).map { answer.entries[$0 * size] }
    }

    @Test(.proves("INF-138")) func `a repeater heard directly is entered with its SNR in quarters`() {
        var stage = ServerStage(.repeater)

        stage.hear(neighbour(100).advert(1_700_000_000, .flood), snr: -7.25, observing: 9000)
        stage.hear(neighbour(101).advert(1_700_000_000, .direct), snr: 5)

        #expect(stage.type("neighbors").hasSuffix(":-29"))
        let text = stage.type("neighbors").split(separator: "\n")
        #expect(text.count == 2)
        #expect(text.last?.hasPrefix(neighbour(100).key.prefix(4).map { [$0].hex.uppercased() }.joined()) == true)
    }

    @Test(.proves("INF-139")) func `other types, adverts with hops and shared ones are not entered`() throws {
        var stage = ServerStage(.repeater)
        let shared = try #require(try? PacketView(neighbour(100).advert(1, .direct)))
        var codes = shared
        codes.routeZeroHop(codes: TransportCodes(region: 0))

        stage.hear(Peer("room", type: .room, seed: 102).advert(1))
        stage.hear(neighbour(103).advert(1, .flood([0x11])))
        stage.hear(codes.bytes)

        #expect(stage.type("neighbors") == "-none-")
        stage.hear(neighbour(100).advert(2, .direct))
        #expect(stage.type("neighbors") != "-none-")
    }

    @Test(.proves("INF-140")) func `a full table gives the place of whoever was not heard for longest`() throws {
        var stage = stage(hearing: [Double](repeating: 5, count: 50), secondsApart: 1)
        stage.setClock(ServerStage.clock + 60)
        stage.hear(neighbour(100).advert(2000), observing: 10)
        stage.setClock(ServerStage.clock + 61)

        stage.hear(neighbour(150).advert(1000), observing: 10)

        let answer = try answer(&stage, request(count: 1, order: 1, prefix: 32))
        #expect(answer.total == 50)
        #expect(answer.entries.prefix(32).elementsEqual(neighbour(102).key.array))
        let newest = try self.answer(&stage, request(count: 2, prefix: 32))
        #expect(newest.entries.prefix(32).elementsEqual(neighbour(150).key.array))
        #expect(newest.entries.dropFirst(37).prefix(32).elementsEqual(neighbour(100).key.array))
    }

    private struct Text: Decodable {
        struct Case: Decodable {
            let text: String
        }

        let cases: [Case]
    }

    @Test(.proves("INF-141")) func `neighbours are listed newest first`() {
        let cases = InfrastructureVectors.read("NEIGH-TEXT", as: Text.self).cases
        var table = NeighbourTable()
        #expect(String(decoding: table.text(at: 100), as: UTF8.self) == cases[1].text)

        table.note(
            FixedBytes([0x03, 0x97, 0xDB, 0xAE] + [UInt8](repeating: 0, count: 28)), advert: 1, heard: 86, snr: -8)
        table.note(
            FixedBytes([0x1F, 0xC1, 0x07, 0x6F] + [UInt8](repeating: 0, count: 28)), advert: 1, heard: 93, snr: 12)

        #expect(String(decoding: table.text(at: 100), as: UTF8.self) == cases[0].text)
        for index in 1...50 as ClosedRange<UInt8> {
            table.note(FixedBytes([UInt8](repeating: index, count: 32)), advert: 1, heard: 100, snr: 0)
        }
        let lines = table.text(at: 100).split(separator: UInt8(ascii: "\n"))
        // Twelve characters a line and one between: the last begins with 129 used.
        #expect(lines.count == 11)
    }

    @Test(.proves("INF-142")) func `removing without a key clears the table, and a space is no key`() {
        var stage = stage(hearing: [1, 2, 3])
        let first = neighbour(100).key.hex

        #expect(stage.type("neighbor.remove \(first.prefix(8))") == "OK")
        #expect(stage.type("neighbors").split(separator: "\n").count == 2)
        #expect(stage.type("neighbor.remove  ") == "ERR: bad pubkey")
        #expect(stage.type("neighbors").split(separator: "\n").count == 2)
        #expect(stage.type("neighbor.remove ") == "OK")
        #expect(stage.type("neighbors") == "-none-")
    }

    @Test(.proves("INF-088")) func `a version other than 0 is met with silence`() {
        var stage = stage(hearing: [1])

        #expect(stage.answer(alice, .getNeighbours, request(version: 1)) == nil)
        #expect(stage.answer(alice, .getNeighbours, request()) != nil)
    }

    @Test(.proves("INF-089")) func `neighbours are sorted by age or strength`() throws {
        var stage = stage(hearing: [-3, 8, 2])
        let keys = (0..<3).map { neighbour(100 + UInt8($0)).key[0] }

        let orders = try (0...3 as ClosedRange<UInt8>).map { order in
            self.keys(try answer(&stage, request(order: order, prefix: 1)), entry: 6)
        }

        #expect(orders[0] == [keys[2], keys[1], keys[0]])
        #expect(orders[1] == keys)
        #expect(orders[2] == [keys[1], keys[2], keys[0]])
        #expect(orders[3] == [keys[0], keys[2], keys[1]])
        #expect(self.keys(try answer(&stage, request(order: 9, prefix: 1)), entry: 6).sorted() == keys.sorted())
    }

    private struct Capacity: Decodable {
        struct Row: Decodable {
            let prefixLength: UInt8
            let entrySize: Int
            let maxEntries: UInt16
        }

        let table: [Row]
    }

    @Test(.proves("INF-090", "INF-091"))
    func `as many neighbours are returned as 130 bytes, count and offset allow`() throws {
        var stage = stage(hearing: [Double](repeating: 1, count: 30))

        for row in InfrastructureVectors.read("NEIGH-CAPACITY", as: Capacity.self).table {
            let answer = try answer(&stage, request(prefix: row.prefixLength))
            #expect(answer.total == 30 && answer.count == min(30, row.maxEntries), "\(row)")
        }
        #expect(try answer(&stage, request(prefix: 40)).count == 3)
        #expect(try answer(&stage, request(count: 5, prefix: 4)).count == 5)
        #expect(try answer(&stage, request(offset: 28, prefix: 4)).count == 2)
        let beyond = try answer(&stage, request(offset: 300, prefix: 4))
        #expect(beyond.total == 30 && beyond.count == 0)
    }

    @Test(.proves("INF-090")) func `of 14 neighbours, eight bytes of ten fit and four bytes of all`() throws {
        var stage = stage(hearing: [Double](repeating: 1, count: 14))

        #expect(try answer(&stage, request(prefix: 8)).count == 10)
        #expect(try answer(&stage, request(prefix: 4)).count == 14)
    }

    private struct Answers: Decodable {
        struct Fields: Decodable {
            struct Entry: Decodable {
                let prefix: String
                let secondsAgo: UInt32
                let snrX4: Int8
            }

            let total: UInt16
            let returned: UInt16
            let entries: [Entry]
        }

        let tag: UInt32
        let prefixLength: Int
        let fields: Fields
        let plaintext: String
        let payload: String
    }

    @Test(arguments: ["NEIGH-RESP-PK4", "NEIGH-RESP-PK6", "NEIGH-RESP-PK8"])
    func `answers hold totals, and key, age and SNR of each`(id: String) throws {
        let vector = InfrastructureVectors.read(id, as: Answers.self)
        var answer = NeighboursAnswer()
        answer.total = vector.fields.total
        for entry in vector.fields.entries {
            let key = try #require([UInt8](hex: entry.prefix)) + [UInt8](repeating: 0xEE, count: 32)
            answer.append(
                FixedBytes(key.prefix(32)), prefix: vector.prefixLength, secondsAgo: entry.secondsAgo, snr: entry.snrX4)
        }
        #expect(answer.count == vector.fields.returned)

        let plaintext = ResponsePlaintext(tag: vector.tag, data: answer.written()).written()

        #expect(plaintext.hex == vector.plaintext)
        let server = Peer("server", identity: InfrastructureVectors.server)
        let packet = try PacketView(server.datagram(.response, plaintext, to: alice.key))
        #expect(packet.payload.hex == vector.payload)
    }
}
