import MeshCrypto
import MeshPacket
import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

/// Status answers, and how long a room waits for acknowledgements.
@Suite struct StatusVectorTests {
    private struct Status: Decodable {
        struct Field: Decodable {
            let name: String
            let value: Int64
        }

        let tag: UInt32
        let layout: [Field]
        let plaintext: String
        let body: String
        let payload: String

        func value<Number: FixedWidthInteger>(_ name: String) -> Number {
            Number(truncatingIfNeeded: layout.first { $0.name == name }?.value ?? 0)
        }

        var server: ServerStatus {
            var status = ServerStatus()
            status.batteryMillivolts = value("batt_milli_volts")
            status.queueLength = value("curr_tx_queue_len")
            status.noiseFloor = value("noise_floor")
            status.lastRSSI = value("last_rssi")
            status.packetsReceived = value("n_packets_recv")
            status.packetsSent = value("n_packets_sent")
            status.airtime = value("total_air_time_secs")
            status.uptime = value("total_up_time_secs")
            status.sentFlood = value("n_sent_flood")
            status.sentDirect = value("n_sent_direct")
            status.receivedFlood = value("n_recv_flood")
            status.receivedDirect = value("n_recv_direct")
            status.errorFlags = value("err_events")
            status.lastSNR = value("last_snr_x4")
            status.directDuplicates = value("n_direct_dups")
            status.floodDuplicates = value("n_flood_dups")
            return status
        }
    }

    private func check(_ body: [UInt8], _ vector: Status) throws {
        #expect(body.hex == vector.body)
        let plaintext = ResponsePlaintext(tag: vector.tag, data: body).written()
        #expect(plaintext.hex == vector.plaintext)
        let server = Peer("server", identity: InfrastructureVectors.server)
        let packet = try PacketView(server.datagram(.response, plaintext, to: ServerStage.alice.key))
        #expect(packet.payload.hex == vector.payload)
    }

    @Test func `STATUS-RESP-REPEATER a repeater's status has 56 bytes`() throws {
        let vector = InfrastructureVectors.read("STATUS-RESP-REPEATER", as: Status.self)
        var status = RepeaterStatus()
        status.server = vector.server
        status.receiveAirtime = vector.value(vector.layout[16].name)
        status.receiveErrors = vector.value(vector.layout[17].name)

        try check(status.written(), vector)
        #expect(status.written().count == 56)
    }

    @Test func `STATUS-RESP-ROOM a room's status has 52 bytes`() throws {
        let vector = InfrastructureVectors.read("STATUS-RESP-ROOM", as: Status.self)
        var status = RoomStatus()
        status.server = vector.server
        status.posts = vector.value(vector.layout[16].name)
        status.pushes = vector.value(vector.layout[17].name)

        try check(status.written(), vector)
        #expect(status.written().count == 52)
    }

    private struct Timeouts: Decodable {
        struct Row: Decodable {
            let hops: Int?
            let timeoutMs: Int64
        }

        let table: [Row]
    }

    @Test func `ROOM-TIMEOUT a push is given up by the length of its way`() throws {
        for row in InfrastructureVectors.read("ROOM-TIMEOUT", as: Timeouts.self).table {
            var stage = ServerStage(.roomServer)
            #expect(stage.logIn(ServerStage.bob, "hello") != nil)
            if let hops = row.hops { stage.teach(ServerStage.bob, [UInt8](repeating: 0x77, count: hops)) }
            #expect(stage.type("room.post Maintenance tonight") == "OK")

            stage.run(milliseconds: 10_000)

            let push = try #require(stage.bench.sent.last)
            let deadline = Int64(stage.server.clients[0].ackTimeout.count)
            // The node's clock has counted its setup, too. The packet leaves in the pass after the one that queues it.
            let setup = stage.board.serverSetup.milliseconds
            #expect((0...2).contains(setup + push.at + row.timeoutMs - deadline), "\(row)")
        }
    }
}
