import MeshCrypto
import MeshPacket
import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

/// A room makes passes only for looks that may find something.
///
/// The firmware looks every 151 ms, and the results of both are the same.
@Suite struct PushRhythmTests {
    /// The same room twice: passes when it asks for them, and a pass every millisecond as the firmware's loop has it.
    private struct Twins {
        private(set) var lazy: Bench<RoomServer>
        private(set) var naive: Bench<RoomServer>
        private var random: RandomStream
        private var stamp: UInt32 = ServerStage.clock
        private let peers = [ServerStage.alice, ServerStage.bob, ServerStage.carol]

        init(seed: UInt64) {
            var setup = ServerSetup(.roomServer, board: .vectors)
            setup.silenceAdverts()
            setup.preferences.guestPassword = "hello"
            let room = RoomServer(
                identity: InfrastructureVectors.server, board: .vectors, setup: setup,
                random: Seed(seed).stream("room"),
                clock: RealTimeClock(unixSeconds: ServerStage.clock, at: .start))
            (lazy, naive) = (Bench(room), Bench(room))
            random = Seed(seed).stream("history")
            handle(.woke)
        }

        private mutating func handle(_ input: NodeInput) {
            lazy.handle(input)
            naive.handle(input)
        }

        private mutating func hear(_ frame: [UInt8]) {
            handle(.heard(RadioFrame(frame), Signal(snrHundredths: 500, rssiHundredths: -9000)))
        }

        mutating func run(milliseconds: Int) {
            lazy.run(.milliseconds(milliseconds))
            for _ in 0..<milliseconds {
                naive.run(.milliseconds(1))
                naive.handle()
            }
        }

        /// Something that changes who is owed what.
        mutating func act() {
            let peer = peers[Int(random.draw(0, UInt32(peers.count)))]
            let key = ServerStage.key
            stamp += 1
            switch random.draw(0, 12) {
            case 0, 1:
                let since = random.draw(0, 2) == 0 ? 0 : ServerStage.clock + random.draw(0, 90)
                let login = RoomLoginPlaintext(timestamp: stamp, syncSince: since, password: "hello")
                hear(peer.anonymous(login.written(), to: key, .flood))
            case 2, 3: hear(peer.text("post \(stamp)", at: stamp, to: key))
            case 4: handle(.appBytes([UInt8]("room.post news \(stamp)\r".utf8)))
            case 5, 6, 7:
                let waiting = lazy.node.server.clients.clients.filter { $0.pendingAck != 0 }
                guard let client = waiting.first else { return }
                hear(Peer.ack(client.pendingAck))
            case 8: hear(peer.pathReturn(PathLength(hashSize: 1, hops: 1), [0x77], to: key))
            case 9:
                let read = RequestPlaintext(keepAlive: stamp, syncSince: ServerStage.clock + random.draw(0, 60))
                hear(peer.datagram(.req, read.written(), to: key))
            case 10:
                let change = Int64(random.draw(0, 40)) - 15
                let time = UInt32(truncatingIfNeeded: Int64(lazy.node.core.unixTime) + change)
                lazy.setClock(time)
                naive.setClock(time)
                handle(.woke)
            default:
                let permissions = random.draw(0, 2) == 0 ? "0" : "2"
                handle(.appBytes([UInt8]("setperm \(peer.key.hex) \(permissions)\r".utf8)))
            }
        }

        mutating func pause() { run(milliseconds: Int(random.draw(1, 3500))) }

        /// The first difference of the two; `nil` where there is none.
        var difference: String? {
            let (a, b) = (lazy.sent, naive.sent)
            // A push is transmitted in the pass after the look, which with a pass every millisecond may be the same
            // one.
            if let place = (0..<max(a.count, b.count)).first(where: {
                $0 >= a.count || $0 >= b.count || a[$0].frame != b[$0].frame || abs(a[$0].at - b[$0].at) > 1
            }) {
                return "transmission \(place): \(place < a.count ? "\(a[place])" : "none"), in the firmware's rhythm "
                    + (place < b.count ? "\(b[place])" : "none")
            }
            if lazy.node.posts != naive.node.posts { return "posts" }
            if lazy.node.pushCount != naive.node.pushCount { return "count of pushes" }
            return nil
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `a room that sleeps through looks in vain does what one does that makes them all`(seed: UInt64) {
        var twins = Twins(seed: seed)

        for step in 1...40 {
            twins.act()
            twins.pause()
            if let difference = twins.difference {
                Issue.record("seed \(seed), step \(step): \(difference)")
                return
            }
        }

        #expect(twins.lazy.node.pushCount > 1, "seed \(seed) shows too little")
    }

    @Test func `a post of the far future makes no room restless`() {
        var stage = ServerStage.room([ServerStage.bob])
        stage.setClock(4_000_000_000)
        stage.type("room.post from the future")
        stage.setClock(ServerStage.clock)
        stage.type("clock")

        #expect(stage.pushes(to: ServerStage.bob, milliseconds: 3_600_000).isEmpty)
    }
}
