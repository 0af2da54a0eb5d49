import MeshCompanion
import MeshCrypto
import MeshReports
import MeshSimulator
import MeshWire

/// A contact as GET_CONTACTS and GET_CONTACT_BY_KEY report it; the parts are named for `Captures`.
let contactLayout: Pattern = "03 key32 type1 flags1 plen1 path64 name32 adv4 lat4 lon4 mod4"

// What most statements begin with.
extension Probe {
    /// The parts of SELF_INFO.
    func selfInfo() throws -> Captures {
        let info = try ask(
            "01 00×7",
            """
            05 01 power1 max1 key32 lat4 lon4 acks1 policy1 telemetry1 manual1 freq4 bw4 sf1 cr1 name…
            """)
        knownKey = info["key"]
        return info
    }

    /// The parts of DEVICE_INFO. Asking announces protocol version 3, which is what clients do.
    ///
    /// Older radios do not have the last two, and newer ones may have more.
    @discardableResult
    func deviceInfo() throws -> Captures {
        var info = try ask("16 03", "0D level1 contacts1 channels1 pin4 date12 model40 firmware20 rest…")
        info.keep([UInt8](info["rest"].prefix(1)), as: "repeat")
        info.keep([UInt8](info["rest"].dropFirst().prefix(1)), as: "mode")
        return info
    }

    /// A time-out that contains the airtime of the version's preamble.
    func timeOut(_ usual: UInt32, before16 short: UInt32) -> UInt32 {
        switches.shortPreamble == FirmwareSwitches().shortPreamble ? usual : short
    }

    /// The radio's public key.
    func me() throws -> [UInt8] {
        if let knownKey { return knownKey }
        return try selfInfo()["key"]
    }

    /// The radio's clock.
    func now() throws -> UInt32 {
        try ask("05", "09 time4").number("time")
    }

    /// Fails unless `time` is the radio's clock, give or take what passed since.
    func requireNow(_ what: String, _ time: UInt32) throws {
        let now = try now()
        let slack = (target as? PeeredTarget)?.clockSlack ?? 3
        try require(time <= now && now - time <= slack, "\(what) \(now)", got: "\(time)")
    }

    /// The frequencies in kHz on which the radio may repeat; what cannot be one is left out.
    func repeatRanges() throws -> [ClosedRange<UInt32>] {
        let list = try ask("3C", "1A ranges…")["ranges"]
        return stride(from: 0, to: list.count - list.count % 8, by: 8).compactMap { offset in
            let (low, high) = (list[offset...].littleEndian, list[(offset + 4)...].littleEndian)
            return low > 0 && low <= high && high < .max ? low...high : nil
        }
    }

    /// Ends a statement on keys where the build neither imports nor exports them.
    func requireKeys(_ command: Pattern) throws {
        guard target.board == nil, try ask(command, "…").frame == [ResponseCode.disabled.rawValue] else { return }
        throw OutOfSight(reason: "is about builds that take and give private keys, and this one answers DISABLED")
    }

    /// Erases the radio by command, and waits until it is back.
    func factoryReset() throws {
        try send("33 'reset'")
        if !switches.disablesStreams, target.interface == .serial { try expect("00") }
        try comeBack()
    }

    /// Number of channel slots.
    func channelCount() throws -> UInt8 {
        try deviceInfo()["channels"].first ?? 0
    }

    // MARK: Contacts

    /// ADD_UPDATE_CONTACT of 148 bytes.
    func contactFrame(
        _ peer: Peer, type: UInt8 = 1, flags: UInt8 = 0, pathLength: UInt8 = 0xFF, path: [UInt8] = [],
        advert: UInt32 = 0, position: (lat: Int32, lon: Int32) = (0, 0), lastmod: UInt32
    ) -> Pattern {
        """
        09 \(peer.key) \(type) \(flags) \(pathLength) \(path.padded(to: 64)) \([UInt8](peer.name.utf8).padded(to: 32))
        \(advert) \(position.lat) \(position.lon) \(lastmod)
        """
    }

    /// Has the radio know a peer, along `path` when one is given.
    func add(
        _ peer: Peer, type: UInt8 = 1, flags: UInt8 = 0, path: [UInt8]? = nil, lastmod: UInt32? = nil
    ) throws {
        let length = path.map { UInt8(truncatingIfNeeded: $0.count) } ?? 0xFF
        let lastmod = try lastmod ?? now()
        try ask(
            contactFrame(peer, type: type, flags: flags, pathLength: length, path: path ?? [], lastmod: lastmod), "00")
    }

    /// Has the radio know another real one, without a path.
    func add(key: [UInt8]) throws {
        let name = [UInt8]("comply".utf8).padded(to: 32)
        try ask("09 \(key) 01 00 FF 00×64 \(name) 00×12 \(try now())", "00")
    }

    /// The contact with this key.
    func contact(_ key: [UInt8]) throws -> Captures {
        try ask("1E \(key)", contactLayout)
    }

    /// A whole listing: the announced count, the keys in order, and the value of END_OF_CONTACTS.
    func contacts(since: UInt32? = nil) throws -> (count: UInt32, keys: [[UInt8]], end: UInt32) {
        let command: Pattern = if let since { "04 \(since)" } else { "04" }
        let count = try ask(command, "02 count4").number("count")
        let frames = try collect { $0.first == 4 }
        let end = try require(frames.last ?? [], "04 mod4").number("mod")
        return (count, frames.filter { $0.first == 3 }.map { [UInt8]($0.dropFirst().prefix(32)) }, end)
    }

    /// A frame or plaintext that is already there must match.
    @discardableResult
    func require(_ frame: [UInt8], _ pattern: Pattern) throws -> Captures {
        guard case .matches(let parts) = try pattern.match(frame) else {
            throw failure(expected: pattern.source, got: FrameText.reply(frame))
        }
        return parts
    }

    // MARK: Sums

    /// Returns the checksum with which the recipient of a text will acknowledge it.
    func ack(_ text: [UInt8], attempt: UInt8 = 0, at timestamp: UInt32? = nil) throws -> [UInt8] {
        let sum = SHA256.hash((timestamp ?? sentAt).wireBytes + [attempt & 3] + text + (try me()))
        return [UInt8](sum.prefix(4))
    }

    func ack(_ text: String, attempt: UInt8 = 0, at timestamp: UInt32? = nil) throws -> [UInt8] {
        try ack([UInt8](text.utf8), attempt: attempt, at: timestamp)
    }

    /// The radio's signature must be good.
    func requireSignature(_ signature: [UInt8], of message: [UInt8]) throws {
        let isGood = Ed25519.verify(Signature(signature), of: message, by: PublicKey(try me()))
        try require(isGood, "a signature of the node's key over \(message.count) bytes", got: FrameText.hex(signature))
    }

    /// Opens a packet that the radio sealed for `peer`, padding or not; throws when that fails.
    func open(_ packet: AirPacket, by peer: Peer) throws -> [UInt8] {
        guard let plaintext = peer.open(packet, from: try me()) else {
            throw failure(expected: "a packet for \(peer.name)", got: FrameText.hex(packet.bytes))
        }
        return plaintext
    }

    /// Opens a packet that the radio sealed on a channel; throws when that fails.
    func open(_ packet: AirPacket, on channel: Channel) throws -> [UInt8] {
        guard let plaintext = channel.open(packet) else {
            throw failure(expected: "a packet of the channel", got: FrameText.hex(packet.bytes))
        }
        return plaintext
    }
}

extension [UInt8] {
    /// Zeros behind the bytes up to `count`; longer runs are cut.
    func padded(to count: Int) -> [UInt8] {
        prefix(count) + [UInt8](repeating: 0, count: Swift.max(0, count - self.count))
    }

    /// Zeros up to a whole number of cipher blocks.
    var blockPadded: [UInt8] { padded(to: (count + 15) / 16 * 16) }
}

/// A run of equal bytes.
func bytes(_ byte: UInt8, _ count: Int) -> [UInt8] {
    [UInt8](repeating: byte, count: count)
}
