package import MeshCapture

/// Writes packets on the air as pcap, each behind a header of LoRaTap: link type 270.
///
/// The header has frequency, spreading factor and signal. Its bandwidth counts steps of 125 kHz, so a narrower channel
/// has 0. A packet without a signal, as one of the radio's own, has zeros there.
package struct LoRaTapWriter: Sendable {
    /// The settings of the radio that heard or sent the packets.
    package struct Channel: Hashable, Sendable {
        var hertz: UInt32
        var bandwidthSteps: UInt8
        var spreadingFactor: UInt8

        /// Settings that nobody has told.
        package static let unknown = Self(kilohertz: 0, bandwidthHertz: 0, spreadingFactor: 0)

        package init(kilohertz: UInt32, bandwidthHertz: UInt32, spreadingFactor: UInt8) {
            hertz = kilohertz.multipliedReportingOverflow(by: 1000).partialValue
            bandwidthSteps = UInt8(clamping: bandwidthHertz / 125_000)
            self.spreadingFactor = spreadingFactor
        }
    }

    /// The sync word of private networks, which MeshCore uses.
    private static let syncWord: UInt8 = 0x12
    private static let headerSize: UInt16 = 15
    /// What is added to a strength in dBm for the header.
    private static let strengthOffset = 139
    private static let linkType = LinkType.other(270)

    private let writer: PcapWriter
    /// The number of packets that were written.
    package private(set) var count = 0

    package init() {
        guard let writer = PcapWriter(link: Self.linkType) else {
            preconditionFailure("pcap has no number for one of its own link types")
        }
        self.writer = writer
    }

    /// Adds what stands in front of all packets.
    package func begin(into file: inout [UInt8]) { writer.begin(into: &file) }

    /// Adds a packet at a time since 1970.
    package mutating func write(
        _ packet: [UInt8], at nanoseconds: Int64, on channel: Channel, _ signal: RecordingEntry.Signal?,
        into file: inout [UInt8]
    ) throws(CaptureProblem) {
        var record: [UInt8] = [0, 0]
        record.append16(Self.headerSize, .big)
        record.append32(channel.hertz, .big)
        let strength = signal.map { UInt8(clamping: Int($0.rssi) + Self.strengthOffset) } ?? 0
        record += [channel.bandwidthSteps, channel.spreadingFactor, strength, strength, strength]
        record += [UInt8(bitPattern: signal?.snrQuarterDecibels ?? 0), Self.syncWord]
        record += packet
        count += 1
        let header = RecordHeader(
            number: count, offset: UInt64(file.count), nanoseconds: nanoseconds, link: Self.linkType,
            originalLength: record.count)
        try writer.write(header, record.span, into: &file)
    }
}
