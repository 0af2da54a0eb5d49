import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshWire
import Testing

// Words that the statements are written with.
extension CompanionBench {
    /// The time at which the clock of the tests begins.
    static let epoch: UInt32 = 1_800_000_000

    /// A radio whose clock is set and which knows these nodes without a path.
    static func knowing(
        _ peers: Peer..., board: BoardProfile = .vectors, quirks: QuirkSet = .all, version: UInt8 = 3
    ) -> CompanionBench {
        var bench = CompanionBench(board: board, quirks: quirks)
        bench.send(SetDeviceTime(epoch: epoch))
        if version > 0 { bench.send(DeviceQuery(appTargetVersion: version)) }
        for peer in peers { bench.add(peer) }
        bench.toApp = []
        return bench
    }

    var key: PublicKey { radio.publicKey }
    var time: UInt32 { radio.unixTime }

    mutating func add(
        _ peer: Peer, path: PathLength = .unknown, _ hashes: [UInt8] = [], flags: UInt8 = 0, type: NodeType? = nil,
        lastModified: UInt32? = CompanionBench.epoch - 100
    ) {
        send(
            AddUpdateContact(
                publicKey: peer.key, type: type ?? peer.type, flags: flags, outPathLength: path,
                outPath: FixedBytes(hashes), name: FixedBytes(text: ByteText(peer.name)),
                lastAdvert: CompanionBench.epoch - 1000, position: Position(), lastModified: lastModified))
    }

    /// Returns the frames that the app receives because of a packet, the log of the reception left out.
    mutating func hearing(_ packet: [UInt8], snr: Double = 6.25, rssi: Double = -90) -> [[UInt8]] {
        toApp = []
        hear(packet, snr: snr, rssi: rssi)
        return takeFrames().filter { $0.first != PushCode.logRxData.rawValue }
    }

    mutating func contact(_ peer: Peer) -> ContactRecord? {
        guard let frame = ask(GetContactByKey(publicKey: peer.key)).first else { return nil }
        return try? Resp.Contact(decoding: frame).record
    }

    /// The keys that a whole listing shows.
    mutating func listing(since: UInt32? = nil) -> [PublicKey] {
        send(GetContacts(since: since))
        wait(milliseconds: 1000)
        return takeFrames().compactMap { try? Resp.Contact(decoding: $0).record.publicKey }
    }

    mutating func nextMessage() -> [UInt8] { ask(SyncNextMessage()).first ?? [] }

    /// Returns the transmissions after letting answers and delays pass.
    mutating func airAfter(milliseconds: Int = 1000) -> [PacketView] {
        wait(milliseconds: milliseconds)
        return takeTransmissions().compactMap { try? PacketView($0) }
    }

    /// A short text to a contact; the value that will acknowledge it.
    @discardableResult
    mutating func sendText(_ text: String, to peer: Peer, attempt: UInt8 = 0, at time: UInt32 = 5) -> UInt32 {
        let frame = ask(
            SendTxtMsg(
                textType: .plain, attempt: attempt, timestamp: time, publicKeyPrefix: FixedBytes(peer.prefix),
                text: ByteText(text))
        ).first
        return frame.flatMap { try? Resp.Sent(decoding: $0).tag } ?? 0
    }

    mutating func sent(_ frame: some CommandFrame) -> Resp.Sent? {
        ask(frame).first.flatMap { try? Resp.Sent(decoding: $0) }
    }

    /// The SENT with which a command is answered; anything else fails the test.
    mutating func mustSend(_ frame: some CommandFrame) throws -> Resp.Sent {
        let sent = sent(frame)
        return try #require(sent)
    }

    /// Returns the contact as the radio reports it; its absence fails the test.
    mutating func mustKnow(_ peer: Peer) throws -> ContactRecord {
        let contact = contact(peer)
        return try #require(contact)
    }
}

/// Frames that come often.
enum Answer {
    static let ok: [[UInt8]] = [[0]]
    static let unsupported: [[UInt8]] = [[1, 1]]
    static let notFound: [[UInt8]] = [[1, 2]]
    static let tableFull: [[UInt8]] = [[1, 3]]
    static let illegal: [[UInt8]] = [[1, 6]]
    static let waiting: [[UInt8]] = [[0x83]]

    static func push(_ code: PushCode, _ key: PublicKey) -> [UInt8] { [code.rawValue] + key.array }
}
