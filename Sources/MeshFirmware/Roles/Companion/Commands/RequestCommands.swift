import MeshCompanion
import MeshCrypto
import MeshPacket
import MeshTime
import MeshWire

// Questions to other nodes (CompanionStatements, CMP-159 to CMP-179).
extension CompanionRadio {
    mutating func handle(_ frame: SendLogin) {
        endFrameWithNUL()
        guard let index = contacts.index(of: frame.publicKey) else { return refuse(.notFound) }
        let password = frame.password.untilNUL.prefix(PacketLimits.password)
        var plaintext = Self.bytes(of: core.uniqueTime())
        if contacts[index].type == .room { plaintext += Self.bytes(of: contacts[index].syncSince) }
        plaintext += password.bytes
        let secret = contacts.secret(at: index, identity: core.identity)
        guard let packet = createAnonymous(to: frame.publicKey, secret: secret, plaintext) else {
            return refuse(.tableFull)
        }
        let sent = route(packet, to: index)
        note(.login, to: frame.publicKey)
        send(sent.report(tag: PendingRequests.mark(of: frame.publicKey)))
    }

    mutating func handle(_ frame: SendStatusReq) {
        request(.getStatus, to: frame.publicKey, as: .status)
    }

    mutating func handle(_ frame: SendTelemetryReq) {
        guard let key = frame.publicKey else { return reportOwnTelemetry() }
        request(.getTelemetryData, to: key, as: .telemetry)
    }

    mutating func handle(_ frame: SendBinaryReq) {
        request(frame.request, to: frame.publicKey, as: .binary)
    }

    /// Requests telemetry of the lowest permission, always flooded: only the path of the answer matters.
    mutating func handle(_ frame: SendPathDiscoveryReq) {
        guard contacts.index(of: frame.publicKey) != nil else { return refuse(.notFound) }
        let base: UInt8 = 1
        let data = [RequestType.getTelemetryData.rawValue, ~base, 0, 0, 0] + randomBytes(4)
        request(data, to: frame.publicKey, as: .discovery, flooding: true)
    }

    /// Works without a contact: a transient one with an empty path then stands for the node.
    mutating func handle(_ frame: SendAnonReq) {
        var index = contacts.index(of: frame.publicKey)
        if index == nil {
            let place = core.switches.transientContacts
            guard place != .refused else { return refuse(.notFound) }
            var contact = Contact()
            contact.publicKey = frame.publicKey
            contact.lastModified = place == .hidden ? core.unixTime : 0
            index = add(contact)
        }
        guard let index else { return refuse(.tableFull) }
        let tag = core.uniqueTime()
        let secret = contacts.secret(at: index, identity: core.identity)
        guard let packet = createAnonymous(to: frame.publicKey, secret: secret, Self.bytes(of: tag) + frame.data)
        else { return refuse(.tableFull) }
        let sent = route(packet, to: index)
        note(.binary, to: frame.publicKey, tag: tag)
        send(sent.report(tag: tag))
    }

    mutating func handle(_ frame: HasConnection) {
        if connections.contains(frame.publicKey) { ok() } else { refuse(.notFound) }
    }

    mutating func handle(_ frame: Logout) {
        connections.stop(frame.publicKey)
        ok()
    }

    // MARK: Requests

    /// A request without parameters, as chat nodes build it: random bytes make it a packet of its own.
    private mutating func request(_ type: RequestType, to key: PublicKey, as kind: PendingRequests.Kind) {
        // A node that is not known costs no random numbers.
        guard contacts.index(of: key) != nil else { return refuse(.notFound) }
        request([type.rawValue, 0, 0, 0, 0] + randomBytes(4), to: key, as: kind)
    }

    /// Sends a request and, when that worked, awaits its answer.
    private mutating func request(
        _ data: [UInt8], to key: PublicKey, as kind: PendingRequests.Kind, flooding: Bool = false
    ) {
        guard let index = contacts.index(of: key) else { return refuse(.notFound) }
        let tag = core.uniqueTime()
        guard let packet = createDatagram(.req, to: index, Self.bytes(of: tag) + data) else {
            return refuse(.tableFull)
        }
        let sent = route(packet, to: index, flooding: flooding)
        note(kind, to: key, tag: tag)
        send(sent.report(tag: tag))
    }

    private mutating func note(_ kind: PendingRequests.Kind, to key: PublicKey, tag: UInt32 = 0) {
        pending.note(kind, to: key, tag: tag, isOnly: core.quirks.contains(.onePendingRequest))
    }

    package static func bytes(of number: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { [UInt8]($0) }
    }

    mutating func randomBytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in core.random.nextByte() }
    }
}
