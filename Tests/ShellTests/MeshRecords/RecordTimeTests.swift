import MeshRecords
import Testing

/// Times as records state them.
@Suite struct RecordTimeTests {
    @Test(arguments: [
        ("2026-11-22T12:00:00", 1_795_348_800_000_000, false),
        ("2026-11-22 12:00:00.25Z", 1_795_348_800_250_000, true),
        ("2026-11-22T14:00:00,5+02:00", 1_795_348_800_500_000, true),
        ("2026-11-22T12:00", 1_795_348_800_000_000, false), ("2024-02-29T00:00:00z", 1_709_164_800_000_000, true),
        ("2026-11-22T12:00:00+0530", 1_795_329_000_000_000, true),
        ("2026-11-22T12:00:00-05", 1_795_366_800_000_000, true),
        ("2026-11-22T12:00:60Z", 1_795_348_860_000_000, true),
        ("1970-01-01T00:00:00.0000019Z", 1, true),
    ])
    func `a text of ISO 8601 is a time`(text: String, microseconds: Int64, hasZone: Bool) {
        let time = RecordTime(text)

        #expect(time?.microseconds == microseconds)
        #expect(time?.hasZone == hasZone)
    }

    @Test(arguments: [
        "", "2026", "2026-11-22", "2023-02-29T00:00:00Z", "1969-12-31T23:59:59Z", "2026-13-01T00:00:00",
        "2026-11-22T24:00:00", "2026-11-22T12:60:00", "2026-11-22T12:00:61", "2026-11-22T12:00:00.",
        "2026-11-22T12:00:00Q", "2026-11-22T12:00:00+24:00", "1970-01-01T00:00:00+01:00", "+026-11-22T12:00:00",
        "２０２６-11-22T12:00:00",
    ])
    func `any other text is none`(text: String) {
        #expect(RecordTime(text) == nil)
    }

    @Test func `a number is seconds, or milliseconds when it is too large for them`() {
        #expect(RecordTime(unix: 1_795_348_800)?.microseconds == 1_795_348_800_000_000)
        #expect(RecordTime(unix: 1_795_348_800_250)?.microseconds == 1_795_348_800_250_000)
        #expect(RecordTime(unix: -1) == nil && RecordTime(unix: 1e300) == nil)
    }

    @Test func `a time is printed by UTC`() {
        #expect(RecordTime("2026-01-02T03:04:05.0067Z")?.description == "2026-01-02 03:04:05.006 UTC")
    }
}
