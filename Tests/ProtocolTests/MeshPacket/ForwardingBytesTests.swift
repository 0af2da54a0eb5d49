import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

/// The effect of forwarding on the bytes of a packet; whether a node forwards at all is not decided here.
@Suite struct ForwardingBytesTests {
    static let floods = OTAVectors.kind("forward").filter {
        $0.name.hasPrefix("fwd_flood") || $0.name == "fwd_tflood_0"
    }
    static let directs = [
        "fwd_direct_hs1", "fwd_direct_hs2_transport", "fwd_direct_not_next_hop", "fwd_direct_hs2_partial_match",
        "fwd_unknown_type_direct",
    ]
    static let traces = ["fwd_trace_hop0", "fwd_trace_hop2_revisit"]

    @Test(.proves("OTA-007"), arguments: floods)
    func `a flood grows by the forwarder's hash and keeps its codes`(vector: OTAVectors.Vector) throws {
        var view = try PacketView(try vector.data("heard"))
        let key = FixedBytes<32>(try vector.data("forwarder_pub"))

        let appended = view.appendHop(key)

        #expect((appended ? view.bytes : []).hex == vector.output)
    }

    @Test(.proves("OTA-032")) func `the sixty-fourth one-byte hop overflows into an empty two-byte path`() throws {
        let vector = try OTAVectors.vector("fwd_flood_hs1_63_overflow")
        var view = try PacketView(try vector.data("heard"))

        view.appendHop(FixedBytes(try vector.data("forwarder_pub")))

        #expect(view.pathLength.rawValue == 0x40)
        #expect(view.hopCount == 0)
        #expect(view.bytes.hex == vector.output)
    }

    @Test(arguments: directs)
    func `a direct packet loses its first hash when the forwarder is the next hop`(name: String) throws {
        let vector = try OTAVectors.vector(name)
        var view = try PacketView(try vector.data("heard"))
        let key = FixedBytes<32>(try vector.data("forwarder_pub"))

        let isOurs = view.isNextHop(key)
        if isOurs { view.removeFirstHop() }

        #expect((isOurs ? view.bytes : []).hex == vector.output)
    }

    @Test func `a forwarded acknowledgement loses its transport codes`() throws {
        let vector = try OTAVectors.vector("fwd_direct_ack_transport")
        var view = try PacketView(try vector.data("heard"))

        view.removeFirstHop()
        view.setRoute(.direct)

        #expect(view.bytes.hex == vector.output)
    }

    @Test func `a forwarded multi-ack becomes the acknowledgement inside it`() throws {
        let vector = try OTAVectors.vector("fwd_direct_multiack_rem1")
        var view = try PacketView(try vector.data("heard"))

        view.removeFirstHop()
        view.setType(.ack)
        view.setPayload(Array(view.payload.dropFirst()))

        #expect(view.bytes.hex == vector.output)
    }

    @Test(arguments: traces)
    func `a trace grows by the SNR at which it was heard`(name: String) throws {
        let vector = try OTAVectors.vector(name)
        let snr = Int8(try vector.int("snr_x4"))
        var view = try PacketView(try vector.data("heard"), snr: snr)

        view.appendSNR(view.snr)

        #expect(view.bytes.hex == vector.output)
    }

    @Test func `a trace takes no SNR behind its sixty-fourth`() throws {
        var view = try PacketView([0x26, 0x3F] + [UInt8](repeating: 4, count: 63) + [UInt8](repeating: 1, count: 10))

        let first = view.appendSNR(1)
        let second = view.appendSNR(1)

        #expect(first && !second)
        #expect(view.bytes == [0x26, 0x40] + [UInt8](repeating: 1, count: 10))
    }

    @Test func `loop detection counts the node's own hashes of the path's size`() throws {
        let key = FixedBytes<32>([0xCA, 0x93, 0xAC])

        #expect(try PacketView([0x09, 0x03, 0xCA, 0x6E, 0xCA, 1]).hops(matching: key) == 2)
        #expect(try PacketView([0x09, 0x42, 0xCA, 0x93, 0xCA, 0x94, 1]).hops(matching: key) == 1)
        #expect(try PacketView([0x09, 0x00, 1]).hops(matching: key) == 0)
    }
}
