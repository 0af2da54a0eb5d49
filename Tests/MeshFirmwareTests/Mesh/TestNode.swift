import MeshCrypto
import MeshPacket
import MeshRadio
import MeshTime
import MeshWire

@testable import MeshFirmware

/// The smallest role: forwards if a test sets it, knows a few peers and channels, and logs its inputs.
struct TestNode: MeshNode {
    var core: RoutingCore
    var nextWake = Instant.start
    var forwards = true
    var extraAckCount = 0
    /// Zero keeps forwarding without delay where a test is not about delays.
    var floodDelayFactor: Float = 0
    var directDelayFactor: Float = 0
    var receiveDelayBase: Float = 0
    var airtimeFactor: Float = 1
    var peers: [LocalIdentity] = []
    var channels: [SharedSecret] = []
    /// The acknowledgement it waits for.
    var awaited: UInt32?
    var acceptsPaths = true
    /// The inputs in the order of arrival.
    var log: [String] = []

    init(_ identity: LocalIdentity = .named(.repeater1), board: BoardProfile = .heltecV3, random: RandomStream? = nil) {
        core = RoutingCore(
            identity: identity, board: board, random: random ?? Seed(7).stream("test"),
            clock: RealTimeClock(unixSeconds: 1_700_000_000, at: .start), at: .start)
    }

    mutating func handle(
        _ input: NodeInput, at now: Instant, radio: RadioStatus, into effects: inout [NodeEffect]
    ) {
        core.beginPass(at: now, radio: radio, effects: &effects)
        loopPass(input)
        nextWake = core.radioWake()
        core.endPass(effects: &effects)
    }

    func allowsForwarding(_ packet: PacketView) -> Bool { forwards }

    mutating func peers(withHash hash: UInt8) -> PeerMatches {
        var matches = PeerMatches()
        for (index, peer) in peers.enumerated() where peer.publicKey[0] == hash { matches.add(index) }
        return matches
    }

    mutating func secret(ofPeer index: Int) -> SharedSecret {
        core.identity.sharedSecret(with: peers[index].publicKey)
    }

    mutating func channels(withHash hash: UInt8) -> ChannelMatches {
        var matches = ChannelMatches()
        for (index, secret) in channels.enumerated() where MeshHash.channelHash(secret: secret) == hash {
            matches.add(index, secret: secret)
        }
        return matches
    }

    mutating func receivedFromPeer(
        _ packet: PacketView, type: PayloadType, peer index: Int, secret: SharedSecret, data: UnsafeRawBufferPointer
    ) { log.append("\(type) from \(index)") }

    mutating func receivedPath(
        _ packet: PacketView, peer index: Int, secret: SharedSecret, pathLength: PathLength,
        path: UnsafeRawBufferPointer, extraType: UInt8, extra: UnsafeRawBufferPointer
    ) -> Bool {
        log.append("PATH \([UInt8](path).hex) extra \(extraType) from \(index)")
        return acceptsPaths
    }

    mutating func receivedAnonymous(
        _ packet: PacketView, sender: PublicKey, secret: SharedSecret, data: UnsafeRawBufferPointer
    ) { log.append("ANON_REQ") }

    mutating func receivedGroup(
        _ packet: PacketView, type: PayloadType, channel index: Int, data: UnsafeRawBufferPointer
    ) { log.append("\(type) on \(index)") }

    mutating func receivedAdvert(
        _ packet: PacketView, key: PublicKey, timestamp: UInt32, appData: UnsafeRawBufferPointer
    ) { log.append("ADVERT \(key[0]) \(appData.count)") }

    mutating func receivedAck(_ packet: PacketView, ack: UInt32) -> Bool {
        log.append("ACK")
        return ack == awaited
    }

    mutating func receivedRaw(_ packet: PacketView) { log.append("RAW") }
    mutating func receivedControl(_ packet: PacketView) { log.append("CONTROL") }

    mutating func receivedTrace(
        _ packet: PacketView, tag: UInt32, auth: UInt32, flags: UInt8, snrs: UnsafeRawBufferPointer,
        hashes: UnsafeRawBufferPointer
    ) { log.append("TRACE \([UInt8](snrs).hex) \([UInt8](hashes).hex)") }
}

/// The people of the vectors; each has one byte repeated as seed.
enum Person: UInt8 {
    case alice = 1
    case bob, room, repeater1, repeater2, carol
}

extension LocalIdentity {
    static func named(_ person: Person) -> LocalIdentity {
        LocalIdentity(seed: Seed32(repeatElement(person.rawValue, count: 32)))
    }
}

extension RandomStream {
    /// A stream whose next 32-bit draw is `value`: the mixing function of SplitMix64, run backwards.
    static func drawing(_ value: UInt32) -> RandomStream {
        var z = UInt64(value) << 32
        z ^= z >> 31 ^ z >> 62
        z = z &* 0x3196_42B2_D24D_8EC3
        z ^= z >> 27 ^ z >> 54
        z = z &* 0x96DE_1B17_3F11_9089
        z ^= z >> 30 ^ z >> 60
        return RandomStream(state: z &- 0x9E37_79B9_7F4A_7C15)
    }
}
