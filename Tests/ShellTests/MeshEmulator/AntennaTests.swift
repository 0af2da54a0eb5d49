import MeshCompanion
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshTransports
import MeshWire
import MeshWorlds
import Testing

@testable import MeshEmulator

/// A radio of one mesh in the place of a node of another one; both are worlds here, and time is theirs.
@Suite struct AntennaTests {
    // MARK: Two meshes

    @Test func `a message and its acknowledgement pass the antenna both ways`() throws {
        var airs = TwoAirs()
        airs.run(until: .seconds(30))

        for isFromWorld in [true, false] {
            let text = isFromWorld ? "to the hill" : "to the town"
            // Floods may meet on the way and be lost, as with real nodes.
            let tries = (0..<8).first { attempt in
                airs.say(text, fromWorld: isFromWorld, attempt: UInt8(attempt))
                return airs.runUntilConfirmed(fromWorld: isFromWorld, atMost: .seconds(30))
            }

            #expect(tries != nil, "no acknowledgement of \(text)")
            #expect(airs.texts(inWorld: !isFromWorld).contains(text))
        }
        #expect(airs.desk.sent > 0 && airs.desk.heard > 0)
        #expect(airs.desk.refused == 0 && airs.desk.sentLost == 0 && airs.desk.heardLost == 0)
    }

    @Test func `the same two meshes take the same course again`() {
        var digests: Set<[Digest]> = []
        for _ in 0..<2 {
            var airs = TwoAirs()
            airs.say("again", fromWorld: true, attempt: 0)
            airs.run(until: .seconds(60))
            digests.insert([airs.world.digest, airs.real.digest])
        }

        #expect(digests.count == 1)
    }

    // MARK: The place of a node

    /// Alice's place, and bob beside it.
    private func place() -> World {
        var description = WorldDescription.desk
        description.nodes[0].role = .guest { _ in AntennaNode(address: "here") }
        return World(description, seed: Seed(7))
    }

    @Test func `a packet waits while the air is busy, and the next one stays outside`() {
        var world = place()
        let (alice, bob) = (NodeID(index: 0), NodeID(index: 1))
        #expect(world.appWindow(of: alice) == 255)
        world.inject(.appConnected, into: bob)
        world.inject(.appBytes(StreamFraming.encode(toRadio: SendSelfAdvert(type: 1).encoded())), into: bob)
        while world.framesSent(by: bob) == 0 { world.run(until: world.now + .milliseconds(1)) }
        world.run(until: world.now + .milliseconds(60))

        world.inject(.appBytes([0x11, 0, 1, 2]), into: alice)

        #expect(world.framesSent(by: alice) == 0 && world.appWindow(of: alice) == 0)
        world.run(until: world.now + .seconds(5))
        #expect(world.framesSent(by: alice) == 1 && world.appWindow(of: alice) == 255)
        let heard = world.takeOutputs().count { output in
            if case .appBytes = output.kind { output.node == alice } else { false }
        }
        #expect(heard == 1, "bob's advert is for the radio")
    }

    // MARK: The desk

    @Test func `what was passed one way does not come back the other way`() {
        var desk = AntennaDesk()

        let leaves = desk.leaves([1, 2], at: .zero)
        let isEchoHeard = desk.hears([1, 2], snr: 0, at: .seconds(60))
        let isCopyHeard = desk.hears([1, 2, 3], snr: 0, at: .seconds(1))
        let isLateHeard = desk.hears([1, 2], snr: 0, at: .seconds(61))
        let next = desk.nextIncoming(at: .seconds(62))
        let comesBack = desk.leaves([1, 2, 3], at: .seconds(63))

        #expect(leaves != nil && !isEchoHeard)
        #expect(isCopyHeard, "a repeater's copy has another path")
        #expect(isLateHeard, "nothing is remembered for ever")
        #expect(next == [1, 2, 3] && comesBack == nil)
        #expect(desk.echoes == 2)
    }

    @Test func `queues are bounded, and what does not fit is counted`() {
        var desk = AntennaDesk()
        for number in 0..<20 as Range<UInt8> {
            desk.hears([0, number], snr: 0, at: .zero)
            _ = desk.leaves([1, number], at: .zero)
        }
        _ = desk.leaves([UInt8](repeating: 0, count: 175), at: .zero)

        #expect(desk.heardLost == 4 && desk.sentLost == 4 && desk.tooLong == 1)
    }

    @Test func `delays and losses are told at the end`() throws {
        var desk = AntennaDesk()
        desk.hears([1], snr: -30, at: .zero)
        desk.hears([2], snr: 29, at: .milliseconds(10))
        _ = desk.nextIncoming(at: .milliseconds(20))
        _ = desk.nextIncoming(at: .milliseconds(30))
        let first = desk.leaves([3], at: .milliseconds(30))
        desk.answered(try #require(first), isTaken: true, airtimeMilliseconds: 400, at: .microseconds(32_500))
        let second = desk.leaves([4], at: .milliseconds(40))
        desk.answered(try #require(second), isTaken: false, airtimeMilliseconds: 400, at: .milliseconds(50))

        #expect(
            desk.summary == [
                "heard 2 packets, SNR -7.50 to 7.25 dB; 2 went on the world's air, waiting 20.0 ms on average, 20.0 ms at "
                    + "most; 0 dropped, 0 echoes in both directions not passed on",
                "the radio took 1 packets, waiting 2.5 ms on average, 2.5 ms at most for its answer; 400 ms of airtime, "
                    + "during which it was deaf; 0 dropped, 1 refused, 0 longer than 174 bytes",
            ])
    }

    // MARK: Words

    @Test(arguments: [
        ("alice=serial:/dev/ttyUSB0", "alice=serial:/dev/ttyUSB0"),
        ("bob=tcp://radio.local", "bob=tcp://radio.local:5000"),
    ])
    func `an antenna is read and written`(text: String, written: String) throws {
        #expect(try AntennaPlace(text).description == written)
    }

    @Test(arguments: ["alice", "=tcp://radio", "alice=", "alice=pty:./x", "alice=modem:tcp://radio"])
    func `what is no antenna is refused`(text: String) {
        #expect(throws: LinkError.self) { try AntennaPlace(text) }
    }
}

/// A mesh on our side and one on the other; the companion radio of the second is the antenna of the first.
private struct TwoAirs {
    /// Looks this often what has passed, as a link between two processes would.
    private static let look = TimeSpan.milliseconds(5)
    private static let alice = NodeID(index: 0)
    private static let bob = NodeID(index: 2)

    var world: World
    var real: World
    var desk = AntennaDesk()
    private var ours = MeshApp()
    private var theirs = MeshApp()
    private var receiver = ClientReceiver()
    private var asked: [AntennaDesk.Outgoing] = []
    private var received: [Bool: [String]] = [:]
    private var confirmations: [Bool: Int] = [:]

    init() {
        var description = WorldDescription.village
        description.nodes[0].role = .guest { _ in AntennaNode(address: "here") }
        world = World(description, seed: Seed(7))
        real = World(.village, seed: Seed(8))
        let (our, their) = (world.companion(Self.bob), real.companion(Self.bob))
        Self.introduce(their, to: &ours)
        Self.introduce(our, to: &theirs)
        for node in [Self.alice, Self.bob] { real.inject(.appConnected, into: node) }
        world.inject(.appConnected, into: Self.bob)
    }

    private static func introduce(_ friend: CompanionRadio?, to app: inout MeshApp) {
        guard let key = friend?.publicKey else { return }
        var contact = AddUpdateContact()
        contact.publicKey = key
        contact.name = FixedBytes(text: "friend")
        app.queue(contact)
    }

    mutating func say(_ text: String, fromWorld isOurs: Bool, attempt: UInt8) {
        guard let key = (isOurs ? real : world).companion(Self.bob)?.publicKey else { return }
        let message = SendTxtMsg(
            attempt: attempt % 4, timestamp: 1_750_000_000 + UInt32(attempt),
            publicKeyPrefix: FixedBytes(key.prefix(6)),
            text: ByteText(text))
        if isOurs { ours.queue(message, message: 1) } else { theirs.queue(message, message: 1) }
    }

    func texts(inWorld isOurs: Bool) -> [String] { received[isOurs] ?? [] }

    mutating func runUntilConfirmed(fromWorld isOurs: Bool, atMost span: TimeSpan) -> Bool {
        let (count, end) = (confirmations[isOurs] ?? 0, world.now + span)
        while world.now < end, confirmations[isOurs] ?? 0 == count { run(until: world.now + Self.look) }
        return confirmations[isOurs] ?? 0 > count
    }

    mutating func run(until end: Instant) {
        while world.now < end {
            let now = world.now + Self.look
            world.run(until: now)
            real.run(until: now)
            for output in world.takeOutputs() { takeOurs(output) }
            for output in real.takeOutputs() { takeTheirs(output) }
            if let input = ours.nextInput() { world.inject(.appBytes(input), into: Self.bob) }
            if let input = theirs.nextInput() { real.inject(.appBytes(input), into: Self.bob) }
            if world.appWindow(of: Self.alice) > 0, let packet = desk.nextIncoming(at: now - .start) {
                world.inject(.appBytes(packet), into: Self.alice)
            }
            for (isOurs, news) in [(true, ours.takeNews()), (false, theirs.takeNews())] {
                for entry in news {
                    switch entry {
                    case .received(let message): received[isOurs, default: []].append("\(message.text)")
                    case .confirmed: confirmations[isOurs, default: 0] += 1
                    case .taken, .refused, .loggedIn, .heard, .answered, .logged: break
                    }
                }
            }
        }
    }

    private mutating func takeOurs(_ output: WorldOutput) {
        guard case .appBytes(let bytes) = output.kind else { return }
        if output.node == Self.bob { ours.receive(bytes) }
        guard output.node == Self.alice, let packet = desk.leaves(bytes, at: world.now - .start) else { return }
        asked.append(packet)
        let command = SendRawPacket(priority: 0, packet: packet.packet)
        real.inject(.appBytes(StreamFraming.encode(toRadio: command.encoded())), into: Self.alice)
    }

    private mutating func takeTheirs(_ output: WorldOutput) {
        guard case .appBytes(let bytes) = output.kind else { return }
        if output.node == Self.bob { theirs.receive(bytes) }
        guard output.node == Self.alice else { return }
        _ = bytes.withUnsafeBytes { receiver.append($0) }
        while let frame = receiver.nextFrame() {
            if let log = try? Push.LogRxData(decoding: frame) {
                desk.hears(log.raw, snr: log.snr, at: real.now - .start)
            } else if frame.first ?? 0xFF < 2, !asked.isEmpty {
                desk.answered(asked.removeFirst(), isTaken: frame == [0], airtimeMilliseconds: 0, at: real.now - .start)
            }
        }
    }
}
