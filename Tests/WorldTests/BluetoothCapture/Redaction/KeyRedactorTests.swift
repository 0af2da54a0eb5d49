import Testing

@testable import BluetoothCapture

/// Keys in HCI records. Source: CaptureFormats, "Private data".
@Suite struct KeyRedactorTests {
    private static let key = [UInt8](repeating: 0xAA, count: 16)

    private static func header(_ kind: HostPacketHeader.Kind, _ way: HostWay = .sent) -> HostPacketHeader {
        HostPacketHeader(record: record(.h4), kind: kind, way: way)
    }

    private static func record(_ link: LinkType, kind: UInt32 = 0) -> RecordHeader {
        RecordHeader(number: 1, offset: 0, nanoseconds: 0, link: link, originalLength: 0, kind: kind)
    }

    private static func command(_ opcode: UInt16, front: Int, _ key: [UInt8] = key, behind: Int = 0) -> [UInt8] {
        let parameters = [UInt8](repeating: 0x11, count: front) + key + [UInt8](repeating: 0x22, count: behind)
        return [UInt8(opcode & 0xFF), UInt8(opcode >> 8), UInt8(parameters.count)] + parameters
    }

    @Test(
        arguments: [
            (0x2019, 12, 16), (0x201A, 2, 16), (0x040B, 6, 16), (0x040D, 7, 16), (0x042E, 6, 4), (0x0C11, 7, 16),
            (0x2017, 0, 32), (0x2027, 7, 32),
        ] as [(UInt16, Int, Int)])
    func `the key of a command is overwritten, and nothing else`(opcode: UInt16, front: Int, count: Int) {
        var bytes = Self.command(opcode, front: front, [UInt8](repeating: 0xAA, count: count))
        let before = bytes
        var redactor = KeyRedactor()

        let isRedacted = redactor.redact(Self.header(.command), &bytes)
        #expect(isRedacted)
        #expect(bytes == before.map { $0 == 0xAA ? 0 : $0 })
    }

    @Test func `a command without a key stays`() {
        var bytes = Self.command(0x200D, front: 25)
        let before = bytes
        var redactor = KeyRedactor()

        let isRedacted = redactor.redact(Self.header(.command), &bytes)
        #expect(!isRedacted)
        #expect(bytes == before)
    }

    @Test func `link keys in events are overwritten`() {
        var notification: [UInt8] = [0x18, 23] + [1, 2, 3, 4, 5, 6] + Self.key + [4]
        var returned: [UInt8] =
            [0x15, 45, 2] + [1, 2, 3, 4, 5, 6] + Self.key + [1, 2, 3, 4, 5, 6] + Self.key
        var redactor = KeyRedactor()

        let areRedacted = [
            redactor.redact(Self.header(.event, .received), &notification),
            redactor.redact(Self.header(.event, .received), &returned),
        ]

        #expect(areRedacted == [true, true])
        #expect(!notification.contains(0xAA) && notification.last == 4 && notification.count == 25)
        #expect(!returned.contains(0xAA) && returned.count == 47)
    }

    @Test(arguments: [0x06, 0x08, 0x0A] as [UInt8], [27, 12, 7, 3, 1])
    func `keys of the security manager are overwritten in fragments of any size`(code: UInt8, size: Int) {
        let packet: [UInt8] = [17, 0, 6, 0, code] + Self.key
        var redactor = KeyRedactor()
        var all: [UInt8] = []
        for start in stride(from: 0, to: packet.count, by: size) {
            let part = Array(packet[start..<min(packet.count, start + size)])
            var bytes: [UInt8] = [0x40, start == 0 ? 0x00 : 0x10, UInt8(part.count), 0] + part
            _ = redactor.redact(Self.header(.data), &bytes)
            #expect(bytes.count == part.count + 4)
            all += bytes[4...]
        }

        #expect(all == [17, 0, 6, 0, code] + [UInt8](repeating: 0, count: 16))
    }

    @Test(arguments: [(0x07, 6), (0x06, 4)] as [(UInt8, UInt8)])
    func `other packets stay`(code: UInt8, channel: UInt8) {
        var bytes: [UInt8] = [0x40, 0, 21, 0, 17, 0, channel, 0, code] + Self.key
        let before = bytes
        var redactor = KeyRedactor()

        let isRedacted = redactor.redact(Self.header(.data), &bytes)
        #expect(!isRedacted)
        #expect(bytes == before)
    }

    @Test(
        arguments: [
            (false, 0x0012, 3 + 8), (false, 0x0013, 2 + 20), (false, 0x0030, 2 + 7), (false, 0x0016, 8),
            (true, 0x0009, 9), (true, 0x000A, 21), (true, 0x0018, 14), (true, 0x0019, 9),
        ] as [(Bool, UInt16, Int)])
    func `keys that the kernel is given are overwritten`(isEvent: Bool, opcode: UInt16, front: Int) {
        let message = [UInt8(opcode & 0xFF), UInt8(opcode >> 8)] + [UInt8](repeating: 1, count: front) + Self.key
        var monitor: [UInt8] = [0, 0, 0, isEvent ? 17 : 16, 9, 9, 9, 9] + message
        var redactor = KeyRedactor()

        let isRedacted = redactor.redact(Self.record(.linuxMonitor), &monitor)
        #expect(isRedacted)
        #expect(!monitor.contains(0xAA))
        #expect(monitor.starts(with: [0, 0, 0, isEvent ? 17 : 16, 9, 9, 9, 9] + message.prefix(2 + front)))
    }

    @Test func `a record is redacted behind the wrapping of its link type`() {
        let command = Self.command(0x201A, front: 2)
        let wrapped: [(RecordHeader, [UInt8])] = [
            (Self.record(.h4), [1]), (Self.record(.h4WithDirection), [0, 0, 0, 0, 1]),
            (Self.record(.linuxMonitor), [0, 0, 0, 2]), (Self.record(.hciByFlags, kind: 2), []),
            (Self.record(.linuxMonitorByFlags, kind: 2), []), (Self.record(.packetLogger, kind: 0), []),
        ]
        for (header, front) in wrapped {
            var bytes = front + command
            var redactor = KeyRedactor()

            let isRedacted = redactor.redact(header, &bytes)
            #expect(isRedacted, "\(header.link)")
            #expect(bytes == front + command.map { $0 == 0xAA ? 0 : $0 }, "\(header.link)")
        }
    }
}
