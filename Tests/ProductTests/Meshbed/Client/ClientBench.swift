import ArgumentParser
import Foundation
import MeshCompanion
import MeshCore
import MeshEmulator
import MeshFirmware
import MeshPacket
import MeshSimulator
import MeshTime
import MeshVirtualTime
import MeshWire
import PocketMeshServices
import Synchronization

@testable import meshbed

/// Commands of `meshbed client` against a radio of the test's, on virtual time.
struct ClientBench: Sendable {
    let clock: VirtualClock
    let transports: any TransportMaking

    /// 14 June 2025.
    static let startDate = Date(timeIntervalSince1970: 1_749_900_000)

    /// Runs the command of these words, as the program does but for its exit.
    func run(_ words: String...) async throws -> Bool { try await run(words) }

    func run(_ words: [String]) async throws -> Bool {
        guard let command = try Meshbed.parseAsRoot(["client"] + words) as? any ClientCommand else {
            throw ValidationError("\(words) is no command that connects")
        }
        return try await command.perform(with: try await app(command.options))
    }

    /// The same, tried again where the air has swallowed a packet.
    func persist(_ words: [String]) async throws -> Bool {
        for _ in 0..<7 {
            if try await run(words) { return true }
            try await clock.sleep(for: .seconds(7))
        }
        return false
    }

    @MainActor
    func app(_ options: ClientOptions) async throws -> ClientApp {
        try await ClientApp(
            ClientSetup(options, environment: [:]), sink: MemoryNotificationSink(),
            dependencies: ServiceDependencies(
                clock: clock, startDate: Self.startDate.addingTimeInterval(clock.now.sinceStart / .seconds(1)),
                seed: Seed(1)),
            transports: transports, credentials: MemoryCredentialStore())
    }

    /// Runs the body while a connection stands.
    @MainActor
    func whileConnected<R: Sendable>(
        _ words: [String], _ body: @MainActor (ClientApp, ClientApp.Connection) async throws -> R
    ) async throws -> R {
        guard let command = try Meshbed.parseAsRoot(["client"] + words) as? any ClientCommand else {
            throw ValidationError("\(words) is no command that connects")
        }
        let app = try await app(command.options)
        let connection = try await app.connect()
        let result = try await body(app, connection)
        await app.manager.stop()
        return result
    }
}

/// Runs commands against a scripted radio.
func withClient<R: Sendable>(
    _ radio: ScriptedCompanion = ScriptedCompanion(), order: VirtualTime.Order = .arrival,
    _ body: @escaping @Sendable (ClientBench, MockTransport) async throws -> R
) throws -> R {
    try VirtualTime.run(order: order) { clock in
        let link = MockTransport()
        await link.answerEach { radio.answers($0) }
        return try await body(ClientBench(clock: clock, transports: OneLink(link)), link)
    }
}

/// Runs commands against a radio of an emulated world, whose other nodes are its contacts.
func withClient<R: Sendable>(
    in world: WorldDescription, _ node: String,
    _ body: @escaping @Sendable (ClientBench, LoopbackWorld) async throws -> R
) throws -> R {
    try VirtualTime.run { clock in
        let world = LoopbackWorld(World(world, seed: Seed(7)), clock: clock)
        try await clock.sleep(for: .seconds(600))
        try await introduce(node, in: world, clock)
        let result = try await body(ClientBench(clock: clock, transports: WorldLinks(world, node)), world)
        await world.end()
        return result
    }
}

/// Makes every other node of its world a contact of a radio, without a path.
private func introduce(_ node: String, in world: LoopbackWorld, _ clock: VirtualClock) async throws {
    let records = await world.withWorld { world in
        ["rep1", "room1", "sens1"].compactMap { label -> ContactRecord? in
            guard let other = world.node(labelled: label), let firmware = world.firmware(other) else { return nil }
            var record = ScriptedCompanion.contact(0, ByteText(label))
            record.publicKey = firmware.publicKey
            record.type = world.infrastructure(other)?.server.role.nodeType ?? .chat
            return record
        }
    }
    let session = MeshCoreSession(transport: try await world.transport(to: node), clock: clock)
    try await session.start()
    for record in records { try await session.updateContact(record) }
    await session.stop()
}

private struct OneLink: TransportMaking {
    let link: MockTransport

    init(_ link: MockTransport) {
        self.link = link
    }

    func transport(to endpoint: RadioEndpoint) async throws -> any MeshTransport { link }
}

private struct WorldLinks: TransportMaking {
    let world: LoopbackWorld
    let node: String

    init(_ world: LoopbackWorld, _ node: String) {
        self.world = world
        self.node = node
    }

    func transport(to endpoint: RadioEndpoint) async throws -> any MeshTransport {
        try await world.transport(to: node)
    }
}

/// A scripted companion radio with contacts, channels and a queue.
final class ScriptedCompanion: Sendable {
    struct Contents {
        var name: ByteText = "alice"
        /// The latitude in microdegrees.
        var latitude: Int32 = 0
        var longitude: Int32 = 0
        var contacts: [ContactRecord] = []
        /// The number of contacts that it announces; as many as it sends unless given.
        var announced: UInt32?
        var queue: [[UInt8]] = []
        /// Commands that get no answer.
        var silent: Set<CommandCode> = []
        var received: [[UInt8]] = []
    }

    private let contents: Mutex<Contents>
    private let script: @Sendable ([UInt8]) -> [[UInt8]]?

    /// `script` answers before the radio does.
    init(_ contents: Contents = Contents(), script: @escaping @Sendable ([UInt8]) -> [[UInt8]]? = { _ in nil }) {
        self.contents = Mutex(contents)
        self.script = script
    }

    static func contact(_ number: UInt8, _ name: ByteText, _ type: NodeType = .chat) -> ContactRecord {
        var record = ContactRecord()
        record.publicKey = FixedBytes(repeatElement(number, count: 32))
        record.type = type
        record.name = FixedBytes(text: name)
        record.outPathLength = .unknown
        record.lastModified = 100
        return record
    }

    static func message(_ text: ByteText, timestamp: UInt32) -> [UInt8] {
        var message = ContactMessage()
        message.publicKeyPrefix = FixedBytes(repeatElement(2, count: 6))
        message.timestamp = timestamp
        message.text = text
        return Resp.ContactMsgRecvV3(snr: 40, message: message).encoded()
    }

    func count(_ code: CommandCode) -> Int { contents.withLock { $0.received.count { $0.first == code.rawValue } } }

    func answers(_ frame: [UInt8]) -> [[UInt8]] {
        contents.withLock { contents in
            guard let code = frame.first.flatMap(CommandCode.init(rawValue:)) else { return [] }
            contents.received.append(frame)
            if contents.silent.contains(code) { return [] }
            return script(frame) ?? Self.answers(code, frame, &contents)
        }
    }

    private static func answers(_ code: CommandCode, _ frame: [UInt8], _ contents: inout Contents) -> [[UInt8]] {
        switch code {
        case .appStart: return [selfInfo(contents).encoded()]
        case .deviceQuery:
            var info = Resp.DeviceInfo()
            (info.firmwareVersionCode, info.halvedMaxContacts, info.maxChannels) = (13, 175, 8)
            return [info.encoded()]
        case .getDeviceTime: return [Resp.CurrTime(epoch: 1_749_900_000).encoded()]
        case .setDeviceTime, .sendSelfAdvert, .addUpdateContact: return [[0]]
        case .getBattAndStorage: return [Resp.BattAndStorage(battery: 4100).encoded()]
        case .getContacts:
            let table = contents.contacts
            let count = contents.announced ?? UInt32(table.count)
            let start = Resp.ContactsStart(count: count).encoded()
            let frames = table.map { Resp.Contact(record: $0).encoded() }
            // One that has announced more than it sends falls silent.
            let end = count == table.count ? [Resp.EndOfContacts(mostRecentLastModified: 100).encoded()] : []
            return [start] + frames + end
        case .getContactByKey:
            return contents.contacts.first.map { [Resp.Contact(record: $0).encoded()] } ?? [[1, 2]]
        case .getChannel:
            let slot = frame.count > 1 ? frame[1] : 0
            return [Resp.ChannelInfo(channelIndex: slot, name: FixedBytes(), secret: FixedBytes()).encoded()]
        case .syncNextMessage:
            return [contents.queue.isEmpty ? Resp.NoMoreMessages().encoded() : contents.queue.removeFirst()]
        default: return []
        }
    }

    private static func selfInfo(_ contents: Contents) -> Resp.SelfInfo {
        Resp.SelfInfo(
            txPower: 22, maxTxPower: 22, publicKey: FixedBytes(repeatElement(1, count: 32)),
            latitude: contents.latitude, longitude: contents.longitude, multiAcks: 0, advertLocationPolicy: 0,
            telemetryModes: 0, manualAdd: 0, frequency: 869_618, bandwidth: 62_500, spreadingFactor: 8, codingRate: 5,
            name: contents.name)
    }
}
