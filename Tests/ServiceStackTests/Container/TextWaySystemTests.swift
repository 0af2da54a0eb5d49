import CProfileTestSupport
import Logging
import MeshCompanion
import MeshCore
import MeshEmulator
import MeshSimulator
import MeshTestSupport
import MeshTime
import MeshTransports
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// The way of one text from an app's socket to another app's database, and the same run without the text.
///
/// `ci/way` runs each of these tests in a process of its own and compares the functions that ran, from the moment
/// before the text is sent until the event for the row that is stored. Time is stepped, and the receiving app's clock
/// stands. So nothing else happens, and nothing runs more often on a slower machine, except for loops that look whether
/// there is something to do.
@Suite struct TextWaySystemTests {
    private static let text: ByteText = "hi"

    /// Connects both apps, has alice advertise, and has her send the text, if there is one; returns what bob stored.
    private func stored(afterSending text: ByteText?) async throws -> [String] {
        let emulator = try await Emulator.start(
            .init(
                world: .pair, seed: Seed(7),
                endpoints: ["alice", "bob"].map { NodeEndpoint(label: $0, endpoint: .freePort) }, pace: .stepped))
        guard case .tcp(_, let port) = emulator.endpoints[0].endpoint else { return [] }
        let alice = try TestClient.connect(port: Int(port))
        alice.sendFrame(AppStart().encoded())
        #expect(alice.waits(for: .selfInfo))
        let executor = StackExecutor()
        let dependencies = ServiceDependencies(
            clock: StoppedClock(), random: RandomSource(Seed(1)),
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, executor: executor
        ) { ServiceBench.startDate }
        let bob = MeshCoreSession(
            transport: StreamTransport(emulator.endpoints[1].endpoint, on: executor), clock: dependencies.clock,
            executor: executor)
        try await bob.start()
        let make = try await bob.queryDevice()
        let info = try #require(await bob.currentSelfInfo)
        let services = try await ServiceContainer.forTesting(session: bob, dependencies: dependencies)
        let device = try await services.store.saveDevice(
            DeviceDTO(selfInfo: info, deviceInfo: make, lastConnected: ServiceBench.startDate))
        let arrivals = services.events.subscribe()
        try await services.performInitialSync(deviceID: device.id)

        try await emulator.advance(by: .seconds(1))
        alice.sendFrame(SendSelfAdvert(type: 1).encoded())
        #expect(alice.waits(for: .ok))
        try await emulator.advance(by: .seconds(30))
        services.events.observe { event in
            if case .directMessageReceived = event { profile_end() }
        }
        profile_begin()
        if let text {
            let message = SendTxtMsg(
                attempt: 0, timestamp: 1_749_900_000, publicKeyPrefix: FixedBytes(info.publicKey.prefix(6)), text: text)
            alice.sendFrame(message.encoded())
            #expect(alice.waits(for: .sent))
        }
        try await emulator.advance(by: .seconds(30))
        var texts: [String] = []
        if text != nil {
            #expect(alice.waits(for: .sendConfirmed))
            for await case .directMessageReceived(let message, _) in arrivals.events {
                texts.append(try #require(await services.store.fetchMessage(id: message.id)).text)
                break
            }
        }
        if text == nil { profile_end() }
        await services.tearDown()
        await bob.stop()
        await emulator.stop()
        return texts
    }

    @Test func `a text comes from one app's socket to the other app's database`() async throws {
        #expect(try await stored(afterSending: Self.text) == [Self.text.string])
    }

    @Test func `nothing is stored where nothing is sent`() async throws {
        #expect(try await stored(afterSending: nil).isEmpty)
    }
}

extension TestClient {
    /// Reads frames until one with this code, and returns whether it came.
    fileprivate func waits(for code: ResponseCode) -> Bool { waits(for: code.rawValue) }
    fileprivate func waits(for code: PushCode) -> Bool { waits(for: code.rawValue) }

    private func waits(for code: UInt8) -> Bool {
        while let frame = receiveFrame() {
            if frame.first == code { return true }
        }
        return false
    }
}
