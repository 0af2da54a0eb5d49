import MeshCrypto
import MeshPacket
import MeshRadio
import MeshTime
import MeshWire

/// A role on top of the routing core: policy, and the handling of payloads for this node.
///
/// The requirements are the questions that the core asks while a packet passes through it (`Mesh` in the firmware).
/// They are called from the pipeline in the extensions of this protocol, specialised per role: no existential is
/// involved. All but the policy have a default that does nothing, as in the firmware. A role's pass looks like this:
///
/// ```swift
/// core.beginPass(at: now, radio: radio, effects: &effects)
/// loopPass(input)
/// // what the role does in its own loop: commands of the app, timers
/// core.endPass(effects: &effects)
/// ```
protocol MeshNode: NodeCore {
    var core: RoutingCore { get set }

    // MARK: Policy

    /// Returns whether the role forwards this packet; asked once the core has found no objection.
    mutating func allowsForwarding(_ packet: PacketView) -> Bool
    /// Extra copies of acknowledgements on direct routes.
    var extraAckCount: Int { get }
    /// Factors of OverTheAir, "Retransmit delays", for floods and for direct packets; companions 0.5 and 0.2.
    var floodDelayFactor: Float { get }
    var directDelayFactor: Float { get }
    /// `rxdelay`, 0 = off.
    var receiveDelayBase: Float { get }
    /// `af`, 1.0 = half the time.
    var airtimeFactor: Float { get }
    /// The pause before a flood of `delayLength` bytes is forwarded, in milliseconds; draws one random number.
    mutating func floodRetransmitDelay(bytes: Int) -> UInt32
    /// The pause before a direct packet of `delayLength` bytes is forwarded, in milliseconds; draws one random number.
    mutating func directRetransmitDelay(bytes: Int) -> UInt32

    // MARK: Reception

    /// True when `logReceived` does anything; otherwise the frame is not even put together.
    var logsReceptions: Bool { get }
    /// Every frame with a good checksum, before it is interpreted.
    mutating func logReceived(_ frame: RadioFrame, _ signal: Signal)
    /// True when the role receives packets as a log does; otherwise the packets are not even looked up.
    ///
    /// Mutating although nothing changes: the compiler copies a whole node to ask it for a property.
    var tapsPackets: Bool { mutating get }
    /// A packet that can be read was received, before anything is decided on it; copies included (`logRx`).
    mutating func tapReceived(_ packet: PacketView, _ signal: Signal)
    /// A transmission has begun.
    mutating func tapBegun(_ packet: PacketView)
    /// A transmission has ended (`logTx`), or was given up (`logTxFail`).
    mutating func tapSent(_ packet: PacketView, isDone: Bool)
    /// Every packet before anything is decided on it; server roles look up the region of a flood here.
    mutating func resolveRegion(_ packet: PacketView)

    /// Peers whose key starts with `hash`, in table order, at most eight.
    mutating func peers(withHash hash: UInt8) -> PeerMatches
    /// The secret shared with a peer found by `peers`.
    mutating func secret(ofPeer index: Int) -> SharedSecret
    /// A REQ, RESPONSE or TXT_MSG was decrypted. `data` includes the zero padding.
    mutating func receivedFromPeer(
        _ packet: PacketView, type: PayloadType, peer index: Int, secret: SharedSecret, data: UnsafeRawBufferPointer)
    /// A returned path was decrypted; `true` accepts it (and, when it came by flood, has a reciprocal one sent).
    mutating func receivedPath(
        _ packet: PacketView, peer index: Int, secret: SharedSecret, pathLength: PathLength,
        path: UnsafeRawBufferPointer, extraType: UInt8, extra: UnsafeRawBufferPointer
    ) -> Bool
    /// An ANON_REQ was decrypted with its sender's key.
    mutating func receivedAnonymous(
        _ packet: PacketView, sender: PublicKey, secret: SharedSecret, data: UnsafeRawBufferPointer)
    /// Channels with this hash in slot order, at most four, as 32-byte secrets.
    mutating func channels(withHash hash: UInt8) -> ChannelMatches
    /// A GRP_TXT or GRP_DATA was decrypted with the secret of a channel.
    mutating func receivedGroup(
        _ packet: PacketView, type: PayloadType, channel index: Int, data: UnsafeRawBufferPointer)
    /// A verified advert that is not our own.
    mutating func receivedAdvert(
        _ packet: PacketView, key: PublicKey, timestamp: UInt32, appData: UnsafeRawBufferPointer)
    /// An acknowledgement; `true` when it was ours, and then it is not forwarded as a flood.
    ///
    /// The firmware marks the packet before it asks for its route. So a role must treat every acknowledgement of
    /// its own as a direct one (OTA-068).
    mutating func receivedAck(_ packet: PacketView, ack: UInt32) -> Bool
    /// A RAW_CUSTOM at the end of its direct route.
    mutating func receivedRaw(_ packet: PacketView)
    /// A zero-hop CONTROL; repeats are delivered again.
    mutating func receivedControl(_ packet: PacketView)
    /// A trace that has visited its whole path; repeats are delivered again.
    mutating func receivedTrace(
        _ packet: PacketView, tag: UInt32, auth: UInt32, flags: UInt8, snrs: UnsafeRawBufferPointer,
        hashes: UnsafeRawBufferPointer)
}

extension MeshNode {
    var logsReceptions: Bool { true }
    var extraAckCount: Int { 0 }
    var receiveDelayBase: Float { 0 }
    var airtimeFactor: Float { 1 }

    mutating func floodRetransmitDelay(bytes: Int) -> UInt32 {
        core.uniformDelay(bytes: bytes, factor: floodDelayFactor)
    }

    mutating func directRetransmitDelay(bytes: Int) -> UInt32 {
        core.uniformDelay(bytes: bytes, factor: directDelayFactor)
    }

    mutating func logReceived(_ frame: RadioFrame, _ signal: Signal) {}
    var tapsPackets: Bool { mutating get { false } }
    mutating func tapReceived(_ packet: PacketView, _ signal: Signal) {}
    mutating func tapBegun(_ packet: PacketView) {}
    mutating func tapSent(_ packet: PacketView, isDone: Bool) {}
    mutating func resolveRegion(_ packet: PacketView) {}
    mutating func peers(withHash hash: UInt8) -> PeerMatches { PeerMatches() }
    mutating func secret(ofPeer index: Int) -> SharedSecret { SharedSecret() }
    mutating func receivedFromPeer(
        _ packet: PacketView, type: PayloadType, peer index: Int, secret: SharedSecret, data: UnsafeRawBufferPointer
    ) {}
    mutating func receivedPath(
        _ packet: PacketView, peer index: Int, secret: SharedSecret, pathLength: PathLength,
        path: UnsafeRawBufferPointer, extraType: UInt8, extra: UnsafeRawBufferPointer
    ) -> Bool { false }
    mutating func receivedAnonymous(
        _ packet: PacketView, sender: PublicKey, secret: SharedSecret, data: UnsafeRawBufferPointer
    ) {}
    mutating func channels(withHash hash: UInt8) -> ChannelMatches { ChannelMatches() }
    mutating func receivedGroup(
        _ packet: PacketView, type: PayloadType, channel index: Int, data: UnsafeRawBufferPointer
    ) {}
    mutating func receivedAdvert(
        _ packet: PacketView, key: PublicKey, timestamp: UInt32, appData: UnsafeRawBufferPointer
    ) {}
    mutating func receivedAck(_ packet: PacketView, ack: UInt32) -> Bool { false }
    mutating func receivedRaw(_ packet: PacketView) {}
    mutating func receivedControl(_ packet: PacketView) {}
    mutating func receivedTrace(
        _ packet: PacketView, tag: UInt32, auth: UInt32, flags: UInt8, snrs: UnsafeRawBufferPointer,
        hashes: UnsafeRawBufferPointer
    ) {}
}

extension RoutingCore {
    /// The pause that most roles make before they send on a packet of this length, in milliseconds.
    ///
    /// Here because a role that asks the core for its estimate copies the whole core.
    fileprivate mutating func uniformDelay(bytes: Int, factor: Float) -> UInt32 {
        RetransmitDelay.uniform(
            airtimeMilliseconds: airtime.milliseconds(bytes: bytes), factor: factor, random: random.nextU32())
    }
}
