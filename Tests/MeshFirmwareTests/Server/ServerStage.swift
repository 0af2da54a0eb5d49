import MeshCrypto
import MeshPacket
import MeshTime
import MeshWire

@testable import MeshFirmware

/// The common operations of a test on the bench of a server, whatever its role.
protocol ServerBench {
    var now: Instant { get }
    var isChannelBusy: Bool { get set }
    var sent: [(at: Int64, frame: String)] { get }
    var printed: [UInt8] { get }
    var core: RoutingCore { get }
    var server: ServerState { get }

    mutating func handle(_ input: NodeInput)
    mutating func run(_ span: TimeSpan)
    mutating func type(_ line: String) -> String
    mutating func setClock(_ unixSeconds: UInt32)
}

extension Bench: ServerBench where Node: ServerNode {
    var core: RoutingCore { node.core }
    var server: ServerState { node.server }
}

/// A transmission, and when it began after what provoked it.
struct Sent {
    let at: Int64
    let packet: PacketView

    var type: PayloadType { packet.type }
    var route: RouteType { packet.route }
    var hex: String { packet.bytes.hex }

    /// The plaintext of what is sealed for a client.
    func opened(by peer: Peer) -> [UInt8]? { peer.opened(packet.bytes, with: InfrastructureVectors.server.publicKey) }

    /// The path in a PATH, and what it brings.
    func pathReturn(for peer: Peer) -> PathReturnPlaintext? {
        guard type == .path, let opened = opened(by: peer) else { return nil }
        return try? opened.withUnsafeBytes { try PathReturnPlaintext(opened: $0) }
    }

    /// The answer to a login or request, by whatever carrier, with its padding.
    func answer(for peer: Peer) -> [UInt8]? {
        type == .path ? pathReturn(for: peer)?.extra : type == .response ? opened(by: peer) : nil
    }
}

/// A repeater, room server or sensor with the identity of the recordings, and clients who talk to it.
///
/// It does not advert itself unless asked to, and its clock shows 2026-01-01, 400 s before the clients' first time
/// stamp.
struct ServerStage {
    static let key = InfrastructureVectors.server.publicKey
    static let clock: UInt32 = 1_767_225_600
    static let alice = InfrastructureVectors.peer("alice")
    static let bob = InfrastructureVectors.peer("bob")
    static let carol = InfrastructureVectors.peer("carol")

    /// The roles of a statement that names `[A]`, `[R,M]` and so on.
    static let all = ServerRole.allCases
    static let repeaterAndRoom: [ServerRole] = [.repeater, .roomServer]
    static let repeaterAndSensor: [ServerRole] = [.repeater, .sensor]

    let role: ServerRole
    let board: BoardProfile
    private(set) var bench: any ServerBench
    /// The last time stamp that a client used.
    private(set) var stamp: UInt32 = clock + 400

    /// A node just booted; without `clock` it shows what clocks show after power-on.
    init(
        _ role: ServerRole = .repeater, board: BoardProfile = .vectors, clock: UInt32? = clock, flash: Flash = Flash(),
        adverts: Bool = false, seed: UInt64 = 1, _ change: (inout ServerSetup) -> Void = { _ in }
    ) {
        self.role = role
        self.board = board
        var setup = ServerSetup(role, board: board)
        if !adverts { setup.silenceAdverts() }
        change(&setup)
        bench = Self.boot(role, board, setup, flash, Seed(seed).stream("stage", role.commandName))
        bench.handle(.woke)
        guard let clock else { return }
        bench.run(.milliseconds(10))
        bench.setClock(clock)
    }

    private static func boot(
        _ role: ServerRole, _ board: BoardProfile, _ setup: ServerSetup, _ flash: Flash, _ random: RandomStream
    ) -> any ServerBench {
        let identity = InfrastructureVectors.server
        let clock = RealTimeClock(unixSeconds: board.clockAtPowerOn, at: .start)
        return switch role {
        case .repeater:
            Bench(
                RepeaterNode(
                    identity: identity, board: board, setup: setup, random: random, clock: clock, flash: flash))
        case .roomServer:
            Bench(
                RoomServer(
                    identity: identity, board: board, setup: setup, random: random, clock: clock, flash: flash))
        case .sensor:
            Bench(
                SensorNode(
                    identity: identity, board: board, setup: setup, random: random, clock: clock, flash: flash))
        }
    }

    var server: ServerState { bench.server }

    /// The same node after a restart: its flash and nothing else.
    func restarted(adverts: Bool = false) -> ServerStage {
        var stage = ServerStage(role, board: board, flash: server.flash, adverts: adverts, seed: 2)
        stage.stamp = stamp
        return stage
    }

    // MARK: Time, console and air

    /// Lets time pass; what is sent meanwhile.
    @discardableResult
    mutating func run(milliseconds: Int) -> [Sent] {
        let (start, count) = (bench.now, bench.sent.count)
        bench.run(.milliseconds(milliseconds))
        return bench.sent[count...].compactMap { sent in
            guard let packet = try? PacketView([UInt8](hex: sent.frame) ?? []) else { return nil }
            return Sent(at: sent.at - start.milliseconds, packet: packet)
        }
    }

    /// A line on the console; the answer.
    @discardableResult
    mutating func type(_ line: String) -> String { bench.type(line) }

    /// Everything that the console has printed.
    var console: String { String(decoding: bench.printed, as: UTF8.self) }

    /// A line on the console; everything that is printed upon it.
    mutating func printing(_ line: String) -> String {
        _ = bench.type(line)
        return console
    }

    /// Presents a frame; what is sent in so many milliseconds.
    @discardableResult
    mutating func hear(_ frame: [UInt8], snr: Double = 10, observing milliseconds: Int = 2500) -> [Sent] {
        let (start, count) = (bench.now.milliseconds, bench.sent.count)
        let signal = Signal(snrHundredths: Int16(snr * 100), rssiHundredths: -6000)
        bench.handle(.heard(RadioFrame(frame), signal))
        let atOnce = bench.sent[count...].compactMap { sent in
            (try? PacketView([UInt8](hex: sent.frame) ?? [])).map { Sent(at: sent.at - start, packet: $0) }
        }
        return atOnce + run(milliseconds: milliseconds)
    }

    @discardableResult
    mutating func hear(_ hex: String, snr: Double = 10, observing milliseconds: Int = 2500) -> [Sent] {
        hear([UInt8](hex: hex) ?? [], snr: snr, observing: milliseconds)
    }

    mutating func holdChannel(_ isBusy: Bool) { bench.isChannelBusy = isBusy }
    mutating func setClock(_ unixSeconds: UInt32) { bench.setClock(unixSeconds) }

    // MARK: Clients

    /// A time stamp that no client has used.
    mutating func nextStamp() -> UInt32 {
        stamp += 1
        return stamp
    }

    /// A login as the role reads it.
    func login(
        _ peer: Peer, _ password: String, at time: UInt32, since: UInt32 = 0, by way: Peer.Way = .flood
    ) -> [UInt8] {
        let plaintext =
            role == .roomServer
            ? RoomLoginPlaintext(timestamp: time, syncSince: since, password: ByteText(password)).written()
            : LoginPlaintext(timestamp: time, password: ByteText(password)).written()
        return peer.anonymous(plaintext, to: Self.key, way)
    }

    /// Sends a login, and returns its answer; `nil` for silence.
    @discardableResult
    mutating func logIn(
        _ peer: Peer, _ password: String = "password", at time: UInt32? = nil, since: UInt32 = 0,
        by way: Peer.Way = .flood
    ) -> LoginResponsePlaintext? {
        let frame = login(peer, password, at: time ?? nextStamp(), since: since, by: way)
        return hear(frame).lazy.compactMap { $0.answer(for: peer) }.first.flatMap { answer in
            answer.withUnsafeBytes { try? LoginResponsePlaintext(reading: $0) }
        }
    }

    /// Sends a request, and returns the packets that follow.
    @discardableResult
    mutating func ask(
        _ peer: Peer, _ type: RequestType, _ parameters: [UInt8] = [0, 0, 0, 0, 1, 2, 3, 4], at time: UInt32? = nil,
        by way: Peer.Way = .direct
    ) -> [Sent] {
        let request = RequestPlaintext(tag: time ?? nextStamp(), type: type, parameters: parameters)
        return hear(peer.datagram(.req, request.written(), to: Self.key, way))
    }

    /// The answer to a request, behind its time stamp and with its padding; `nil` for silence.
    mutating func answer(
        _ peer: Peer, _ type: RequestType, _ parameters: [UInt8] = [0, 0, 0, 0, 1, 2, 3, 4], at time: UInt32? = nil,
        by way: Peer.Way = .direct
    ) -> [UInt8]? {
        let sent = ask(peer, type, parameters, at: time, by: way)
        return sent.lazy.compactMap { $0.answer(for: peer) }.first.map { [UInt8]($0.dropFirst(4)) }
    }

    /// Sends a text command, and returns its answer; `nil` for silence.
    mutating func command(
        _ peer: Peer, _ line: String, at time: UInt32? = nil, by way: Peer.Way = .direct
    ) -> String? {
        let sent = hear(peer.text(line, type: .cliData, at: time ?? nextStamp(), to: Self.key, way))
        return sent.lazy.filter { $0.type == .txtMsg }.compactMap { $0.opened(by: peer) }.first.flatMap { opened in
            opened.withUnsafeBytes { try? TextPlaintext(reading: $0).text.string }
        }
    }

    /// A client says where it is; what is sent upon it.
    @discardableResult
    mutating func teach(_ peer: Peer, _ path: [UInt8], by way: Peer.Way = .direct) -> [Sent] {
        hear(peer.pathReturn(PathLength(hashSize: 1, hops: path.count), path, to: Self.key, way))
    }
}
