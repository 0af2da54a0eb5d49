import MeshCompanion
import MeshCrypto
import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

@testable import MeshFirmware

/// Contacts of type 0: in slots of their own since 1.17, among the others in 1.16, ordinary ones before.
@Suite struct TransientContactTests {
    /// Returns a key that no contact has.
    private static func key(_ number: UInt8) -> PublicKey { PublicKey([UInt8](repeating: number, count: 32)) }

    private static func knows(_ bench: inout CompanionBench, _ number: UInt8) -> Bool {
        bench.ask(GetContactByKey(publicKey: key(number))) != Answer.notFound
    }

    private static func add(_ bench: inout CompanionBench, _ number: UInt8, type: NodeType, lastModified: UInt32) {
        bench.send(
            AddUpdateContact(
                publicKey: key(number), type: type, flags: 0, outPathLength: .empty, outPath: FixedBytes(),
                name: FixedBytes(text: "x"), lastAdvert: 0, position: Position(), lastModified: lastModified))
    }

    /// The table is one array: a slot behind its end is given away, and no look-up finds it.
    @Test func `after a removal the last transient slot lies behind the end of the table`() {
        var bench = CompanionBench.knowing()
        bench.send(SendAnonReq(publicKey: Self.key(1), data: [1]))
        #expect(bench.ask(RemoveContact(publicKey: Self.key(1))) == Answer.ok)

        for number in UInt8(2)...9 {
            #expect(bench.ask(SendAnonReq(publicKey: Self.key(number), data: [1])).first?.first == 6)
            bench.wait(milliseconds: 1000)
        }

        #expect((2...9).filter { Self.knows(&bench, UInt8($0)) } == Array(2...8))
    }

    @Test func `a contact that is added takes the place behind the end, and is not listed`() {
        var bench = CompanionBench.knowing()
        for number in UInt8(1)...8 {
            bench.send(SendAnonReq(publicKey: Self.key(number), data: [1]))
            bench.wait(milliseconds: 1000)
        }
        bench.send(RemoveContact(publicKey: Self.key(1)))
        bench.add(.bob)
        bench.toApp = []

        #expect(bench.contact(.bob) != nil)
        #expect(bench.listing() == [])
        #expect((2...8).allSatisfy { Self.knows(&bench, UInt8($0)) })
    }

    /// A removal leaves a contact of its type behind the end, and no place for transient ones.
    @Test func `a place that a listed contact has left takes no transient one`() {
        var bench = CompanionBench.knowing(.bob)
        for _ in 0..<2 { #expect(bench.ask(RemoveContact(publicKey: Self.key(0))) == Answer.ok) }

        for number in UInt8(1)...7 {
            bench.send(SendAnonReq(publicKey: Self.key(number), data: [1]))
            bench.wait(milliseconds: 1000)
        }

        // Six places are left, of which the oldest gave way.
        #expect((1...7).filter { Self.knows(&bench, UInt8($0)) } == Array(2...7))
        #expect(bench.contact(.bob) != nil)
    }

    // MARK: 1.16

    private static func older() -> CompanionBench { CompanionBench.running(.v1_16) }

    @Test func `in 1_16 one is counted and not listed, and its time does not count`() {
        var bench = Self.older()
        bench.send(RemoveContact(publicKey: Peer.bob.key))
        Self.add(&bench, 0x11, type: .none, lastModified: 10)
        bench.toApp = []

        bench.send(GetContacts())
        bench.wait(milliseconds: 100)

        #expect(bench.takeFrames().map(\.hex) == ["0201000000", "0400000000"])
        #expect(Self.knows(&bench, 0x11))
    }

    @Test func `in 1_16 others are listed before and behind one`() {
        var bench = Self.older()
        for (number, type) in [(1, NodeType.none), (2, .chat), (3, .none), (4, .chat), (5, .none)]
            as [(UInt8, NodeType)]
        {
            Self.add(&bench, number, type: type, lastModified: 1000 * UInt32(number))
        }

        #expect(bench.listing() == [Peer.bob.key, Self.key(2), Self.key(4)])
        // A contact becomes one by an update, too.
        Self.add(&bench, 2, type: .none, lastModified: 9000)
        #expect(bench.listing() == [Peer.bob.key, Self.key(4)])
    }

    @Test func `in 1_16 a full table overwrites others only, and transient ones by their like`() {
        var board = BoardProfile.vectors
        board.firmware = .v1_16
        board.maxContacts = 3
        var bench = CompanionBench(board: board)
        bench.send(SetAutoaddConfig(config: 1, maxHops: 0))
        for (number, type) in [(1, NodeType.none), (2, .chat), (3, .chat)] as [(UInt8, NodeType)] {
            Self.add(&bench, number, type: type, lastModified: 1000 * UInt32(number))
        }
        bench.toApp = []

        Self.add(&bench, 4, type: .chat, lastModified: 4000)
        #expect(bench.takeFrames() == [Answer.push(.contactDeleted, Self.key(2))] + Answer.ok)
        Self.add(&bench, 5, type: .none, lastModified: 5000)
        #expect(bench.takeFrames() == [Answer.push(.contactDeleted, Self.key(1))] + Answer.ok)
    }

    /// A file of 1.15 holds contacts of type 0 like others.
    @Test func `in 1_16 one that was stored before is loaded like others`() {
        var before = CompanionBench.running(.v1_15)
        Self.add(&before, 1, type: .none, lastModified: 1000)
        Self.add(&before, 2, type: .chat, lastModified: 2000)
        before.wait(milliseconds: 6000)
        var board = BoardProfile.vectors
        board.firmware = .v1_16

        var bench = CompanionBench(board: board, flash: before.radio.flash)

        #expect(bench.listing() == [Peer.bob.key, Self.key(2)])
        #expect(Self.knows(&bench, 1))
    }

    // MARK: Erasing

    /// A radio up to 1.16 that cannot be erased continues over streams; over Bluetooth it is gone.
    @Test(arguments: [
        (FirmwareVersion.v1_16, AppInterface.serial, true), (.v1_16, .wifi(sendQueue: 4), true),
        (.v1_16, .frames, false),
        (.v1_17_1, .serial, false), (.v1_17_1, .wifi(sendQueue: 4), false), (.v1_17_1, .frames, false),
    ])
    func `a radio that cannot be erased goes on over streams up to 1_16`(
        version: FirmwareVersion, interface: AppInterface, goesOn: Bool
    ) {
        var bench = CompanionBench.running(version, interface: interface)
        bench.connect()
        bench.withRadio { $0.flash.failsToFormat = true }
        func framed(_ frame: [UInt8]) -> [UInt8] {
            if case .frames = interface { frame } else { [0x3C, UInt8(frame.count), 0] + frame }
        }

        bench.pass(.appBytes(framed(FactoryReset().encoded())))
        bench.wait(milliseconds: 100)
        let answers = bench.takeFrames()
        bench.pass(.appBytes(framed([0x3B])))
        bench.wait(milliseconds: 100)

        #expect(answers == (goesOn ? [[0x3E, 2, 0, 1, 5]] : []))
        #expect(bench.takeFrames().count == (goesOn ? 1 : 0))
    }
}
