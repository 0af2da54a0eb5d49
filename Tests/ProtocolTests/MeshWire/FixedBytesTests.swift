import MeshWire
import Testing

@Suite struct FixedBytesTests {
    @Test func `hex is read and printed`() {
        #expect(FixedBytes<3>(hex: "0aFF10")?.hex == "0aff10")
        #expect(FixedBytes<3>(hex: "0aff") == nil)
        #expect(FixedBytes<3>(hex: "0aff1") == nil)
    }

    @Test func `longer input is cut and shorter input is zero padded`() {
        #expect(FixedBytes<2>([1, 2, 3]).array == [1, 2])
        #expect(FixedBytes<4>([1, 2]).array == [1, 2, 0, 0])
    }

    @Test func `text ends at the first NUL`() {
        #expect(FixedBytes<6>([0x61, 0x62, 0, 0x63, 0, 0]).text == "ab")
    }
}
