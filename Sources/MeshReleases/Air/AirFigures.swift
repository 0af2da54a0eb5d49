import MeshCompanion
import MeshCompliance
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshSimulator
import MeshTime
import MeshWire

/// The time on the air of the same packets from companion radios of two releases, at factory settings.
struct AirFigures {
    /// A packet with its time on the air.
    struct Figure: Hashable, Sendable {
        let name: String
        let microseconds: Int64
    }

    let old: ComparedRelease
    let new: ComparedRelease
    var seeds = ReleaseSeeds()

    /// Differences within this share of the older time are of no interest.
    private static let share = 0.01

    /// A finding for what takes longer, and one for what takes less.
    func findings() -> [ReleaseFinding] {
        let before = figures(of: old, seed: seeds.old)
        let after = figures(of: new, seed: seeds.new)
        var longer: [String] = []
        var shorter: [String] = []
        for figure in before {
            guard let other = after.first(where: { $0.name == figure.name }) else {
                longer.append("\(figure.name): not sent by \(new.name)")
                continue
            }
            let change = other.microseconds - figure.microseconds
            guard Double(change.magnitude) > Double(figure.microseconds) * Self.share else { continue }
            let line = "\(figure.name): \(figure.microseconds / 1000) ms → \(other.microseconds / 1000) ms"
            if change > 0 { longer.append(line) } else { shorter.append(line) }
        }
        return [
            longer.isEmpty
                ? nil
                : ReleaseFinding(
                    weight: .airtime, id: "air/longer", title: "The same packets take longer on the air",
                    details: longer),
            shorter.isEmpty
                ? nil
                : ReleaseFinding(
                    weight: .gain, id: "air/shorter", title: "The same packets take less time on the air",
                    details: shorter),
        ].compactMap(\.self)
    }

    /// The packets that a radio sends upon commands, each with the time of its first copy.
    func figures(of release: ComparedRelease, seed: UInt64) -> [Figure] {
        var board = BoardProfile.heltecV3
        board.firmware = release.running
        var build = HeldRadio.Build(board: board, seed: Seed(seed))
        build.hooks = release.mutant(against: release.running)?.hooks
        var radio = HeldRadio(build)
        radio.connect()
        func send(_ command: some CommandFrame) -> Int64? {
            let known = radio.airLog.count
            radio.receive(StreamFraming.encode(toRadio: command.encoded()))
            radio.run(for: .seconds(20), until: .never)
            return radio.airLog.dropFirst(known).first?.airtime.microseconds
        }
        let time: UInt32 = 1_767_225_600
        _ = send(
            AddUpdateContact(
                publicKey: Peer.bob.identity.publicKey, flags: 0, outPath: FixedBytes(),
                name: FixedBytes(text: "Bob"), lastAdvert: time))
        let texts: [(name: String, airtime: Int64?)] = [
            ("an advert", send(SendSelfAdvert(type: 1))),
            ("a channel text of 20 bytes", send(channelText(20, at: time))),
            ("a channel text of 100 bytes", send(channelText(100, at: time + 1))),
            (
                "a direct text of 20 bytes",
                send(
                    SendTxtMsg(
                        attempt: 0, timestamp: time + 2,
                        publicKeyPrefix: FixedBytes([UInt8](Peer.bob.key.prefix(6))), text: text(20)))
            ),
        ]
        return texts.compactMap { text in text.airtime.map { Figure(name: text.name, microseconds: $0) } }
    }

    private func text(_ count: Int) -> ByteText { ByteText(bytes: [UInt8](repeating: 0x61, count: count)) }

    private func channelText(_ count: Int, at time: UInt32) -> SendChannelTxtMsg {
        SendChannelTxtMsg(channelIndex: 0, timestamp: time, text: text(count))
    }
}
