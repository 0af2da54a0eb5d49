import MeshWire
import Testing

/// Lines of hex, and days of the calendar.
@Suite struct HexLineTests {
    @Test(arguments: [
        ("0B f2\t44", HexLine.Content.bytes([0x0B, 0xF2, 0x44])),
        ("0x0bF2", .bytes([0x0B, 0xF2])),
        ("00", .bytes([0])),
        ("  05 # device time", .bytes([5])),
        ("", .nothing),
        ("   ", .nothing),
        ("# only a comment", .nothing),
        ("05\r", .bytes([5])),
        ("0b0", .notHex(column: 3, reason: "ends in the middle of a byte")),
        ("0b zz", .notHex(column: 4, reason: "is not a hex digit")),
        ("0b0x05", .notHex(column: 4, reason: "is not a hex digit")),
        ("00x05", .notHex(column: 3, reason: "is not a hex digit")),
        ("x05", .notHex(column: 1, reason: "is not a hex digit")),
    ])
    func `a line of hex is read as people write it`(line: String, content: HexLine.Content) {
        #expect(HexLine.read(line.utf8) == content)
    }

    @Test func `each day follows the one before, over four centuries`() {
        var next: Int64 = 0
        for year in Int64(1970)...2400 {
            for month in Int64(1)...12 {
                for day in Int64(1)...31 {
                    guard let date = CalendarDay(year: year, month: month, day: day) else { continue }
                    #expect(date.daysSince1970 == next)
                    #expect(CalendarDay(microseconds: next * 86_400_000_000 + 86_399_999_999) == date)
                    next += 1
                }
            }
        }
        #expect(next == 157_420)
    }

    @Test func `a date has its days and its text`() {
        #expect(CalendarDay(year: 2026, month: 11, day: 22)?.description == "2026-11-22")
        #expect(CalendarDay(year: 2023, month: 2, day: 29) == nil && CalendarDay(year: 1969, month: 1, day: 1) == nil)
        #expect(CalendarDay(year: 2026, month: 13, day: 1) == nil && CalendarDay(microseconds: -1) == nil)
        #expect(CalendarDay(nanoseconds: 1_795_348_800_000_000_000)?.description == "2026-11-22")
    }
}
