import MeshCompanion
import MeshCrypto
import MeshTestSupport
import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

/// A companion radio with apps at several interfaces: who gets which frame, and what they share.
@Suite struct SeveralInterfacesTests {
    private static let logged = PushCode.logRxData.rawValue

    /// Two links of whole frames without a pace, each with an app.
    private static func pair(_ links: [AppInterface] = [.frames, .frames]) -> CompanionBench {
        var bench = CompanionBench(interface: .several(SeveralInterfaces(links)))
        for number in links.indices { bench.pass(NodeInput.appConnected.of(number)) }
        return bench
    }

    /// The same, with a set clock, and with Bob and Rep among the contacts.
    private static func acquainted() -> CompanionBench {
        var bench = pair()
        bench.send(SetDeviceTime(epoch: CompanionBench.epoch))
        bench.send(DeviceQuery(appTargetVersion: 3))
        for peer in [Peer.bob, .rep] { bench.add(peer) }
        forget(&bench)
        return bench
    }

    private static func forget(_ bench: inout CompanionBench) {
        _ = bench.takeFrames()
        _ = bench.takeFrames(at: 1)
    }

    /// What both apps have received since the last look, the log of receptions left out.
    private static func received(_ bench: inout CompanionBench) -> [[[UInt8]]] {
        [bench.takeFrames(), bench.takeFrames(at: 1)].map { $0.filter { $0.first != logged } }
    }

    // MARK: Who gets what

    @Test func `a response goes to the apps at all interfaces, whoever has asked`() {
        var bench = Self.pair()
        bench.send(GetAutoaddConfig())
        #expect(Self.received(&bench).map { $0.map { $0[0] } } == [[25], [25]])

        bench.pass(.atInterface(1, .appBytes(GetDeviceTime().encoded())))

        let both = Self.received(&bench)
        #expect(both[0].map(\.first) == [9])
        #expect(both[0] == both[1])
    }

    @Test func `a refusal goes to all of them as well`() {
        var bench = Self.pair()

        bench.pass(.atInterface(1, .appBytes([0xF0])))

        #expect(Self.received(&bench) == [[[1, 1]], [[1, 1]]])
    }

    @Test func `each push is made once and goes to all apps`() {
        var bench = Self.acquainted()

        bench.hear(Peer.bob.text("hi", at: 100, to: bench.key))

        #expect(bench.takeFrames().map(\.first) == [Self.logged, 0x83])
        #expect(bench.takeFrames(at: 1).map(\.first) == [Self.logged, 0x83])
    }

    @Test func `a message that one app fetches goes to both, and is gone from the queue`() {
        var bench = Self.acquainted()
        bench.hear(Peer.bob.text("one", at: 100, to: bench.key))
        bench.hear(Peer.bob.text("two", at: 101, to: bench.key))
        Self.forget(&bench)

        bench.pass(.atInterface(1, .appBytes(SyncNextMessage().encoded())))
        let first = Self.received(&bench)
        bench.send(SyncNextMessage())
        let second = Self.received(&bench)
        bench.send(SyncNextMessage())

        #expect(first[0].map { $0.suffix(3) } == [ArraySlice("one".utf8)])
        #expect(first[0] == first[1])
        #expect(second[0].map { $0.suffix(3) } == [ArraySlice("two".utf8)])
        #expect(second[0] == second[1])
        #expect(Self.received(&bench) == [[[10]], [[10]]])
    }

    @Test func `an app that is not there receives nothing, and pushes are made for the other one`() {
        var bench = Self.acquainted()
        bench.pass(.atInterface(1, .appDisconnected))

        bench.hear(Peer.bob.text("hi", at: 100, to: bench.key))
        #expect(Self.received(&bench) == [[[0x83]], []])
        bench.disconnect()
        bench.hear(Peer.bob.text("again", at: 101, to: bench.key))
        bench.pass(.atInterface(1, .appConnected))

        #expect(Self.received(&bench) == [[], []])
        #expect(bench.radio.offlineQueue.count == 2)
    }

    // MARK: What they share

    @Test func `the layout of messages follows the app that asked for the device last`() {
        var bench = Self.acquainted()

        bench.pass(.atInterface(1, .appBytes(DeviceQuery(appTargetVersion: 1).encoded())))
        bench.hear(Peer.bob.text("old", at: 100, to: bench.key))
        Self.forget(&bench)
        bench.send(SyncNextMessage())

        #expect(Self.received(&bench).map { $0.map { $0[0] } } == [[7], [7]])
    }

    @Test func `during a listing a second one is refused, and each contact goes to both apps`() {
        var bench = Self.acquainted()
        bench.send(GetContacts())
        #expect(Self.received(&bench).map { $0.map { $0[0] } } == [[2], [2]])

        bench.pass(.atInterface(1, .appBytes(GetContacts().encoded())))
        #expect(Self.received(&bench) == [[[1, 4]], [[1, 4]]])
        bench.wait(milliseconds: 100)

        #expect(Self.received(&bench).map { $0.map { $0[0] } } == [[3, 3, 4], [3, 3, 4]])
    }

    @Test func `an app that introduces itself ends the listing of the other one`() {
        var bench = Self.acquainted()
        bench.send(GetContacts())
        Self.forget(&bench)

        bench.pass(.atInterface(1, .appBytes(AppStart().encoded())))
        bench.wait(milliseconds: 100)

        #expect(Self.received(&bench).map { $0.map { $0[0] } } == [[5], [5]])
    }

    @Test func `an app that leaves takes nothing with it: the listing of the other one goes on`() {
        var bench = Self.acquainted()
        bench.pass(.atInterface(1, .appBytes(GetContacts().encoded())))
        Self.forget(&bench)

        bench.pass(.atInterface(1, .appDisconnected))
        bench.wait(milliseconds: 100)

        #expect(Self.received(&bench).map { $0.map { $0[0] } } == [[3, 3, 4], []])
    }

    @Test func `data to be signed is collected in one buffer, which the beginning of either app empties`() throws {
        var bench = Self.acquainted()
        bench.send(SignStart())
        bench.send([0x22] + Array("from one ".utf8))
        bench.pass(.atInterface(1, .appBytes([0x22] + Array("and the other".utf8))))
        Self.forget(&bench)
        bench.send(SignFinish())
        let signature = try #require(Self.received(&bench)[1].first).dropFirst()

        #expect(
            Ed25519.verify(Signature(signature), of: Array("from one and the other".utf8), by: bench.key))

        bench.send(SignStart())
        bench.send([0x22] + Array("from one ".utf8))
        bench.pass(.atInterface(1, .appBytes(SignStart().encoded())))
        bench.pass(.atInterface(1, .appBytes([0x22] + Array("the other".utf8))))
        bench.send(SignFinish())
        Self.forget(&bench)
        bench.pass(.atInterface(1, .appBytes(SignFinish().encoded())))

        #expect(Self.received(&bench) == [[[1, 4]], [[1, 4]]])
    }

    // MARK: Turns

    @Test func `commands are executed one a pass: Bluetooth first, then Wi-Fi, USB and Ethernet`() {
        let links: [AppInterface] = [.ethernet(sendQueue: 4), .serial, .wifi(sendQueue: 4), .frames]
        var interface = AppInterface.several(SeveralInterfaces(links))
        for number in links.indices { _ = interface.change(number) { $0.clientArrived() } }
        for number in links.indices {
            let frame = [UInt8(number)]
            let bytes = number == 3 ? frame : StreamFraming.encode(toRadio: frame)
            _ = interface.change(number) { $0.receive(bytes) }
        }

        var effects: [NodeEffect] = []
        let frames = (0..<5).map { _ in interface.poll(at: .start, into: &effects) }

        #expect(frames == [[3], [2], [1], [0], nil])
    }

    @Test func `a link behind one that has a frame sends nothing in that pass`() {
        var interface = AppInterface.several(SeveralInterfaces([.frames, .wifi(sendQueue: 4)]))
        for number in 0...1 { _ = interface.change(number) { $0.clientArrived() } }
        var effects: [NodeEffect] = []
        interface.write([9], into: &effects)
        #expect(effects.count == 1)

        _ = interface.change(0) { $0.receive([5]) }
        #expect(interface.poll(at: .start, into: &effects) == [5])
        #expect(effects.count == 1)
        #expect(interface.poll(at: .start, into: &effects) == nil)

        #expect(effects.count == 2)
    }

    @Test func `a link whose queue is full loses the frame alone`() {
        var bench = Self.pair([.frames, .bluetooth(.esp32)])
        for _ in 1...7 { bench.send(GetAutoaddConfig()) }

        bench.wait(milliseconds: 1000)

        let both = Self.received(&bench)
        #expect(both[0].count == 7)
        // Four wait, as the link is not polled while the first one has commands, and three find no room.
        #expect(both[1].count == 4)
    }

    @Test func `a fast app that empties the queue takes messages from a slow one`() {
        var bench = Self.pair([.frames, .bluetooth(.esp32)])
        bench.send(SetDeviceTime(epoch: CompanionBench.epoch))
        bench.send(DeviceQuery(appTargetVersion: 3))
        bench.add(.bob)
        for number in 1...9 { bench.hear(Peer.bob.text("\(number)", at: 100 + UInt32(number), to: bench.key)) }
        bench.wait(milliseconds: 1000)
        Self.forget(&bench)

        for _ in 1...9 { bench.send(SyncNextMessage()) }
        bench.wait(milliseconds: 1000)

        let both = Self.received(&bench)
        #expect(both[0].map { $0[0] } == [UInt8](repeating: ResponseCode.contactMsgRecvV3.rawValue, count: 9))
        #expect(both[1] == Array(both[0].prefix(4)))
        #expect(bench.radio.offlineQueue.isEmpty)
    }

    @Test func `a listing waits for the slowest link, so that no contact is lost there`() {
        var bench = Self.pair([.frames, .bluetooth(.esp32)])
        for peer in [Peer.bob, .rep, .room, .eve] { bench.add(peer) }
        bench.wait(milliseconds: 1000)
        Self.forget(&bench)

        bench.send(GetContacts())
        bench.wait(milliseconds: 30)
        #expect(bench.toApp.count < 6)
        bench.wait(milliseconds: 1000)

        #expect(Self.received(&bench).map { $0.map { $0[0] } } == [[2, 3, 3, 3, 3, 4], [2, 3, 3, 3, 3, 4]])
    }

    @Test func `USB counts as an app that is there, so pushes are made for nobody else`() {
        var bench = CompanionBench(interface: .several(SeveralInterfaces([.bluetooth(.nrf52), .serial])))
        #expect(bench.radio.isConnected)

        bench.hear(Peer.eve.advert(CompanionBench.epoch))
        bench.wait(milliseconds: 100)

        #expect(bench.takeFrames().isEmpty)
        #expect(!bench.takeFrames(at: 1).isEmpty)
    }

    // MARK: Ends

    @Test func `a factory reset silences all interfaces, and hangs up on Bluetooth alone`() {
        var bench = CompanionBench(interface: .several(SeveralInterfaces([.wifi(sendQueue: 4), .bluetooth(.nrf52)])))
        bench.connect()
        bench.pass(.atInterface(1, .appConnected))

        bench.pass(.atInterface(1, .appBytes(FactoryReset().encoded())))
        bench.wait(milliseconds: 500)

        #expect(bench.takeFrames().isEmpty && bench.takeFrames(at: 1).isEmpty)
        #expect(!bench.isClosed && bench.closedFurther == [1])
        bench.wait(milliseconds: 1000)
        #expect(bench.isClosed && bench.rebootCount == 1)
    }

    @Test func `a newer client on TCP takes the place of that interface's client alone`() {
        var bench = Self.pair([.frames, .wifi(sendQueue: 4)])
        var replaced: [NodeEffect] = []
        bench.withRadio { radio in
            radio.handle(.atInterface(1, .appConnected), at: .start, radio: RadioStatus(), into: &replaced)
        }

        let numbers = replaced.compactMap {
            if case .atInterface(let number, .appReplaced) = $0 { number } else { nil }
        }
        #expect(numbers == [1])
        #expect(bench.replacedCount == 0)
    }

    @Test func `a build has four interfaces at most, and a number without a link is nobody's`() {
        var bench = CompanionBench(
            interface: .several(SeveralInterfaces([AppInterface](repeating: .frames, count: 6))))

        bench.pass(.atInterface(5, .appBytes(GetAutoaddConfig().encoded())))
        #expect(bench.takeFrames().isEmpty)
        bench.pass(.atInterface(3, .appBytes(GetAutoaddConfig().encoded())))

        #expect(bench.takeFrames().count == 1)
        #expect((1...5).map { bench.takeFrames(at: $0).count } == [1, 1, 1, 0, 0])
        #expect(bench.radio.interface.window(at: 5) == 0)
    }
}

extension NodeInput {
    fileprivate func of(_ interface: Int) -> NodeInput {
        interface == 0 ? self : .atInterface(UInt8(interface), self)
    }
}
