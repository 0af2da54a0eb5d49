import ArgumentParser
import MeshCompanion
import MeshCrypto
import MeshPacket
import MeshRecords
import MeshTestSupport
import MeshWire
import Testing

@testable import meshbed

@Suite struct DecodingTests {
    @Test func `a packet has the facts of its record, for people and for programs`() throws {
        let file = try RecordFile(FieldExample.bytes("observers.jsonl"))

        let record = PacketDecoder(printer: PacketPrinter()).decode(file.packets[0])

        #expect(record.name.contains("ADVERT"), "\(record.name)")
        #expect(!record.isMalformed)
        let facts = try #require(record.heard?.circumstances)
        #expect(
            facts == "2025-11-22 12:00:01.700 UTC, heard by Valley observer (48075a), SNR 9.5 dB, RSSI -71 dBm")
        let json = RecordJSON(record).line
        #expect(json.contains(#""observer":"Valley observer""#) && json.contains(#""snr":9.5"#))
        let plain = PacketDecoder(printer: PacketPrinter()).decode(HeardPacket([0x15, 0x00], .hex, line: 1))
        #expect(!RecordJSON(plain).line.contains("heard"))
    }

    @Test func `a card follows the rules of what is stored`() throws {
        let card = try #require(try RecordFile(FieldExample.bytes("cards.txt")).packets.first)

        #expect(card.source == .blob)
        #expect(!PacketDecoder(printer: PacketPrinter()).decode(card).isMalformed)
    }

    @Test func `files and arguments exclude each other`() throws {
        let command = try Decode.Packet.parse(["--from", "a.jsonl", "--from", "-"])

        #expect(command.files == ["a.jsonl", "-"])
        #expect(throws: (any Error).self) { try Decode.Packet.parse(["--from", "a.jsonl", "1500"]) }
    }

    @Test func `telemetry is printed record by record`() {
        let frame = "8b00" + "112233445566" + "0174019a" + "02670109" + "0000"
        let record = FrameDecoder(direction: .toApp).decode([UInt8](hex: frame) ?? [])

        #expect(record.name == "PUSH_CODE_TELEMETRY_RESPONSE")
        #expect(record.text.contains("channel 1 voltage: 4.1 V; channel 2 temperature: 26.5 °C"))
        #expect(RecordJSON(record).line.contains("channel 2 temperature: 26.5"))
    }

    @Test func `a frame is printed with its fields`() {
        let record = FrameDecoder(direction: nil).decode([UInt8](hex: "0BF2440D0024F400000805") ?? [])

        #expect(record.name == "CMD_SET_RADIO_PARAMS")
        #expect(record.direction == "to-radio")
        #expect(!record.isMalformed)
        #expect(record.text.contains("869618 kHz"))
    }

    @Test func `an unknown code keeps its bytes and is no fault`() {
        let record = FrameDecoder(direction: .toApp).decode([0x7F, 1, 2])

        #expect(!record.isMalformed)
        #expect(record.text.contains("0102"))
    }

    @Test func `a cut frame names field and offset`() {
        let record = FrameDecoder(direction: .toRadio).decode([0x0B, 0xF2, 0x44, 0x0D, 0x00, 0x24])

        #expect(record.isMalformed)
        #expect(record.failure?.field == "bw")
        #expect(record.failure?.offset == 5)
        #expect(RecordJSON(record).line.contains(#""failure":{"field":"bw","offset":5"#))
    }

    @Test(arguments: [
        ("#test", "#test", MeshHash.hashtagKey("#test").hex + String(repeating: "0", count: 32)),
        (
            "Team=000102030405060708090a0b0c0d0e0f", "Team",
            "000102030405060708090a0b0c0d0e0f" + String(repeating: "0", count: 32)
        ),
        ("a=b=" + String(repeating: "ab", count: 32), "a=b", String(repeating: "ab", count: 32)),
    ])
    func `a channel is given by its key or as a hashtag`(text: String, name: String, secret: String) throws {
        let channel = try ChannelArgument.read(text)

        #expect(channel.name == name)
        #expect(channel.secret.hex == secret)
    }

    @Test(arguments: ["", "#", "Team", "Team=", "Team=0011", "=00", "Team=zz"])
    func `what is no channel is refused`(text: String) {
        #expect(throws: (any Error).self) { try ChannelArgument.read(text) }
    }

    @Test func `a packet of the public channel is opened without a key`() throws {
        let plaintext = [UInt8]([0x01, 0x02, 0x03, 0x04, 0x00]) + Array("ann: hi".utf8)
        let packet = try #require(Self.groupText(plaintext))

        let command = try Decode.Packet.parse([packet.hex])
        let printer = PacketPrinter(channels: command.channels + [ChannelArgument.publicChannel])
        let record = PacketDecoder(printer: printer, source: .radio).decode(packet, as: .radio)

        #expect(record.openedBy == "Public")
        #expect(record.text.contains("ann: hi"))
        #expect(RecordJSON(record).line.contains(#""openedBy":"Public""#))
    }

    /// A flood of a group text as a radio sends it.
    private static func groupText(_ plaintext: [UInt8]) -> [UInt8]? {
        let secret = ChannelArgument.publicChannel.secret
        let sealed = Sealing.seal(plaintext, secret: secret)
        return [0x15, 0x00, MeshHash.channelHash(secret: secret)] + sealed
    }
}
