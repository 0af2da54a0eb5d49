import MeshCompanion
import MeshCompliance
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshReports
import MeshSimulator
import MeshTime
import MeshWire

/// A companion radio of a release at its app, on virtual time.
final class StatefulCompanion: StatefulNode {
    private var radio: HeldRadio

    init(_ release: ComparedRelease, seed: Seed, on flash: Flash = Flash()) {
        var board = BoardProfile.heltecV3
        board.firmware = release.running
        var build = HeldRadio.Build(board: board, seed: seed)
        build.hooks = release.mutant(against: release.running)?.hooks
        build.flash = flash
        radio = HeldRadio(build)
        radio.connect()
    }

    var flash: Flash { radio.companion.flash }

    /// Contacts are written some seconds after their change.
    func settle() { radio.run(for: .seconds(30), until: .never) }

    /// Sends a command, and returns all frames of the second after it.
    @discardableResult
    private func ask(_ command: some CommandFrame) -> [[UInt8]] {
        radio.dropWrites()
        radio.receive(StreamFraming.encode(toRadio: command.encoded()))
        radio.run(for: .seconds(1), until: .never)
        var receiver = ClientReceiver(capacity: 1 << 16)
        while let bytes = radio.takeWrite() { _ = receiver.append(bytes) }
        var frames: [[UInt8]] = []
        while let frame = receiver.nextFrame() { frames.append(frame) }
        return frames
    }

    // MARK: Setting

    func fill(_ round: Int) {
        let odd = UInt8(truncatingIfNeeded: round & 1)
        ask(AppStart(version: 3, appName: "compare"))
        ask(SetAdvertName(name: ByteText("Alice \(round)")))
        ask(SetAdvertLatlon(latitude: 47_123_456 + Int32(odd), longitude: -8_654_321 - Int32(odd)))
        // A frequency on which every version repeats, then one that no fraction of a megahertz fits.
        ask(
            round == 0
                ? SetRadioParams(
                    frequency: 433_000, bandwidth: 125_000, spreadingFactor: 9, codingRate: 6, clientRepeat: 1)
                : SetRadioParams(
                    frequency: 868_123, bandwidth: 41_700, spreadingFactor: 10, codingRate: 7, clientRepeat: 0))
        ask(SetRadioTxPower(power: 17 + Int8(odd)))
        ask(SetTuningParams(receiveDelay: 1_234 + UInt32(odd), airtimeFactor: 2_345 + UInt32(odd)))
        ask(
            SetOtherParams(
                manualAdd: 1 - odd, telemetryModes: 0x15 + odd, advertLocationPolicy: 1 - odd, multiAcks: 1 - odd))
        ask(SetDevicePin(pin: 123_456 + UInt32(odd)))
        ask(SetPathHashMode(mode: 1 + odd))
        ask(SetAutoaddConfig(config: 0x06 + odd, maxHops: 3 + odd))
        ask(
            SetDefaultFloodScope(
                scope: FloodScope(
                    name: FixedBytes(text: ByteText("town \(round)")),
                    key: FixedBytes(repeatElement(7 + odd, count: 16)))))
        for line in ["set txdelay 0.\(6 + odd)", "set direct.txdelay 0.\(3 + odd)"] {
            ask(RunCliCommand(ByteText(line)))
        }
        for index in 0..<4 as Range<UInt8> { setChannel(index, round) }
        for number in 0..<(6 + 2 * round) { setContact(number, round) }
    }

    /// The last slot has a key and no name.
    private func setChannel(_ index: UInt8, _ round: Int) {
        let name = index == 3 ? ByteText() : ByteText("channel \(index) \(round)")
        let byte = 0x40 + index * 4 + UInt8(truncatingIfNeeded: round)
        ask(
            SetChannel(
                channelIndex: index, name: FixedBytes(text: name), secret: FixedBytes(repeatElement(byte, count: 16))))
    }

    /// Contacts of all types, one of none, with known and unknown paths and hashes of all sizes.
    private func setContact(_ number: Int, _ round: Int) {
        let small = UInt8(truncatingIfNeeded: number)
        let types: [NodeType] = [.chat, .repeater, .room, .sensor, .none, .chat]
        let lengths: [UInt8] = [0xFF, 0x02, 0x41, 0x81, 0x00, 0x3F]
        let time = 1_767_225_600 + UInt32(small) * 60 + UInt32(truncatingIfNeeded: round)
        ask(
            AddUpdateContact(
                publicKey: Peer(number: number).identity.publicKey, type: types[number % types.count],
                flags: 0x11 + UInt8(truncatingIfNeeded: round),
                outPathLength: PathLength(rawValue: lengths[number % lengths.count]),
                outPath: FixedBytes((0..<64 as Range<UInt8>).map { $0 &+ small }),
                name: FixedBytes(text: ByteText("contact \(number) \(round)")), lastAdvert: time,
                position: Position(latitude: 1_000 + Int32(small), longitude: -2_000 - Int32(small)),
                lastModified: time))
    }

    // MARK: Reading

    func read() -> [StoredValue] {
        let selfInfo = ask(AppStart(version: 3, appName: "compare")).first.map(Self.fields) ?? []
        let device = ask(DeviceQuery(appTargetVersion: 3)).first.map(Self.fields) ?? []
        var values = selfInfo.filter { !["adv_type", "max_tx_power"].contains($0.name) }.map { field in
            StoredValue(
                group: field.name == "public_key" ? "identity" : "preferences", name: field.name, value: field.value)
        }
        values += Self.preferences(device.filter { ["ble_pin", "repeat", "path_hash_mode"].contains($0.name) })
        values += preferences(in: GetTuningParams(), "")
        values += preferences(in: GetAutoaddConfig(), "auto-add ")
        values += preferences(in: GetDefaultFloodScope(), "default scope ")
        for word in ["txdelay", "direct.txdelay"] {
            guard let frame = ask(RunCliCommand(ByteText("get " + word))).first,
                let reply = try? Resp.CliReply(decoding: frame), reply.text.string.hasPrefix("> ")
            else { continue }
            values.append(
                StoredValue(group: "preferences", name: word, value: String(reply.text.string.dropFirst(2))))
        }
        for index in 0..<6 as Range<UInt8> {
            guard let frame = ask(GetChannel(channelIndex: index)).first,
                let channel = try? Resp.ChannelInfo(decoding: frame)
            else { continue }
            let value = "'\(channel.name.text.string)' \(channel.secret.hex)"
            values.append(StoredValue(group: "channels", name: "slot \(index)", value: value))
        }
        return values + contacts()
    }

    private func contacts() -> [StoredValue] {
        ask(GetContacts()).compactMap { frame in
            guard let contact = try? Resp.Contact(decoding: frame) else { return nil }
            let fields = Self.fields(frame).filter { $0.name != "public_key" }
            return StoredValue(
                group: "contacts", name: "contact \([UInt8](contact.record.publicKey.prefix(4)).hex)",
                value: fields.map { "\($0.name) \($0.value)" }.joined(separator: ", "))
        }
    }

    private func preferences(in command: some CommandFrame, _ prefix: String) -> [StoredValue] {
        let frame = ask(command).first { $0.first != ResponseCode.err.rawValue }
        return frame.map { Self.preferences(Self.fields($0), prefix) } ?? []
    }

    private static func preferences(_ fields: [PrintedField], _ prefix: String = "") -> [StoredValue] {
        fields.map { StoredValue(group: "preferences", name: prefix + $0.name, value: $0.value) }
    }

    /// The fields of a frame without its code.
    private static func fields(_ frame: [UInt8]) -> [PrintedField] {
        [PrintedField](DecodedFrame(frame, .toApp).fields.dropFirst())
    }
}
