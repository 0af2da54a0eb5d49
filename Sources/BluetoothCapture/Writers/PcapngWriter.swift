package import MeshCapture

/// Writes pcapng, little endian, times in nanoseconds; every link type of a record gets an interface of its own.
package struct PcapngWriter: RecordWriter {
    private struct Interface: Hashable {
        var link: LinkType
        var number: UInt16
    }

    /// A comment on the whole section, such as that it is synthetic.
    package let comment: String?
    private let interfaceName: String
    private let isNumbered: Bool
    private var interfaces: [Interface] = []

    /// An adapter's interface is called `name` and its number, as in `hci0`.
    package init(name: String = "hci", comment: String? = nil) {
        interfaceName = name
        isNumbered = true
        self.comment = comment
    }

    /// For what comes from one interface of this name, such as libpcap's `bluetooth-monitor`.
    package init(interface: String, comment: String? = nil) {
        interfaceName = interface
        isNumbered = false
        self.comment = comment
    }

    package mutating func begin(into file: inout [UInt8]) {
        interfaces = []
        var body: [UInt8] = []
        body.append32(0x1A2B_3C4D)
        body.append16(1)
        body.append16(0)
        body.append64(.max)
        var options: [UInt8] = []
        if let comment { Self.option(1, Self.cut(comment), into: &options) }
        Self.option(4, Array("Meshbed".utf8), into: &options)
        Self.endOptions(&options)
        Self.block(0x0A0D_0D0A, body + options, into: &file)
    }

    package mutating func write(
        _ header: RecordHeader, _ bytes: Span<UInt8>, into file: inout [UInt8]
    ) throws(CaptureProblem) {
        try write(header, bytes, comment: nil, into: &file)
    }

    /// Adds a record with a comment of at most 65,535 bytes.
    package mutating func write(
        _ header: RecordHeader, _ bytes: Span<UInt8>, comment: String?, into file: inout [UInt8]
    ) throws(CaptureProblem) {
        try check(header, bytes)
        guard let link = header.link.pcapNumber.flatMap(UInt16.init(exactly:)) else {
            throw refusal(header, "pcapng has no number for this link type")
        }
        guard let time = UInt64(exactly: header.nanoseconds ?? 0) else {
            throw refusal(header, "the time is before 1970")
        }
        let interface = try self.interface(header, link, into: &file)
        let isSimple =
            header.nanoseconds == nil && interface == 0 && header.originalLength == bytes.count && header.way == nil
            && comment == nil
        guard !isSimple else { return Self.simplePacket(bytes, into: &file) }
        var options: [UInt8] = []
        if let comment { Self.option(1, Self.cut(comment), into: &options) }
        if let way = header.way { Self.option(2, [way == .received ? 1 : 2, 0, 0, 0], into: &options) }
        Self.endOptions(&options)
        let padding = -bytes.count & 3
        let length = UInt32(32 + bytes.count + padding + options.count)
        file.append32(6)
        file.append32(length)
        file.append32(UInt32(interface))
        file.append32(UInt32(time >> 32))
        file.append32(UInt32(truncatingIfNeeded: time))
        file.append32(UInt32(bytes.count))
        file.append32(UInt32(header.originalLength))
        file.append(bytes)
        file.append(contentsOf: repeatElement(0, count: padding))
        file.append(contentsOf: options)
        file.append32(length)
    }

    /// A packet without a time.
    private static func simplePacket(_ bytes: Span<UInt8>, into file: inout [UInt8]) {
        var body: [UInt8] = []
        body.append32(UInt32(bytes.count))
        body.append(bytes)
        body.append(contentsOf: repeatElement(0, count: -bytes.count & 3))
        block(3, body, into: &file)
    }

    /// The interface of this link type and adapter in the file; describes it when it is new.
    private mutating func interface(
        _ header: RecordHeader, _ link: UInt16, into file: inout [UInt8]
    ) throws(CaptureProblem) -> Int {
        let wanted = Interface(link: header.link, number: header.interface)
        if let known = interfaces.firstIndex(of: wanted) { return known }
        guard interfaces.count < PcapngParser.mostInterfaces else { throw refusal(header, "too many interfaces") }
        var body: [UInt8] = []
        body.append16(link)
        body.append16(0)
        body.append32(UInt32(ContainerReader.longestRecord))
        Self.option(2, Self.cut(isNumbered ? "\(interfaceName)\(header.interface)" : interfaceName), into: &body)
        Self.option(9, [9], into: &body)
        Self.endOptions(&body)
        Self.block(1, body, into: &file)
        interfaces.append(wanted)
        return interfaces.count - 1
    }

    private static func cut(_ text: String) -> [UInt8] {
        Array(text.utf8.prefix(Int(UInt16.max)))
    }

    private static func option(_ code: UInt16, _ value: [UInt8], into options: inout [UInt8]) {
        options.append16(code)
        options.append16(UInt16(value.count))
        options.append(contentsOf: value)
        options.append(contentsOf: repeatElement(0, count: -value.count & 3))
    }

    private static func endOptions(_ options: inout [UInt8]) {
        if !options.isEmpty { options.append32(0) }
    }

    private static func block(_ type: UInt32, _ body: [UInt8], into file: inout [UInt8]) {
        let length = UInt32(12 + body.count)
        file.append32(type)
        file.append32(length)
        file.append(contentsOf: body)
        file.append32(length)
    }
}
