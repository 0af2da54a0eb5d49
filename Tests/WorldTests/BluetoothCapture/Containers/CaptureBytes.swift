/// Builds capture files by hand, apart from the writers that are tested, in both byte orders.
struct CaptureBytes {
    var isBig = false
    private(set) var file: [UInt8] = []

    init(isBig: Bool = false) {
        self.isBig = isBig
    }

    mutating func add(_ word: some FixedWidthInteger, big: Bool? = nil) {
        let isBig = big ?? isBig
        withUnsafeBytes(of: isBig ? word.bigEndian : word.littleEndian) { file.append(contentsOf: $0) }
    }

    mutating func add(_ bytes: [UInt8]) {
        file.append(contentsOf: bytes)
    }

    // MARK: pcap

    static func pcap(_ link: UInt32, isBig: Bool = false, magic: UInt32 = 0xA1B2_C3D4) -> CaptureBytes {
        var file = CaptureBytes(isBig: isBig)
        file.add(magic)
        file.add(UInt16(2))
        file.add(UInt16(4))
        file.add(UInt64(0))
        file.add(UInt32(65_535))
        file.add(link)
        return file
    }

    mutating func pcapRecord(_ seconds: UInt32, _ rest: UInt32, _ bytes: [UInt8], original: Int? = nil) {
        add(seconds)
        add(rest)
        add(UInt32(bytes.count))
        add(UInt32(original ?? bytes.count))
        add(bytes)
    }

    // MARK: pcapng

    mutating func block(_ type: UInt32, _ body: [UInt8], length: Int? = nil, behind: Int? = nil) {
        add(type)
        add(UInt32(length ?? body.count + 12))
        add(body)
        add(UInt32(behind ?? length ?? body.count + 12))
    }

    private func body(_ fill: (inout CaptureBytes) -> Void) -> [UInt8] {
        var body = CaptureBytes(isBig: isBig)
        fill(&body)
        return body.file
    }

    mutating func section() {
        block(
            0x0A0D_0D0A,
            body {
                $0.add(UInt32(0x1A2B_3C4D))
                $0.add(UInt16(1))
                $0.add(UInt16(0))
                $0.add(Int64(-1))
            })
    }

    mutating func option(_ code: UInt16, _ value: [UInt8]) {
        add(code)
        add(UInt16(value.count))
        add(value + Array(repeating: 0, count: -value.count & 3))
    }

    mutating func interface(_ link: UInt16, snapLength: UInt32 = 0, options: (inout CaptureBytes) -> Void = { _ in }) {
        block(
            1,
            body {
                $0.add(link)
                $0.add(UInt16(0))
                $0.add(snapLength)
                options(&$0)
            })
    }

    mutating func packet(
        _ interface: UInt32, ticks: UInt64, _ bytes: [UInt8], captured: Int? = nil, original: Int? = nil,
        flags: UInt32? = nil, length: Int? = nil, behind: Int? = nil
    ) {
        block(
            6,
            body {
                $0.add(interface)
                $0.add(UInt32(ticks >> 32))
                $0.add(UInt32(truncatingIfNeeded: ticks))
                $0.add(UInt32(captured ?? bytes.count))
                $0.add(UInt32(original ?? bytes.count))
                $0.add(bytes + Array(repeating: 0, count: -bytes.count & 3))
                if let flags {
                    var word = CaptureBytes(isBig: isBig)
                    word.add(flags)
                    $0.option(1, Array("hello".utf8))
                    $0.option(2, word.file)
                    $0.add(UInt32(0))
                }
            }, length: length, behind: behind)
    }

    mutating func obsoletePacket(_ interface: UInt16, ticks: UInt64, _ bytes: [UInt8]) {
        block(
            2,
            body {
                $0.add(interface)
                $0.add(UInt16(0))
                $0.add(UInt32(ticks >> 32))
                $0.add(UInt32(truncatingIfNeeded: ticks))
                $0.add(UInt32(bytes.count))
                $0.add(UInt32(bytes.count))
                $0.add(bytes + Array(repeating: 0, count: -bytes.count & 3))
            })
    }

    mutating func simplePacket(_ bytes: [UInt8], original: Int? = nil) {
        block(
            3,
            body {
                $0.add(UInt32(original ?? bytes.count))
                $0.add(bytes + Array(repeating: 0, count: -bytes.count & 3))
            })
    }

    // MARK: btsnoop and PacketLogger

    static func btsnoop(_ type: UInt32, version: UInt32 = 1) -> CaptureBytes {
        var file = CaptureBytes(isBig: true)
        file.add(Array("btsnoop\0".utf8))
        file.add(version)
        file.add(type)
        return file
    }

    /// `microseconds` since 1970.
    mutating func btsnoopRecord(
        _ microseconds: Int64, flags: UInt32, _ bytes: [UInt8], original: Int? = nil, drops: UInt32 = 0
    ) {
        add(UInt32(original ?? bytes.count))
        add(UInt32(bytes.count))
        add(flags)
        add(drops)
        add(microseconds + 0x00DC_DDB3_0F2F_8000)
        add(bytes)
    }

    mutating func packetLoggerRecord(_ seconds: UInt32, _ microseconds: UInt32, _ type: UInt8, _ bytes: [UInt8]) {
        add(UInt32(bytes.count + 9))
        add(seconds)
        add(microseconds)
        add([type])
        add(bytes)
    }
}
