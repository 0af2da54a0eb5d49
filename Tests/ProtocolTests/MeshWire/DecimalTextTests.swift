import Foundation
import MeshTime
import Testing

@testable import MeshWire

/// Numbers as the C library prints them: the exact value, half to even.
@Suite struct DecimalTextTests {
    @Test(
        arguments: [
            (0.5, 0, "0"), (1.5, 0, "2"), (2.5, 0, "2"), (0.25, 1, "0.2"), (0.35, 1, "0.3"), (0.05, 1, "0.1"),
            (9.95, 1, "9.9"), (0.995, 2, "0.99"), (9999.5, 0, "10000"), (-0.04, 1, "-0.0"), (-0.0, 2, "-0.00"),
            (0, 3, "0.000"), (1e23, 1, "99999999999999991611392.0"), (.leastNonzeroMagnitude, 2, "0.00"),
            (.infinity, 1, "inf"),
            (-.infinity, 0, "-inf"), (.nan, 2, "nan"),
        ] as [(Double, Int, String)])
    func `digits after the point are those of the exact value`(value: Double, digits: Int, text: String) {
        #expect(value.fixed(digits) == text)
    }

    @Test(
        arguments: [
            (1234.5, "1234"), (1235.5, "1236"), (12_345.5, "1.235e+04"), (9999.5, "1e+04"), (99_995, "1e+05"),
            (0.00012345, "0.0001234"), (0.000099995, "9.999e-05"), (1e-10, "1e-10"),
            (.leastNonzeroMagnitude, "4.941e-324"),
            (1.7976931348623157e308, "1.798e+308"), (0, "0"), (-0.0, "-0"), (0.5, "0.5"), (100, "100"),
            (-.infinity, "-inf"), (.nan, "nan"),
        ] as [(Double, String)])
    func `significant digits choose the shorter look`(value: Double, text: String) {
        #expect(value.significant(4) == text)
    }

    @Test(
        arguments: [
            (0.001, "0"), (0.05, "0.05"), (3.70, "3.7"), (12, "12"), (100, "100"), (-7.25, "-7.25"), (0.996, "1"),
            (0.006, "0.01"), (.infinity, "inf"),
        ] as [(Double, String)])
    func `zeros at the end are left out where they are not wanted`(value: Double, text: String) {
        #expect(value.fixed(atMost: 2) == text)
    }

    @Test func `every number is printed as the C library prints it`() {
        var stream = Seed(7).stream("decimals")
        for round in 0..<4000 {
            // Ties are found among few binary digits, all others among many.
            let exponent = Int(stream.draw(0, 120)) - 70
            let significand = Double(Int32(bitPattern: stream.nextU32()) >> (round % 3 * 12))
            let value = Double(sign: .plus, exponent: exponent, significand: significand)
            for digits in 0...4 {
                #expect(value.fixed(digits) == String(format: "%.\(digits)f", value))
                #expect(value.significant(digits + 1) == String(format: "%.\(digits + 1)g", value))
            }
        }
    }
}
