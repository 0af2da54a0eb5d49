import Foundation
import Testing

@testable import MeshWire

@Suite struct TextColumnsTests {
    @Test func `a column is as wide as it has to be, and never cuts a text`() {
        #expect("ab".padded(to: 4) == "ab  " && "abcd".padded(to: 4) == "abcd" && "abcde".padded(to: 4) == "abcde")
        #expect("ab".alignedRight(to: 4) == "  ab" && "abcde".alignedRight(to: 4) == "abcde")
        #expect("12 µs…".padded(to: 7) == "12 µs… ")
    }

    @Test func `a gap keeps texts apart that fill their column`() {
        #expect("abcd".padded(to: 4, gap: 1) == "abcd " && "ab".padded(to: 4, gap: 1) == "ab  ")
        #expect("abcd".alignedRight(to: 4, gap: 1) == " abcd")
    }

    @Test func `a row is printed as the C library prints it`() {
        let row = RightColumns.row(("\(12)", 6), (3.25.fixed(1), 9), ((0.5 * 100).fixed(0) + "%", 8), ("12345", 4))

        #expect(row == String(format: "%6d%9.1f%7.0f%%%4d", 12, 3.25, 50.0, 12345))
    }
}
