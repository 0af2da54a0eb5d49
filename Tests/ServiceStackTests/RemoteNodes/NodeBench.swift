import Foundation
import MeshCompanion
import MeshCore
import MeshPacket
import MeshTime
import MeshVirtualTime
import MeshWire
import StackTestSupport

@testable import PocketMeshServices

/// A frame that the app wrote.
struct Written: Sendable, Equatable {
    var at: Duration
    var frame: [UInt8]

    var code: CommandCode? { frame.first.flatMap(CommandCode.init(rawValue:)) }
    /// The first byte of the key of the node that it is about.
    var node: UInt8 { frame.count > 1 ? frame[1] : 0 }
    /// The type of a binary request, and what follows.
    var request: [UInt8] { code == .sendBinaryReq ? [UInt8](frame.dropFirst(33)) : [] }
    var requestType: RequestType? { request.first.map(RequestType.init(rawValue:)) }
    /// The text of a message.
    var text: String { code == .sendTxtMsg ? String(decoding: frame.dropFirst(13), as: UTF8.self) : "" }
    /// The time stamp of a message.
    var timestamp: UInt32 {
        code == .sendTxtMsg ? frame[3..<7].reversed().reduce(0) { $0 << 8 | UInt32($1) } : 0
    }
}

/// The services for nodes over one radio.
struct NodeBench: Sendable {
    let bench: ServiceBench
    /// `nil` in an emulated mesh.
    let radio: MockTransport?
    let written: Notes<Written>
    let credentials: MemoryCredentialStore
    let contacts: ContactService
    let remote: RemoteNodeService
    let rooms: RoomServerService
    let repeaters: RepeaterAdminService
    let trusted: TrustedContactsManager
    let binary: BinaryProtocolService
    /// The states that were reported.
    let states: Notes<RemoteNodeState>

    var clock: VirtualClock { bench.clock }
    var store: PersistenceStore { bench.store }
    var deviceID: UUID { bench.device.id }
    var now: Duration { clock.now.sinceStart }

    init(
        _ bench: ServiceBench, radio: MockTransport? = nil, written: Notes<Written> = Notes(),
        profile: StackProfile = .architectureV2, dependencies: ServiceDependencies? = nil,
        credentials: MemoryCredentialStore = MemoryCredentialStore()
    ) async {
        (self.bench, self.radio, self.written, self.credentials) = (bench, radio, written, credentials)
        let dependencies = dependencies ?? bench.dependencies
        let events = StackEvents()
        contacts = ContactService(
            session: bench.session, store: bench.store, profile: profile, dependencies: dependencies, events: events)
        remote = RemoteNodeService(
            session: bench.session, store: bench.store, profile: profile, dependencies: dependencies, events: events,
            credentials: credentials, contacts: contacts)
        rooms = RoomServerService(
            session: bench.session, store: bench.store, profile: profile, dependencies: dependencies,
            remoteNodes: remote)
        repeaters = RepeaterAdminService(
            session: bench.session, store: bench.store, profile: profile, dependencies: dependencies,
            remoteNodes: remote)
        trusted = TrustedContactsManager(store: bench.store)
        binary = BinaryProtocolService(
            session: bench.session, store: bench.store, profile: profile, dependencies: dependencies,
            trusted: trusted)
        let states = Notes<RemoteNodeState>()
        self.states = states
        remote.events.note(in: states) { if case .sessionStateChanged(_, let state) = $0 { state } else { nil } }
        await remote.startEventMonitoring(deviceID: bench.device.id)
    }

    func stop() async {
        await rooms.stop()
        await binary.stop()
        await remote.stop()
    }

    /// A contact in the store, whose key consists of one number; no hops are an unknown path.
    func contact(_ number: UInt8, _ type: NodeType = .room, hops: Int? = 1) async throws -> ContactDTO {
        let length = hops.map { PathLength(hashSize: 1, hops: $0) } ?? .unknown
        let contact = ContactDTO(
            deviceID: deviceID, publicKey: Data(Frames.key(number).array), name: "node \(number)",
            typeRawValue: type.rawValue, outPathLengthRaw: length.rawValue,
            outPath: Data(repeating: 0xA0, count: length.bytesThatFollow))
        try await store.saveContact(contact)
        return contact
    }

    /// A session that has never been logged in, with a password that is to be kept.
    func session(
        _ number: UInt8, _ type: NodeType = .room, hops: Int? = 1, password: String? = "secret"
    ) async throws -> RemoteNodeSessionDTO {
        try await remote.createSession(
            deviceID: deviceID, contact: try await contact(number, type, hops: hops), password: password)
    }

    /// A session as it is after a login, without one.
    func connected(
        _ number: UInt8, _ type: NodeType = .room, _ level: RoomPermissionLevel = .admin, hops: Int? = 1
    ) async throws -> RemoteNodeSessionDTO {
        try await connected(try await session(number, type, hops: hops), level)
    }

    /// A session as it is after a login, without one.
    func connected(
        _ row: RemoteNodeSessionDTO, _ level: RoomPermissionLevel = .admin
    ) async throws -> RemoteNodeSessionDTO {
        try await store.updateRemoteNodeSessionConnection(
            id: row.id, isConnected: true, permissionLevel: level, at: bench.dependencies.now())
        await remote.beginSession(row, level)
        return try await self.row(row.id)
    }

    /// A session of another radio, which knows the node too, without a path.
    func sessionElsewhere(_ number: UInt8, _ type: NodeType = .room) async throws -> RemoteNodeSessionDTO {
        let other = Data(repeating: 7, count: 32)
        let id = StableIdentifier.device(publicKey: other)
        try await store.saveDevice(
            DeviceDTO(id: id, publicKey: other, nodeName: "other", lastConnected: bench.dependencies.now()))
        let contact = ContactDTO(
            deviceID: id, publicKey: Data(Frames.key(number).array), name: "the same", typeRawValue: type.rawValue)
        try await store.saveContact(contact)
        return try await remote.createSession(deviceID: id, contact: contact, password: "other")
    }

    func row(_ id: UUID) async throws -> RemoteNodeSessionDTO {
        guard let row = try await store.fetchRemoteNodeSession(id: id) else {
            throw StackError(.nodes, .sessionNotFound)
        }
        return row
    }

    func sleep(_ seconds: Double) async throws { try await clock.sleep(for: .seconds(seconds)) }

    /// Returns the times at which commands of this kind were written.
    func times(_ code: CommandCode, _ type: RequestType? = nil) -> [Duration] {
        written.all.filter { $0.code == code && (type == nil || $0.requestType == type) }.map(\.at)
    }
}

extension RemoteNodeService {
    /// Begins a session as a login would, without one.
    fileprivate func beginSession(_ row: RemoteNodeSessionDTO, _ level: RoomPermissionLevel) {
        var result = LoginResult(LoginInfo(Push.LoginSuccess(permissions: 0, publicKeyPrefix: Frames.prefix(1))))
        result.permissionLevel = level
        known(row).plan.ask(.init(number: 0, task: Task { throw CancellationError() }))
        _ = known(row).plan.accept(0, result)
    }
}

/// Runs the services for nodes against a script.
///
/// `nil` is answered as by a radio that has all contacts, a hop away.
func withNodes<R: Sendable>(
    order: VirtualTime.Order = .arrival, profile: StackProfile = .architectureV2,
    script: @escaping @Sendable (Written) async -> [[UInt8]]? = { _ in nil },
    _ body: @escaping @Sendable (NodeBench) async throws -> R
) throws -> R {
    try withScriptedRadio(order: order) { bench, radio in
        let written = Notes<Written>()
        await radio.answerEach { frame in
            let command = Written(at: bench.clock.now.sinceStart, frame: frame)
            written.add(command)
            if let answer = await script(command) { return answer }
            switch command.code {
            case .getContactByKey: return [Frames.frame(Frames.node(command.node, hops: 1))]
            case .addUpdateContact, .logout, .resetPath, .removeContact: return [Frames.ok]
            case .getDeviceTime: return [Resp.CurrTime(epoch: bench.dependencies.seconds).encoded()]
            default: return []
            }
        }
        let nodes = await NodeBench(bench, radio: radio, written: written, profile: profile)
        let result = try await body(nodes)
        await nodes.stop()
        return result
    }
}

/// The result of an operation, and its time.
struct Ending<T: Sendable>: Sendable {
    var result: Result<T, any Error>
    /// The duration of the operation.
    var took: Duration

    var value: T? { try? result.get() }
    var nodeError: StackError.Reason? { reason(in: .nodes) }
    var roomError: StackError.Reason? { reason(in: .rooms) }
    private func reason(in operation: StackError.Operation) -> StackError.Reason? {
        if case .failure(let error as StackError) = result { error.reason(in: operation) } else { nil }
    }
    var isCancellation: Bool { if case .failure(let error) = result { error is CancellationError } else { false } }
}

/// Waits for the end of an operation, well or not.
func ending<T: Sendable>(
    _ clock: VirtualClock, _ work: @Sendable () async throws -> T
) async -> Ending<T> {
    let start = clock.now
    do {
        let value = try await work()
        return Ending(result: .success(value), took: start.duration(to: clock.now))
    } catch {
        return Ending(result: .failure(error), took: start.duration(to: clock.now))
    }
}

extension Frames {
    /// A contact as the radio has it.
    static func node(_ number: UInt8, _ type: NodeType = .room, hops: Int?) -> ContactRecord {
        var record = contact(number, name: ByteText("node \(number)"), type: type)
        record.outPathLength = hops.map { PathLength(hashSize: 1, hops: $0) } ?? .unknown
        record.outPath = FixedBytes(repeatElement(0xA0, count: hops ?? 0))
        return record
    }

    static func prefix(_ number: UInt8) -> FixedBytes<6> { FixedBytes(repeatElement(number, count: 6)) }

    /// A success as nodes of today give it.
    static func loginSuccess(_ number: UInt8, permissions: UInt8 = 1, acl: UInt8 = 3, level: UInt8? = 1) -> [UInt8] {
        Push.LoginSuccess(
            permissions: permissions, publicKeyPrefix: prefix(number), serverTime: 1_749_900_000,
            aclPermissions: acl, firmwareLevel: level
        ).encoded()
    }

    static func loginFail(_ number: UInt8) -> [UInt8] { Push.LoginFail(publicKeyPrefix: prefix(number)).encoded() }

    static func answer(_ tag: UInt32, _ data: [UInt8]) -> [UInt8] {
        Push.BinaryResponse(tag: tag, data: data).encoded()
    }

    /// A status as a repeater or a room gives it; what comes behind the first 48 bytes differs.
    static func status(battery: UInt16 = 4100, uptime: UInt32 = 3600, noise: Int16 = -110, tail: [UInt8]) -> [UInt8] {
        var status = ServerStatus()
        (status.batteryMillivolts, status.uptime, status.noiseFloor) = (battery, uptime, noise)
        return status.written() + tail
    }
}
