import MeshCompliance
import MeshCrypto
import MeshFirmware
import MeshTime
import MeshWire

// Clients of the node, played by the suite. Payloads: InfrastructureNodes, "Login", "Requests" and "Command line".
extension RoleProbe {
    /// The route by which a client's packet comes to the node.
    enum Route {
        case flood
        case floodAlong([UInt8], hashSize: UInt8 = 1)
        case direct
        case scoped([UInt8])
    }

    private func send(_ packet: AirPacket, by route: Route, for span: TimeSpan = .seconds(4)) throws -> [NodeReply] {
        switch route {
        case .flood: try hear(packet.by(.flood), for: span)
        case .floodAlong(let path, let size): try hear(packet.by(.flood, path: path, hashSize: size), for: span)
        case .direct: try hear(packet.by(.direct), for: span)
        case .scoped(let key): try hear(packet.by(.flood).scoped(key), for: span)
        }
    }

    // MARK: Logins

    /// The packet of a login; a room has the time of the newest post in front of the password.
    func login(_ peer: Peer, _ password: String, at time: UInt32, since: UInt32 = 0) throws -> AirPacket {
        let since = role == .roomServer ? since.wireBytes : []
        return peer.anonymous(time.wireBytes + since + [UInt8](password.utf8), to: try key())
    }

    /// Sends a login, and returns what follows.
    @discardableResult
    func sendLogin(
        _ peer: Peer, _ password: String = "password", at time: UInt32? = nil, since: UInt32 = 0,
        by route: Route = .flood
    ) throws -> [NodeReply] {
        try send(try login(peer, password, at: time ?? nextStamp(), since: since), by: route)
    }

    /// Sends a login, and returns the 13 bytes of its answer; `nil` for silence.
    @discardableResult
    func logIn(
        _ peer: Peer, _ password: String = "password", at time: UInt32? = nil, since: UInt32 = 0,
        by route: Route = .flood
    ) throws -> [UInt8]? {
        try answer(in: try sendLogin(peer, password, at: time, since: since, by: route), for: peer)
    }

    /// Logs an administrator in, who must be let in.
    func admit(_ peer: Peer) throws {
        let answer = try logIn(peer)
        try require(answer != nil, "an answer to a login", got: "silence")
    }

    /// A question of somebody who has not logged in.
    func ask(
        _ peer: Peer, question: UInt8, at time: UInt32? = nil, pathLength: UInt8 = 0, path: [UInt8] = [],
        by route: Route = .direct
    ) throws -> [NodeReply] {
        let plaintext = (time ?? nextStamp()).wireBytes + [question, pathLength] + path
        return try send(peer.anonymous(plaintext, to: try key()), by: route)
    }

    // MARK: Requests

    /// Sends a request, and returns what follows.
    @discardableResult
    func request(
        _ peer: Peer, _ type: UInt8, _ parameters: [UInt8] = [0, 0, 0, 0, 1, 2, 3, 4], at time: UInt32? = nil,
        by route: Route = .direct
    ) throws -> [NodeReply] {
        let plaintext = (time ?? nextStamp()).wireBytes + [type] + parameters
        return try send(peer.seal(.request, plaintext, to: try key()), by: route)
    }

    /// The answer to a request behind its time stamp, with its padding; `nil` for silence.
    func answer(
        _ peer: Peer, _ type: UInt8, _ parameters: [UInt8] = [0, 0, 0, 0, 1, 2, 3, 4], at time: UInt32? = nil,
        by route: Route = .direct
    ) throws -> [UInt8]? {
        let replies = try request(peer, type, parameters, at: time, by: route)
        return try answer(in: replies, for: peer).map { [UInt8]($0.dropFirst(4)) }
    }

    /// The answer that a client finds among packets, by whatever carrier.
    func answer(in replies: [NodeReply], for peer: Peer) throws -> [UInt8]? {
        for reply in replies {
            switch reply.packet.kind {
            case .response: if let opened = try open(reply, by: peer) { return opened }
            case .path:
                if let path = try pathReturn(reply, for: peer), path.extraType & 15 == 1 { return path.extra }
            default: break
            }
        }
        return nil
    }

    /// The bytes that the node sealed for a client.
    func open(_ reply: NodeReply, by peer: Peer) throws -> [UInt8]? { peer.open(reply.packet, from: try key()) }

    /// The contents of a returned path.
    func pathReturn(_ reply: NodeReply, for peer: Peer) throws -> ReturnedPath? {
        guard reply.packet.kind == .path, let opened = try open(reply, by: peer) else { return nil }
        let count = Int(opened[0] >> 6 + 1) * Int(opened[0] & 63)
        guard opened.count > count + 1 else { return nil }
        return ReturnedPath(
            length: opened[0], path: [UInt8](opened[1..<(1 + count)]), extraType: opened[1 + count],
            extra: [UInt8](opened[(2 + count)...]))
    }

    // MARK: Texts and paths

    /// Sends a text, and returns what follows.
    @discardableResult
    func text(
        _ peer: Peer, _ text: String, type: UInt8 = 0, attempt: UInt8 = 0, at time: UInt32? = nil,
        by route: Route = .direct, for span: TimeSpan = .seconds(4)
    ) throws -> [NodeReply] {
        let packet = peer.text(
            [UInt8](text.utf8), at: time ?? nextStamp(), type: type, attempt: attempt, to: try key())
        return try send(packet, by: route, for: span)
    }

    /// Sends a command by radio, and returns its answer; `nil` for silence.
    func command(_ peer: Peer, _ line: String, at time: UInt32? = nil, by route: Route = .direct) throws -> String? {
        for reply in try text(peer, line, type: 1, at: time, by: route) where reply.packet.kind == .text {
            if let opened = try open(reply, by: peer) { return opened.dropFirst(5).prefix { $0 != 0 }.text }
        }
        return nil
    }

    /// The value that acknowledges a text of a client.
    func acknowledgement(of text: String, flags: UInt8, at time: UInt32, by peer: Peer) -> [UInt8] {
        let plaintext = time.wireBytes + [flags] + [UInt8](text.utf8)
        return MeshHash.ackHash(plaintext: plaintext, key: PublicKey(peer.key)).wireBytes
    }

    /// A client says where it is; what the node sends upon it. The same path once more is another packet.
    @discardableResult
    func teach(_ peer: Peer, _ path: [UInt8], by route: Route = .direct) throws -> [NodeReply] {
        try send(peer.returnedPath(path, freshExtra(), to: try key()), by: route)
    }

    /// Makes a region that allows floods, whatever the version does with a new one.
    func putRegion(_ name: String) throws {
        try type("region put \(name)")
        try type("region allowf \(name)")
    }
}

/// The content of a returned path.
struct ReturnedPath: Sendable {
    let length: UInt8
    let path: [UInt8]
    let extraType: UInt8
    let extra: [UInt8]
}

extension Sequence<UInt8> {
    /// The bytes as text.
    var text: String { String(decoding: [UInt8](self), as: UTF8.self) }
}
