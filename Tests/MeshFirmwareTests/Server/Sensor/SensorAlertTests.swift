import MeshCrypto
import MeshPacket
import MeshTestSupport
import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

/// Alerts of sensors whose battery runs low.
@Suite struct SensorAlertTests {
    private typealias Stage = ServerStage
    private let alice = ServerStage.alice
    private let bob = ServerStage.bob
    private let carol = ServerStage.carol

    private struct Vector: Decodable {
        let plaintext: String
        let payload: String
        let expectedAck: String
    }

    private func vector(_ id: String) -> Vector { InfrastructureVectors.read(id, as: Vector.self) }

    /// An alert as a client gets it.
    private struct Received: Equatable {
        let to: String
        let at: Int64
        let attempt: UInt8
        let words: String?
    }

    /// Makes a sensor with these clients and voltages of its battery.
    ///
    /// Each voltage counts from a second of the run on; it is 4.1 V at first.
    private func stage(_ clients: [Peer], _ voltages: [(second: Int64, millivolts: Double)]) -> Stage {
        let points = voltages.map { Course.Point(.start + .seconds($0.second), $0.millivolts) }
        var stage = Stage(.sensor) { $0.environment.battery = .voltage(.steps(first: 4100, then: points)) }
        for client in clients { stage.logIn(client) }
        return stage
    }

    /// Makes the next reading now, at this time of the clock.
    private func read(_ stage: inout Stage, at time: UInt32) {
        stage.setClock(time)
        stage.type("clock")
    }

    private func alerts(_ sent: [Sent]) -> [Received] {
        sent.compactMap { sent in
            for client in [alice, bob, carol]
            where sent.type == .txtMsg && sent.packet.payload.first == client.key[0] {
                guard let opened = sent.opened(by: client),
                    let text = try? opened.withUnsafeBytes({ try TextPlaintext(reading: $0) }), text.type == .plain
                else { continue }
                return Received(to: client.name, at: sent.at, attempt: text.head & 3, words: text.text.string)
            }
            return nil
        }
    }

    private let critical = "Battery is critical!"
    private let low = "Battery is low"

    @Test(.proves("INF-180")) func `a voltage below 3.4 V is critical, below 3.6 V low, at the next reading`() throws {
        for (millivolts, wanted) in [(3600.0, []), (3590, [low]), (3400, [low]), (3390, [critical, low])] {
            var stage = stage([alice], [(30, millivolts)])
            let reading = try #require((stage.bench as? Bench<SensorNode>)?.node.lastReading)
            #expect(stage.bench.core.unixTime < reading + 20)

            let sent = stage.run(milliseconds: 120_000)

            let words = alerts(sent).reduce(into: [String]()) { if $0.last != $1.words { $0.append($1.words ?? "") } }
            #expect(words == wanted, "\(millivolts) mV")
            guard let first = alerts(sent).first else { continue }
            let due = stage.bench.core.clock.instant(of: reading + 60).milliseconds
            #expect(first.at == due + 1 - (stage.bench.now.milliseconds - 120_000), "\(millivolts) mV")
        }
    }

    @Test(.proves("INF-181", "INF-182"))
    func `attempts follow each other after 8 s, client after client, those of low ones once`() {
        var stage = stage([alice, bob, carol], [(20, 3300)])
        // Bob wants to know of low ones only.
        #expect(stage.type("setperm \(bob.key.hex) 67") == "OK")
        stage.run(milliseconds: 20_000)
        read(&stage, at: Stage.clock + 500)

        let got = alerts(stage.run(milliseconds: 120_000))

        // A wait is over when more than 8000 ms have passed; another client, or another alert, takes a pass of 1 ms.
        let wait: Int64 = 8001
        var wanted = (0...3).map {
            Received(to: "alice", at: 1 + Int64($0) * wait, attempt: UInt8($0), words: critical)
        }
        wanted += (4...7).map {
            Received(to: "carol", at: 2 + Int64($0) * wait, attempt: UInt8($0 - 4), words: critical)
        }
        for (number, name) in ["alice", "bob", "carol"].enumerated() {
            wanted.append(Received(to: name, at: 3 + Int64(8 + number) * wait, attempt: 3, words: low))
        }
        #expect(got == wanted)
    }

    @Test(.proves("INF-181", "INF-182")) func `alerts are the recorded bytes, with one time stamp a client`() {
        var stage = stage([alice], [(20, 3300)])
        stage.run(milliseconds: 20_000)
        read(&stage, at: Stage.clock + 500)

        let sent = stage.run(milliseconds: 35_000)

        #expect(sent.count == 5)
        for (number, sent) in sent.prefix(4).enumerated() {
            #expect(sent.packet.payload.hex == vector("ALERT-HI-\(number)").payload)
            #expect(sent.route == .flood && sent.packet.transportCodes == nil)
        }

        // Low alone, at the same time of the clock.
        stage = self.stage([alice], [(20, 3550)])
        stage.run(milliseconds: 20_000)
        read(&stage, at: Stage.clock + 500)
        #expect(stage.run(milliseconds: 35_000).map { $0.packet.payload.hex } == [vector("ALERT-LO-3").payload])
    }

    @Test(.proves("INF-183"), arguments: [false, true])
    func `an acknowledgement moves on at once`(isMultipart: Bool) throws {
        var stage = stage([alice, carol], [(20, 3300)])
        stage.run(milliseconds: 20_000)
        read(&stage, at: Stage.clock + 500)
        let first = stage.run(milliseconds: 2000)
        #expect(first.map { $0.packet.payload.hex } == [vector("ALERT-HI-0").payload])
        let ack = try #require([UInt8](hex: vector("ALERT-HI-0").expectedAck))

        let frame = ack.withUnsafeBytes {
            isMultipart ? PacketFactory.multiAck(copying: $0, remaining: 1) : PacketFactory.ack(copying: $0)
        }
        let next = stage.hear(Peer.routed(frame, .direct), observing: 1000)

        #expect(alerts(next) == [Received(to: "carol", at: 1, attempt: 0, words: critical)])
    }

    @Test(.proves("INF-183"))
    func `what acknowledges another attempt counts too, what acknowledges nothing does not`() throws {
        var stage = stage([alice], [(20, 3300)])
        stage.run(milliseconds: 20_000)
        read(&stage, at: Stage.clock + 500)
        stage.run(milliseconds: 9000)

        stage.hear(Peer.ack(0x0102_0304), observing: 0)
        #expect((stage.bench as? Bench<SensorNode>)?.node.alerts.head?.alert == .batteryCritical)
        let ack = try #require([UInt8](hex: vector("ALERT-HI-0").expectedAck))
        let next = stage.hear(Peer.routed(ack.withUnsafeBytes { PacketFactory.ack(copying: $0) }, .direct))

        // Nobody else is there: the next alert begins two passes later.
        #expect(alerts(next).map(\.words) == [low])
    }

    @Test(.proves("INF-184"))
    func `an acknowledgement in a PATH stops nothing, but the next attempt goes along the path`() throws {
        var stage = stage([alice], [(20, 3300)])
        stage.run(milliseconds: 20_000)
        read(&stage, at: Stage.clock + 500)
        let first = try #require(stage.run(milliseconds: 2000).first)
        #expect(first.route == .flood)

        let ack = try #require([UInt8](hex: vector("ALERT-HI-0").expectedAck))
        let path = alice.pathReturn(PathLength(hashSize: 1, hops: 1), [0x77], extra: .ack, ack, to: Stage.key)
        let next = stage.hear(path, observing: 8000)

        #expect(alerts(next).map(\.attempt) == [1])
        #expect(next.first?.route == .direct)
        #expect(next.first?.packet.path == [0x77])
        #expect(next.first?.at == first.at + 8001 - 2000)
    }

    @Test(.proves("INF-185")) func `an alert comes again only after a reading without its reason`() {
        var stage = stage([alice], [(20, 3550), (700, 4100), (790, 3550)])

        let early = alerts(stage.run(milliseconds: 700_000))
        let late = alerts(stage.run(milliseconds: 300_000))

        #expect(early.map(\.words) == [low])
        #expect(late.map(\.words) == [low])
    }

    @Test(.proves("INF-185")) func `a reading without its reason ends an alert under way`() throws {
        var stage = stage([alice, carol], [(20, 3300), (30, 4100)])
        stage.run(milliseconds: 20_000)
        read(&stage, at: Stage.clock + 500)
        stage.run(milliseconds: 12_000)
        read(&stage, at: Stage.clock + 600)

        #expect(alerts(stage.run(milliseconds: 60_000)).isEmpty)
        #expect((stage.bench as? Bench<SensorNode>)?.node.alerts.head == nil)
    }

    @Test func `a client who is removed while an alert waits is passed over`() {
        var stage = stage([alice], [(20, 3300)])
        stage.run(milliseconds: 20_000)
        read(&stage, at: Stage.clock + 500)
        stage.run(milliseconds: 2000)

        #expect(stage.type("setperm \(alice.key.hex) 0") == "OK")

        #expect(stage.run(milliseconds: 60_000).isEmpty)
        #expect((stage.bench as? Bench<SensorNode>)?.node.alerts.head == nil)
    }
}
