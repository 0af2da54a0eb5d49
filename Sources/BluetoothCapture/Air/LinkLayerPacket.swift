import MeshBluetoothHost

/// The places of the parts of a packet on the air. The caller has checked that the payload is whole.
struct LinkLayerPacket {
    static let advertisingAccessAddress: UInt32 = 0x8E89_BED6
    private static let checkSumSize = 3

    let header: AirPacketHeader
    /// Behind the access address and the header of two bytes.
    let body: Range<Int>

    init(_ header: AirPacketHeader, _ bytes: Span<UInt8>) {
        self.header = header
        body = 6..<6 + Int(bytes[5])
    }

    /// The bytes that the check sum covers.
    var covered: Range<Int> { 4..<body.upperBound }

    /// Returns the check sum; `nil` where the capture cut it off, or the sniffer changed the covered bytes.
    func sum(_ bytes: Span<UInt8>) -> UInt32? {
        guard !header.isDecrypted, bytes.count >= body.upperBound + Self.checkSumSize else { return nil }
        return UInt32(bytes.number(at: body.upperBound, count: Self.checkSumSize))
    }

    /// The sniffer's word, or the check sum; good where there is neither.
    func isGood(_ bytes: Span<UInt8>, start: UInt32) -> Bool {
        if let isGood = header.isCRCGood { return isGood }
        guard let sum = sum(bytes) else { return true }
        return AirCheckSum.of(bytes.extracting(covered), start: start) == sum
    }
}
