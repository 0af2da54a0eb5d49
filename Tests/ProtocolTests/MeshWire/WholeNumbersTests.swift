import MeshTime
import Testing

@testable import MeshWire

/// Whole numbers of floating point: the library's answer where it has one, and the nearest bound elsewhere.
@Suite struct WholeNumbersTests {
    @Test func `what does not fit becomes the nearest bound`() {
        #expect(Int64(nearest: 1e300) == .max && Int64(wholePart: -1e300) == .min)
        #expect(Int64(wholePart: Double.infinity) == .max && Int8(nearest: -Double.infinity) == .min)
        #expect(UInt8(nearest: 255.5) == 255 && UInt8(nearest: -1.0) == 0 && UInt8(wholePart: 255.9) == 255)
        #expect(Int8(nearest: -128.4) == -128 && Int64(nearest: -0x1p63) == .min)
        // At and beyond what an instruction of the processor converts.
        #expect(UInt64(wholePart: 0x1.8p63) == 3 << 62 && Int64(wholePart: -0x1.8p62) == -3 << 61)
        #expect(Int64(wholePart: 0x1p62) == 1 << 62 && UInt64(wholePart: (0x1p62).nextDown) == (1 << 62) - 512)
        #expect(UInt128(wholePart: Float.greatestFiniteMagnitude) == UInt128(Float.greatestFiniteMagnitude))
    }

    @Test func `no number becomes 0, or the bound next to it`() {
        #expect(Int(nearest: Double.nan) == 0 && UInt16(wholePart: Float.nan) == 0)
        #expect(Int(nearest: Double.nan, in: 3...5) == 3 && Int(wholePart: Double.nan, in: -5 ... -3) == -3)
    }

    @Test func `bounds hold also where a half is rounded`() {
        #expect(UInt16(nearest: 5.5, in: 1...5) == 5 && UInt16(nearest: 0.4, in: 1...5) == 1)
        #expect(Int(nearest: -5.5, in: -5 ... -1) == -5)
        // The next number below a half is no half.
        #expect(Int(nearest: 0.5.nextDown) == 0 && Int(nearest: 2.5) == 3 && Int(nearest: -2.5) == -3)
    }

    @Test func `within the range it is what the library says`() {
        var stream = Seed(7).stream("whole numbers")
        for _ in 0..<10_000 {
            let exponent = Int(stream.draw(0, 100)) - 40
            let value = Double(
                sign: .plus, exponent: exponent, significand: Double(Int32(bitPattern: stream.nextU32())) / 0x1p31)

            #expect(Int64(nearest: value) == Int64(value.rounded()), "\(value)")
            #expect(Int64(wholePart: value) == Int64(value), "\(value)")
            #expect(Int64(wholePart: Float(value)) == Int64(Float(value)), "\(value)")
        }
    }
}
