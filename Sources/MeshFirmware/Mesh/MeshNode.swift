public import MeshCrypto
public import MeshPacket
public import MeshRadio
public import MeshTime

/// A role on top of the routing core: policy, and what is done with payloads that are for this node.
///
/// The requirements are the questions that the core asks while a packet passes through it (`Mesh` in the firmware).
/// They are called from the pipeline in `RoutingCore`'s extensions, specialised per role: no existential is involved.
protocol MeshNode: NodeCore {
    var core: RoutingCore { get set }

    // MARK: Policy

    /// Whether the role forwards this packet; asked once the core has found nothing against it.
    func allowsForwarding(_ packet: borrowing PacketView) -> Bool
    /// Extra copies of acknowledgements on direct routes.
    var extraAckCount: Int { get }
    /// Factors of §8.3 for floods and for direct packets; companions 0.5 and 0.2.
    var floodDelayFactor: Float { get }
    var directDelayFactor: Float { get }
    /// `rxdelay`, 0 = off.
    var receiveDelayBase: Float { get }
    /// `af`, 1.0 = half the time.
    var airtimeFactor: Float { get }

    // MARK: Reception

    /// Every frame with a good checksum, before it is interpreted.
    mutating func logReceived(_ frame: borrowing RadioFrame, _ signal: Signal)
    /// The resolved region of a flood (server roles); `false` is "no region".
    mutating func resolveRegion(_ packet: borrowing PacketView)

    /// Peers whose key starts with `hash`, in table order, at most eight.
    mutating func peers(withHash hash: UInt8) -> PeerMatches
    /// The secret shared with a peer found by `peers`.
    mutating func secret(ofPeer index: Int) -> SharedSecret
    /// A REQ, RESPONSE or TXT_MSG was decrypted. `data` includes the zero padding.
    mutating func receivedFromPeer(
        _ packet: borrowing PacketView, type: PayloadType, peer index: Int, secret: SharedSecret,
        data: UnsafeRawBufferPointer)
    /// A returned path was decrypted; `true` accepts it (and, when it came by flood, has a reciprocal one sent).
    mutating func receivedPath(
        _ packet: borrowing PacketView, peer index: Int, secret: SharedSecret, pathLength: PathLength,
        path: UnsafeRawBufferPointer, extraType: UInt8, extra: UnsafeRawBufferPointer) -> Bool
    mutating func receivedAnonymous(
        _ packet: borrowing PacketView, sender: PublicKey, secret: SharedSecret, data: UnsafeRawBufferPointer)
    /// Channels with this hash in slot order, at most four, as 32-byte secrets.
    mutating func channels(withHash hash: UInt8) -> ChannelMatches
    mutating func receivedGroup(
        _ packet: borrowing PacketView, type: PayloadType, channel index: Int, data: UnsafeRawBufferPointer)
    /// A verified advert that is not our own.
    mutating func receivedAdvert(
        _ packet: borrowing PacketView, key: PublicKey, timestamp: UInt32, appData: UnsafeRawBufferPointer)
    /// An acknowledgement; `true` when it was ours, and then it is not forwarded as a flood.
    mutating func receivedAck(_ packet: borrowing PacketView, ack: UInt32) -> Bool
    mutating func receivedRaw(_ packet: borrowing PacketView)
    mutating func receivedControl(_ packet: borrowing PacketView)
    /// A trace that has visited its whole path.
    mutating func receivedTrace(
        _ packet: borrowing PacketView, tag: UInt32, auth: UInt32, flags: UInt8, snrs: UnsafeRawBufferPointer,
        hashes: UnsafeRawBufferPointer)
}

/// Indices of peers that may have sent a packet; in place, at most eight.
struct PeerMatches {
    private(set) var count = 0
    private var indices: InlineArray<8, Int32> = .init(repeating: 0)

    /// Adds an index; `false` when full.
    mutating func add(_ index: Int) -> Bool {
        guard count < 8 else { return false }
        indices[count] = Int32(truncatingIfNeeded: index)
        count += 1
        return true
    }

    subscript(position: Int) -> Int { Int(indices[position]) }
}

/// Channels that may have sealed a group packet; in place, at most four.
struct ChannelMatches {
    private(set) var count = 0
    private var indices: InlineArray<4, Int32> = .init(repeating: 0)
    private var secrets: InlineArray<4, SharedSecret> = .init(repeating: SharedSecret())

    /// Adds a channel; `false` when full.
    mutating func add(_ index: Int, secret: SharedSecret) -> Bool {
        guard count < 4 else { return false }
        indices[count] = Int32(truncatingIfNeeded: index)
        secrets[count] = secret
        count += 1
        return true
    }

    subscript(position: Int) -> (index: Int, secret: SharedSecret) { (Int(indices[position]), secrets[position]) }
}
