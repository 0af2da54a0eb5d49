import Foundation
import MeshCrypto
import MeshPacket
import MeshWire
import Testing

/// Real traffic recorded by others, which is no part of the project.
///
/// The records are read from a folder `shared/captures` beside or above the repository, or from the one that
/// `MESHBED_CAPTURES` names. Without a folder they are not read.
enum Captures {
    static let folder: URL? = {
        let candidates: [URL]
        if let named = ProcessInfo.processInfo.environment["MESHBED_CAPTURES"] {
            candidates = [URL(fileURLWithPath: named)]
        } else {
            let above = sequence(first: URL(fileURLWithPath: #filePath)) { $0.deletingLastPathComponent() }
            candidates = above.prefix { $0.path != "/" }.map { $0.appendingPathComponent("shared/captures") }
        }
        return candidates.first { FileManager.default.fileExists(atPath: $0.appendingPathComponent(files[0]).path) }
    }()

    static let files = ["onair-corescope-api.jsonl", "onair-misc.jsonl"]

    struct Record: Decodable, Sendable, CustomTestStringConvertible {
        let hex: String
        let len: Int
        let route: String
        let type: String
        let ver: UInt8
        let hashSize: Int
        let path: [String]
        let transportCodes: [UInt16]?
        let check: String

        var testDescription: String { "\(type) \(check) \(hex.prefix(24))" }
        var bytes: [UInt8] { [UInt8](hex: hex) ?? [] }
    }

    struct Observation: Decodable, Sendable, CustomTestStringConvertible {
        let raw: String
        let packetType: String
        let route: String
        let hash: String?

        var testDescription: String { String(raw.prefix(24)) }
        var bytes: [UInt8] { [UInt8](hex: raw) ?? [] }

        private enum CodingKeys: String, CodingKey {
            case raw
            case route
            case hash
            case packetType = "packet_type"
        }
    }

    static let records: [Record] = files.flatMap { name -> [Record] in
        guard let text = folder.flatMap({ try? String(contentsOf: $0.appendingPathComponent(name), encoding: .utf8) })
        else { return [] }
        return text.split(separator: "\n").compactMap { record(String($0)) }
    }

    static let observations: [Observation] = {
        guard
            let data = folder.flatMap({ try? Data(contentsOf: $0.appendingPathComponent("mqtt-observer-packets.json")) }
            )
        else { return [] }
        return (try? JSONDecoder().decode([Observation].self, from: data)) ?? []
    }()

    static func record(_ line: String) -> Record? {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try? decoder.decode(Record.self, from: Data(line.utf8))
    }

    /// Packets of the same form and verdicts, made by this project: what runs when the others are not there.
    static let own: [Record] = {
        guard let file = Bundle.module.url(forResource: "packets", withExtension: "jsonl", subdirectory: "Resources"),
            let text = try? String(contentsOf: file, encoding: .utf8)
        else { return [] }
        return text.split(separator: "\n").compactMap { record(String($0)) }
    }()
}

@Suite struct CaptureTests {
    @Test(.enabled(if: Captures.folder != nil, "captures of real traffic are not on this machine"))
    func `the captures are all there`() {
        #expect(Captures.records.count == 91)
        #expect(Captures.observations.count == 10)
    }

    @Test(
        .enabled(if: Captures.folder != nil, "captures of real traffic are not on this machine"),
        arguments: Captures.records)
    func `real packets are read as their records say`(record: Captures.Record) throws {
        try Self.check(record)
    }

    @Test(arguments: Captures.own)
    func `packets of our own making are read as their records say`(record: Captures.Record) throws {
        try Self.check(record)
    }

    @Test func `packets of our own making cover every verdict`() {
        #expect(Captures.own.count == 8)
        #expect(Set(Captures.own.map { $0.check.prefix(9) }).count == 4)
    }

    @Test(
        .enabled(if: Captures.folder != nil, "captures of real traffic are not on this machine"),
        arguments: Captures.observations)
    func `packets seen by observers have the hash that the observers' firmware gave them`(
        seen: Captures.Observation
    ) throws {
        let view = try PacketView(seen.bytes)

        #expect(view.isFlood == (seen.route == "F"))
        if let hash = seen.hash {
            #expect("\(view.type.rawValue)" == seen.packetType)
            #expect(withUnsafeBytes(of: view.packetHash.littleEndian) { $0.hex } == hash.lowercased())
        }
    }

    @Test(.enabled(if: Captures.folder != nil, "captures of real traffic are not on this machine"))
    func `the published direct message is opened with the receiver's published key`() throws {
        let key = try #require(
            ExpandedPrivateKey(
                hex: "58ba1940e97099cbb4357c62ce9c7f4b245c94c90d722e67201b989f9feacf7b"
                    + "77acaddb84438514022bdb0fc3140c2501859be1772ac7b8c7e41dc0f40490a1"))
        let sender = try #require(
            PublicKey(hex: "a1b2c3d3ba9f5fa8705b9845fe11cc6f01d1d49caaf4d122ac7121663c5beec7"))
        let record = try #require(Captures.records.first { $0.hex.hasPrefix("0900faa129") })
        let receiver = LocalIdentity(privateKey: key)

        let opened = try PacketView(record.bytes).opened(with: receiver.sharedSecret(with: sender))
        let text = try opened?.read(TextPlaintext.self)

        #expect(text?.text == "Hello there, Mr. Face!")
    }

    private static func check(_ record: Captures.Record) throws {
        let view = try PacketView(record.bytes)
        let packet = try Packet(view)

        #expect(view.count == record.len)
        #expect(view.route.name == record.route)
        #expect(view.type.name == record.type)
        #expect(view.version == record.ver)
        #expect(view.pathLength.hashSize == record.hashSize)
        #expect(view.path.hex == record.path.joined())
        #expect(view.transportCodes.map { [$0.region, $0.reserved] } == record.transportCodes)
        #expect(packet.encoded() == record.bytes)
        try verdict(record, view, packet)
    }

    private static func verdict(_ record: Captures.Record, _ view: PacketView, _ packet: Packet) throws {
        let words = record.check.split(separator: " ", maxSplits: 2).map(String.init)
        switch words[0] {
        case "advert-signature-valid":
            #expect(view.hasValidAdvertSignature)
            guard case .advert(let advert) = packet.payload else { return }
            let name = try advert.data().name.string
            #expect(record.check == "advert-signature-valid name='\(name)'")
        case "advert-signature-INVALID":
            #expect(!view.hasValidAdvertSignature)
        case "group-mac-valid":
            let secret = secret(of: words[1])
            #expect(view.channelHash == MeshHash.channelHash(secret: secret))
            let text = try #require(view.opened(with: secret)).read(GroupTextPlaintext.self).text.string
            // The record quotes the text with whichever marks the text does not use.
            #expect(words[2].dropFirst().dropLast() == text)
        case "group-unknown-key":
            for name in ["Public", "#bot", "#testing", "#wardriving", "#six77"] {
                #expect(view.opened(with: secret(of: name)) == nil)
            }
        case "plausible":
            #expect(view.payloadCount >= view.type.shortestProcessed)
            if view.type.isDatagram { #expect((view.payloadCount - 4).isMultiple(of: 16)) }
        case "unchecked": break
        default: Issue.record("an unknown verdict: \(record.check)")
        }
    }

    static func secret(of channel: String) -> SharedSecret {
        channel == "Public" ? Fixture.publicChannel : SharedSecret(channel: MeshHash.hashtagKey(channel))
    }
}
