import MeshTime
import MeshWire
import Testing

@testable import MeshBluetoothHost

/// Commands and events about connections, and what commands return. Source: Bluetooth Core, Vol 4 Part E, 7.
@Suite struct LinkPacketTests {
    @Test func `every command about a connection is read as it was written`() throws {
        var stream = Seed(33).stream("link commands")
        func fuzzed<G: FieldGroup>(_ type: G.Type = G.self) -> G { G.fuzzed(using: &stream) }
        for _ in 0..<15 {
            let commands: [HCI.Command] = [
                .eventMask(fuzzed()), .lowEnergyEventMask(fuzzed()), .advertisingEnable(fuzzed()),
                .scanParameters(fuzzed()), .scanEnable(fuzzed()), .disconnect(fuzzed()), .readRemoteVersion(fuzzed()),
                .connectionUpdate(fuzzed()), .startEncryption(fuzzed()), .longTermKeyReply(fuzzed()),
                .longTermKeyRefusal(fuzzed()), .connectionParameterReply(fuzzed()),
                .connectionParameterRefusal(fuzzed()), .dataLength(fuzzed()),
            ]
            for command in commands {
                let bytes = command.encoded
                #expect(try HCI.Command(decoding: bytes.span) == command)
                #expect(!HCI.name(ofCommand: command.opcode).contains("0x"))
                for count in 0..<bytes.count {
                    #expect(throws: FrameError.self) { try HCI.Command(decoding: bytes.span.extracting(first: count)) }
                }
            }
        }
    }

    @Test func `every event about a connection is read as it was written`() throws {
        var stream = Seed(34).stream("link events")
        func fuzzed<G: FieldGroup>(_ type: G.Type = G.self) -> G { G.fuzzed(using: &stream) }
        for _ in 0..<15 {
            let completed = (0..<stream.draw(0, 5)).map { _ in fuzzed(HCI.CompletedCount.self) }
            let events: [HCI.Event] = [
                .completedPackets(.init(completed)), .remoteVersion(fuzzed()), .hardwareError(fuzzed()),
                .connectionUpdated(fuzzed()), .longTermKeyRequest(fuzzed()), .connectionParameterRequest(fuzzed()),
                .dataLengthChange(fuzzed()),
            ]
            for event in events {
                let bytes = event.encoded
                #expect(try HCI.Event(decoding: bytes.span) == event)
                // The header says how long it is: what is cut off is missed.
                for count in 0..<bytes.count {
                    let event = try? HCI.Event(decoding: bytes.span.extracting(first: count))
                    #expect(event == nil || event == .other(code: bytes[0]))
                }
            }
        }
    }

    @Test(
        arguments: [
            ("0604030100" + "13", HCI.Command.disconnect(.init(handle: 1, reason: 0x13))),
            ("0a200101", .advertisingEnable(.init(true))), ("0c20020000", .scanEnable(.init(false))),
            ("2220060100fb004808", .dataLength(.init(handle: 1, bytes: 251, time: 2120))),
            ("1b20024000", .longTermKeyRefusal(.init(0x40))),
            ("010c08ff00000000000020", .eventMask(.init(0x2000_0000_0000_00FF))),
        ])
    func `a command has its fields where the specification has them`(hex: String, command: HCI.Command) throws {
        let bytes = try #require([UInt8](hex: hex))

        #expect(command.encoded == bytes)
        #expect(try HCI.Command(decoding: bytes.span) == command)
    }

    @Test func `fragments that have left the controller are told for each connection`() throws {
        let bytes = try #require([UInt8](hex: "1309" + "02" + "40000300" + "41000100"))

        let event = try HCI.Event(decoding: bytes.span)

        #expect(event == .completedPackets(.init([.init(handle: 0x40, count: 3), .init(handle: 0x41, count: 1)])))
    }

    @Test func `a key in a command is not among its printed fields`() {
        var start = HCI.StartEncryption()
        start.key = FixedBytes([UInt8](repeating: 0xAB, count: 16))
        var reply = HCI.LongTermKeyReply()
        reply.key = start.key

        for command in [HCI.Command.startEncryption(start), .longTermKeyReply(reply)] {
            #expect(command.encoded.suffix(16).allSatisfy { $0 == 0xAB })
            #expect(command.fields.isEmpty)
            #expect(command.words.isEmpty)
            var dumped = ""
            dump(command, to: &dumped)
            let effect = BluetoothHost.Effect.send([1] + command.encoded)
            dump(effect, to: &dumped)
            // 171 is the byte of the key.
            for text in ["\(command)", "\(effect)", dumped] {
                #expect(!text.contains("171") && !text.lowercased().contains("abab"))
            }
        }
    }

    @Test func `what a command returns is read behind its status`() throws {
        var complete = HCI.CommandComplete()
        complete.returned = [0, 0xFB, 0, 8]
        let size = try complete.result(HCI.BufferSize.self)

        #expect((size.dataSize, size.dataCount) == (251, 8))
        #expect(complete.status == 0)
        complete.returned = [0, 0xFB]
        let error = #expect(throws: FrameError.self) { try complete.result(HCI.BufferSize.self) }
        #expect(error?.field == "data_packet_length")
    }
}
