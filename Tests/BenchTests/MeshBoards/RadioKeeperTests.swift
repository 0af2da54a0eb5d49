import MeshCompanion
import MeshPacket
import MeshWire
import Testing

@testable import MeshBoards
@testable import MeshCompliance

/// The notes of runs on a radio with an owner, and the commands that put it back.
@Suite struct RadioKeeperTests {
    private static let key = FixedBytes<32>([UInt8](repeating: 7, count: 32))

    private static let record: RadioRecord = {
        var info = Resp.SelfInfo()
        info.name = "Mine"
        info.frequency = 869_618
        info.manualAdd = 1
        var device = Resp.DeviceInfo()
        device.pathHashMode = 1
        var record = RadioRecord(selfInfo: info, device: device)
        record.tuning = Resp.TuningParams(receiveDelay: 0, airtimeFactor: 2000)
        record.autoAdd = Resp.AutoaddConfig(config: 6, maxHops: 5)
        record.channels = [0, 1].map { .init(channelIndex: $0, name: FixedBytes(), secret: FixedBytes()) }
        var contact = ContactRecord()
        contact.publicKey = key
        contact.lastModified = 1_700_000_000
        record.contacts = [contact]
        return record
    }()

    private static func codes(_ commands: [any CommandFrame]) -> [UInt8] { commands.map { type(of: $0).codeByte } }

    @Test func `what is different is put back, and nothing else`() {
        var now = Self.record
        now.selfInfo?.name = "alice"
        now.selfInfo?.multiAcks = 1
        now.device?.pathHashMode = 0
        now.channels[0].name = FixedBytes([0, 0x41])
        now.channels[1].name = FixedBytes(text: "#mesh")
        var stranger = ContactRecord()
        stranger.publicKey = FixedBytes([UInt8](repeating: 9, count: 32))
        now.contacts[0].outPathLength = .empty
        now.contacts.append(stranger)
        var keeper = RadioKeeper(Self.record)

        keeper.note(differencesTo: now)
        let commands = keeper.takeRestoration()

        #expect(Self.codes(commands) == [0x0F, 0x09, 0x20, 0x08, 0x26, 0x36, 0x3D])
        #expect(commands.first as? RemoveContact == RemoveContact(publicKey: stranger.publicKey))
        #expect((commands[1] as? AddUpdateContact)?.lastModified == 1_700_000_000)
        #expect((commands[2] as? SetChannel)?.channelIndex == 1)
        #expect((commands[3] as? SetAdvertName)?.name == "Mine")
        #expect(keeper.takeRestoration().isEmpty)
    }

    @Test func `a radio that is as it was loses at most a scope that nobody can ask for`() {
        var keeper = RadioKeeper(Self.record)

        keeper.note(differencesTo: Self.record)

        #expect(keeper.takeRestoration().map { $0.encoded() } == [[0x36, 0x00]])
    }

    @Test func `commands say what they touch, and the way back leads to the baseline of the run`() throws {
        var keeper = RadioKeeper(Self.record)
        keeper.baseline = keeper.before.usual()
        let frames: [Pattern] = ["26 01 02 00 00", "3A 00 00", "05", "20 01 00×48", "0B 00×10", "04"]
        for frame in frames { keeper.note(command: try frame.bytes()) }

        let commands = keeper.takeRestoration()

        #expect(Self.codes(commands) == [0x20, 0x0B, 0x26, 0x3A])
        #expect((commands[2] as? SetOtherParams)?.manualAdd == 0)
        #expect((commands[3] as? SetAutoaddConfig)?.config == 0)
    }

    @Test func `an identity is put back where it may have been replaced`() {
        var record = Self.record
        record.privateKey = FixedBytes([UInt8](repeating: 5, count: 64))
        var keeper = RadioKeeper(record)

        keeper.note(command: [0x18] + [UInt8](repeating: 6, count: 64))

        #expect(keeper.takeRestoration().map { $0.encoded() } == [[0x18] + [UInt8](repeating: 5, count: 64)])
    }

    @Test func `only commands and packets that may be answered on the air are waited for`() {
        var keeper = RadioKeeper(Self.record)
        keeper.note(command: [0x05])
        #expect(!keeper.mayBeSending)

        keeper.note(command: [0x07, 0x01])
        #expect(keeper.mayBeSending)

        _ = keeper.takeRestoration()
        keeper.note(packet: nil)
        #expect(keeper.mayBeSending)
    }

    @Test func `what a radio is too old to tell is not written`() {
        let old = RadioRecord(selfInfo: Resp.SelfInfo(), device: Resp.DeviceInfo())

        #expect(Self.codes(old.settings) == [0x08, 0x0E, 0x0B, 0x0C, 0x25, 0x26, 0x36])
        #expect(old.settings[0].encoded() == [0x08, 0x00])
    }

    @Test func `what a radio does not tell is neither changed nor written`() {
        let untold = RadioRecord(selfInfo: nil, device: nil)

        #expect(Self.codes(untold.settings) == [0x36])
        #expect(Self.codes(untold.usual().settings) == [0x36])
    }

    @Test func `what a radio leaves unanswered is tried again at the end of the run only`() throws {
        var keeper = RadioKeeper(Self.record)
        keeper.baseline.contacts = []
        let contact = try Pattern("09 \(bytes(8, 32)) 01 00×115").bytes()
        for frame in [contact, [0x15], [0x08]] { keeper.note(command: frame) }
        for code: UInt8 in [0x0F, 0x15] { keeper.postpone(code) }

        #expect(Self.codes(keeper.takeRestoration()) == [0x08])
        let commands = keeper.takeWholeRestoration(withContacts: false)

        #expect(commands.first as? RemoveContact == RemoveContact(publicKey: FixedBytes(bytes(8, 32))))
        #expect(Self.codes(commands).dropFirst() == Self.codes(Self.record.settings)[...])
    }

    @Test func `contacts of type 0 are removed where they lie among the others`() throws {
        let frame = try Pattern("09 \(bytes(8, 32)) 00 00×115").bytes()
        var keeper = RadioKeeper(Self.record)
        keeper.note(command: frame)
        #expect(!Self.codes(keeper.takeRestoration()).contains(0x0F))

        keeper.hidesTransients = false
        keeper.note(command: frame)
        #expect(Self.codes(keeper.takeRestoration()) == [0x0F])
    }

    @Test func `the whole way back leads to how the radio was, whatever the run wanted`() {
        var keeper = RadioKeeper(Self.record)
        keeper.baseline = keeper.before.usual()
        keeper.baseline.contacts = []

        let commands = keeper.takeWholeRestoration(withContacts: true)

        #expect(Self.codes(commands) == [0x09] + Self.codes(Self.record.settings))
        #expect((commands.last { $0 is SetPathHashMode } as? SetPathHashMode)?.mode == 1)
        #expect(keeper.takeRestoration().isEmpty)
    }

    @Test func `what was not put back is named without the secrets that are in it`() {
        var contact = Self.record.contacts[0]
        contact.name = FixedBytes(text: "Carol")
        let secret = FixedBytes<16>([UInt8](repeating: 0x5E, count: 16))
        let commands: [any CommandFrame] = [
            AddUpdateContact(restoring: contact), RemoveContact(publicKey: Self.key),
            SetChannel(channelIndex: 3, name: FixedBytes(text: "#mesh"), secret: secret),
            ImportPrivateKey(privateKey: FixedBytes()), SetDevicePin(pin: 123_456),
        ]

        #expect(
            commands.map(RadioKeeper.subject) == [
                "the contact 070707070707 Carol", "the run's contact 070707070707", "the channel in slot 3",
                "the identity", "the setting of CMD_SET_DEVICE_PIN",
            ])
    }
}
