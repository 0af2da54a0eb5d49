import Testing

@testable import MeshTransports

/// The client's side of RFC 2217.
@Suite struct ComPortClientTests {
    private static let agreement: [UInt8] = [255, 253, 44]
    /// The answers to the settings of a line at 115200 baud, in the words of the RFC.
    private static let answers: [UInt8] = [
        255, 250, 44, 101, 0, 1, 0xC2, 0, 255, 240, 255, 250, 44, 102, 8, 255, 240, 255, 250, 44, 103, 1, 255, 240,
        255, 250, 44, 104, 1, 255, 240, 255, 250, 44, 105, 1, 255, 240,
    ]

    @Test func `a connection begins with the options, and sets the line when the server has them`() throws {
        var client = ComPortClient(baud: 115_200)
        #expect(
            client.opening() == [
                255, 251, 44, 255, 253, 44, 255, 251, 0, 255, 253, 0, 255, 251, 3, 255, 253, 3,
            ])

        let first = try client.receive(Self.agreement + [255, 251, 0, 255, 253, 0, 255, 251, 3, 255, 253, 3])

        #expect(first.line.isEmpty && !client.isReady)
        #expect(
            first.answer == [
                255, 250, 44, 1, 0, 1, 0xC2, 0, 255, 240, 255, 250, 44, 2, 8, 255, 240, 255, 250, 44, 3, 1, 255, 240,
                255, 250, 44, 4, 1, 255, 240, 255, 250, 44, 5, 1, 255, 240,
            ])
        #expect(try client.receive(Self.answers).answer.isEmpty)
        #expect(client.isReady)
    }

    @Test(arguments: [1, 2, 3, 7, 100])
    func `bytes pass as they are, in pieces of any size`(size: Int) throws {
        var client = ComPortClient(baud: 115_200)
        let wire = Self.agreement + [1, 2, 255, 255] + Self.answers + [255, 241, 3] + [255, 255, 255, 255, 240]
        var line: [UInt8] = []

        for start in stride(from: 0, to: wire.count, by: size) {
            line += try client.receive(wire[start..<min(wire.count, start + size)]).line
        }

        #expect(line == [1, 2, 255, 3, 255, 255, 240])
        #expect(client.encoded([1, 255, 240][...]) == [1, 255, 255, 240])
        #expect(client.isReady)
    }

    @Test func `an output is set and awaited`() throws {
        var client = ComPortClient(baud: 115_200)
        _ = try client.receive(Self.agreement + Self.answers)

        #expect(client.set(.rtsOn) == [255, 250, 44, 5, 11, 255, 240])
        #expect(!client.isReady)
        // A notice of the modem's state answers nothing.
        _ = try client.receive([255, 250, 44, 107, 0x30, 255, 240])
        #expect(!client.isReady)
        _ = try client.receive([255, 250, 44, 105, 11, 255, 240])
        #expect(client.isReady)
    }

    @Test func `options that nobody needs are refused, and no more than so often`() throws {
        var client = ComPortClient(baud: 9600)

        let answer = try client.receive([255, 251, 1, 255, 253, 24]).answer
        #expect(answer == [255, 254, 1, 255, 252, 24])

        let endless = (0..<100).flatMap { _ in [255, 253, 24] as [UInt8] }
        #expect(throws: ComPortClient.Fault.malformed) { try client.receive(endless) }
    }

    @Test(
        arguments: [
            ([255, 254, 44], .noComPort),
            (agreement + [255, 250, 44, 101, 0, 0, 0x25, 0x80, 255, 240], .otherBaud(9600)),
            (agreement + [255, 250, 44, 101, 0, 1, 255, 240], .malformed),
            (agreement + [255, 250, 44, 255, 1], .malformed),
            ([255, 250] + [UInt8](repeating: 7, count: 257), .malformed),
        ] as [([UInt8], ComPortClient.Fault)])
    func `a server that cannot be used is a fault`(wire: [UInt8], fault: ComPortClient.Fault) {
        var client = ComPortClient(baud: 115_200)

        #expect(throws: fault) { try client.receive(wire) }
    }
}
