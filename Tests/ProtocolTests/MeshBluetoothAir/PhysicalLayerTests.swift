import MeshBluetoothHost
import MeshTime
import Testing

/// Times on the air, counted by hand.
@Suite struct PhysicalLayerTests {
    /// The limits that the length procedure has for packets with an integrity check: Bluetooth Core 5.4, Vol 6 Part B,
    /// 4.5.10.
    @Test(
        arguments: [
            (PhysicalLayer.le1M, 27, true, 328), (.le1M, 251, true, 2120), (.le2M, 251, true, 1064),
            // Preamble, access address, header and check sum alone: 10 bytes, and 11 at twice the rate.
            (.le1M, 0, true, 80), (.le2M, 0, true, 44), (.le1M, 27, false, 296), (.le1M, 34, false, 352),
        ] as [(PhysicalLayer, Int, Bool, Int)])
    func `a packet is on the air as long as its bits take`(
        layer: PhysicalLayer, payload: Int, isEncrypted: Bool, time: Int
    ) {
        #expect(layer.airTime(payload: payload, isEncrypted: isEncrypted) == .microseconds(time))
    }
}
