public import MeshCrypto
import MeshPacket
public import MeshTime
public import MeshWire

/// A repeater: forwards what it hears within its limits, and tells its neighbours and the mesh that it is there.
///
/// It relays floods and direct packets, acknowledgements and traces under the policy of over-the-air document §15.2:
/// the forwarding switch, the hop limits, and for floods the region and the loop. It keeps a table of its neighbours,
/// answers those that look for repeaters, and adverts itself at zero hop 16 s after boot and at the local interval, and by flood at the flood interval (§15.1). Identity, name and
/// place are kept in flash: a core booted from the same flash is the same repeater.
public struct Repeater: NodeCore {
    /// Milliseconds from boot to the first advert.
    static let bootAdvertDelay: UInt32 = 16_000

    public private(set) var nextWake: Instant
    private var nextLocalAdvert: Millis?
    private var nextFloodAdvert: Millis?
    /// Whether the packet in the pipeline belongs to a region that may be flooded.
    private var hasRegion = false
    /// Keys of the regions that allow floods, in the order of the table.
    private let regionKeys: [FixedBytes<16>]
    /// The repeaters heard without a hop between.
    public private(set) var neighbours = NeighbourTable()
    private var discoveryLimit = RateLimiter(most: 4, windowSeconds: 120)
    public private(set) var settings: RepeaterSettings
    var core: RoutingCore
    /// The file system; hand it to the next core after a reboot.
    public internal(set) var flash: Flash

    /// Boots a repeater; identity, name and place in `flash` win over the ones given here, which are stored otherwise.
    public init(
        identity newIdentity: @autoclosure () -> LocalIdentity, board: BoardProfile, settings: RepeaterSettings,
        quirks: QuirkSet = .all, random: RandomStream, clock: RealTimeClock, flash: Flash = Flash(),
        at boot: Instant = .start
    ) {
        let stored = flash[RepeaterFiles.identity].flatMap { RepeaterFiles.readIdentity($0) }
        let identity = stored ?? newIdentity()
        core = RoutingCore(
            identity: identity, board: board, quirks: quirks, random: random, clock: clock, at: boot)
        self.flash = flash
        self.settings = settings
        nextWake = boot
        regionKeys = settings.regions.filter { $0.allowsFlood && $0.name.bytes.first != UInt8(ascii: "$") }
            .map { MeshHash.regionKey(name: $0.name.bytes) }
        core.tune(board.radio)
        if stored == nil { store(RepeaterFiles.identityBytes(identity), at: RepeaterFiles.identity) }
        if let preferences = flash[RepeaterFiles.preferences] {
            RepeaterFiles.readPreferences(preferences, into: &self.settings)
        } else {
            store(RepeaterFiles.preferencesBytes(settings), at: RepeaterFiles.preferences)
        }
        armLocalAdvert()
        armFloodAdvert()
        if settings.advertsOnBoot, let advert = createSelfAdvert() {
            core.sendZeroHop(advert, delayMillis: Self.bootAdvertDelay)
        }
    }

    /// Who this repeater is.
    public var publicKey: PublicKey { core.publicKey }

    public mutating func handle(
        _ input: NodeInput, at now: Instant, radio: RadioStatus, into effects: inout [NodeEffect]
    ) {
        core.beginPass(at: now, radio: radio, effects: &effects)
        loopPass(input)
        advertiseWhenDue()
        nextWake = min(core.radioWake(), advertWake())
        core.endPass(effects: &effects)
    }

    private mutating func store(_ bytes: [UInt8], at path: String) {
        guard flash.write(bytes, to: path) else { return }
        core.effects.append(.flash(.wrote(path: path, bytes: bytes)))
    }
}

// Discovery (§15.2; infrastructure document §8.7).
extension Repeater {
    /// Names itself to a neighbour that asks for repeaters. What the limiter refuses counts, too.
    private mutating func answerDiscovery(_ packet: PacketView) {
        guard
            let request = try? packet.withPayload({ memory throws(FrameError) in try DiscoverRequest(reading: memory) }
            ),
            !settings.isForwardingDisabled, discoveryLimit.allows(at: core.unixTime), request.wants(.repeater),
            request.since ?? 0 == 0
        else { return }
        let response = DiscoverResponse(
            nodeType: .repeater, snr: packet.snr, tag: request.tag, publicKey: publicKey,
            prefixOnly: request.prefixOnly)
        guard let answer = response.written().withUnsafeBytes({ core.createControl($0) }) else { return }
        core.sendZeroHop(answer, delayMillis: 4 * floodRetransmitDelay(answer))
    }
}

// Adverts; firmware, `MyMesh::loop` and `sendSelfAdvertisement`.
extension Repeater {
    private mutating func createSelfAdvert() -> PacketView? {
        core.createAdvert(AdvertData(type: .repeater, location: settings.position, name: settings.name))
    }

    private mutating func armLocalAdvert() {
        let minutes = UInt32(settings.advertInterval) * 2
        nextLocalAdvert = minutes > 0 ? core.future(minutes * 60_000) : nil
    }

    private mutating func armFloodAdvert() {
        let hours = UInt32(settings.floodAdvertInterval)
        nextFloodAdvert = hours > 0 ? core.future(hours * 3_600_000) : nil
    }

    /// A flooded advert also starts the local interval anew, so that the two do not coincide.
    private mutating func advertiseWhenDue() {
        if let due = nextFloodAdvert, core.hasPassed(due) {
            if let advert = createSelfAdvert() {
                core.sendFlood(advert, hashSize: Int(settings.pathHashMode) + 1)
            }
            armFloodAdvert()
            armLocalAdvert()
        } else if let due = nextLocalAdvert, core.hasPassed(due) {
            if let advert = createSelfAdvert() { core.sendZeroHop(advert) }
            armLocalAdvert()
        }
    }

    private mutating func advertWake() -> Instant {
        var wake = Instant.never
        if let nextLocalAdvert { wake = core.instant(after: nextLocalAdvert) }
        if let nextFloodAdvert { wake = min(wake, core.instant(after: nextFloodAdvert)) }
        return wake
    }
}

extension Repeater: MeshNode {
    var extraAckCount: Int { Int(settings.extraAcks) }
    var floodDelayFactor: Float { settings.floodDelayFactor }
    var directDelayFactor: Float { settings.directDelayFactor }
    var receiveDelayBase: Float { settings.receiveDelayBase }
    var airtimeFactor: Float { settings.airtimeFactor }
    var logsReceptions: Bool { false }

    /// §12.3: the first region that allows floods and whose code is the packet's; the wildcard for un-scoped ones.
    mutating func resolveRegion(_ packet: PacketView) {
        switch packet.route {
        case .flood: hasRegion = settings.allowsUnscopedFloods
        case .transportFlood:
            let code = packet.transportCodes?.region
            hasRegion = regionKeys.contains { packet.transportCode(for: $0) == code }
        default: hasRegion = false
        }
    }

    /// §15.2: direct packets need nothing but the switch.
    mutating func allowsForwarding(_ packet: PacketView) -> Bool {
        guard !settings.isForwardingDisabled else { return false }
        guard packet.isFlood else { return true }
        let hops = packet.hopCount
        if hops >= Int(settings.floodMax) { return false }
        if packet.route == .flood, hops >= Int(settings.floodMaxUnscoped) { return false }
        if packet.type == .advert, hops >= Int(settings.floodMaxAdvert) { return false }
        return hasRegion && !isLooping(packet)
    }

    private func isLooping(_ packet: PacketView) -> Bool {
        guard let limit = settings.loopDetection.limit(hashSize: packet.pathLength.hashSize) else { return false }
        return packet.hops(matching: publicKey) >= limit
    }

    mutating func receivedAdvert(
        _ packet: PacketView, key: PublicKey, timestamp: UInt32, appData: UnsafeRawBufferPointer
    ) {
        guard packet.hopCount == 0, packet.transportCodes != TransportCodes(region: 0),
            let data = try? AdvertData(appData: [UInt8](appData)), data.nodeType == .repeater
        else { return }
        neighbours.note(key, advert: timestamp, heard: core.unixTime, snr: packet.snr)
    }

    mutating func receivedControl(_ packet: PacketView) {
        guard let first = packet.payloadByte(at: 0), first >> 4 == 8 else { return }
        answerDiscovery(packet)
    }
}
