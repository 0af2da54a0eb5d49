import MeshCompanion
import MeshTestSupport
import MeshWire
import Testing

@Suite struct FramePrinterTests {
    @Test func `a frame prints its fields with offsets, units and meanings`() {
        let printed = FramePrinter.printed([0x0B, 0x77, 0x44, 0x0D, 0, 0x24, 0xF4, 0, 0, 8, 5, 1])

        #expect(printed.name == "CMD_SET_RADIO_PARAMS")
        #expect(
            printed.description == """
                CMD_SET_RADIO_PARAMS  (app → radio, 12 bytes)
                    0  code    0x0b
                    1  freq    869495 kHz
                    5  bw      62500 Hz
                    9  sf      8
                   10  cr      5
                   11  repeat  1
                """)
    }

    @Test func `an error prints its name`() {
        #expect(FramePrinter.printed([1, 6], direction: .toApp).fields.last?.note == "ILLEGAL_ARG")
        #expect(FramePrinter.printed([1, 99], direction: .toApp).fields.last?.note == "error 99")
    }

    @Test func `a malformed frame shows what could be read and names the field that could not`() {
        let printed = FramePrinter.printed([0x0B, 0x77, 0x44, 0x0D, 0, 0x24, 0xF4], direction: .toRadio)

        #expect(printed.fields.map(\.name) == ["code", "freq"])
        #expect(printed.failure == FrameError(field: "bw", offset: 5, reason: .truncated(needed: 4, left: 2)))
    }

    @Test func `bytes behind the last field are listed as ignored`() {
        let printed = FramePrinter.printed([5, 0x39, 0x39], direction: .toRadio)

        #expect(printed.ignored == [0x39, 0x39])
        #expect(printed.failure == nil)
    }

    @Test func `a frame that the radio would not recognise says so`() throws {
        let objection = FramePrinter.printed([0x16], direction: .toRadio).objection

        #expect(try #require(objection).contains("UNSUPPORTED_CMD"))
    }

    @Test(arguments: CompanionVectors.stored.frames)
    func `a frame's direction is guessed right, or the guess is marked`(_ vector: CompanionVectors.Frame) {
        let printed = FramePrinter.printed(vector.bytes)

        #expect(printed.isGuess || (printed.direction == .toRadio) == vector.isCommand)
    }

    @Test func `text from the air cannot command a terminal`() throws {
        var message = Resp.ContactMsgRecv()
        message.message.text = "\u{1B}[2J\u{07}"

        let printed = FramePrinter.printed(message.encoded(), direction: .toApp)

        let scalars = printed.description.unicodeScalars
        #expect(!scalars.contains { $0.value < 0x20 && $0 != "\n" })
        #expect(printed.fields.last?.value == "\"\\u001B[2J\\u0007\"")
    }

    @Test func `an empty frame and an unknown code are malformed at offset 0`() {
        #expect(FramePrinter.printed([]).failure?.field == "code")
        let unknown = FramePrinter.printed([0xF0, 1, 2])
        #expect(unknown.fields.map(\.value) == ["0xf0", "0102"])
        #expect(unknown.failure?.reason == .unknownCode(0xF0))
        #expect(unknown.description.contains("  unknown: code at offset 0"))
        #expect(!unknown.description.contains("malformed"))
    }
}
