import MeshCompanion
import MeshWire
import Testing

@testable import MeshCapture

/// Two frames, field by field.
@Suite struct FrameDifferenceTests {
    static func selfInfo(_ change: (inout Resp.SelfInfo) -> Void = { _ in }) -> [UInt8] {
        var info = Resp.SelfInfo()
        info.name = ByteText("alice")
        info.frequency = 869_525
        change(&info)
        return info.encoded()
    }

    @Test func `the same frame has no difference`() {
        let difference = FrameDifference(recorded: Self.selfInfo(), seen: Self.selfInfo(), direction: .toApp)

        #expect(difference.fields.isEmpty)
        #expect(difference.name == "RESP_CODE_SELF_INFO")
    }

    @Test func `one byte that differs is named by its field, with both values`() {
        let difference = FrameDifference(
            recorded: Self.selfInfo(), seen: Self.selfInfo { $0.frequency = 869_526 }, direction: .toApp)

        #expect(
            difference.fields == [FieldDifference("freq", .content, recorded: "869525 kHz", seen: "869526 kHz")])
        #expect(difference.breaches(of: .replay).count == 1)
        #expect(difference.fields.first?.description == "freq: recorded 869525 kHz, seen 869526 kHz (content)")
    }

    @Test func `clocks, chance and measurements may differ in a replay, keys may not`() {
        let sent = FrameDifference(
            recorded: [6, 0, 1, 2, 3, 4, 0, 1, 0, 0], seen: [6, 0, 9, 2, 3, 4, 0, 1, 0, 0], direction: .toApp)
        let time = FrameDifference(recorded: [9, 1, 2, 3, 4], seen: [9, 1, 2, 3, 5], direction: .toApp)
        let battery = FrameDifference(recorded: [12, 1, 2], seen: [12, 1, 3], direction: .toApp)
        let key = FrameDifference(
            recorded: Self.selfInfo(), seen: Self.selfInfo { $0.publicKey[0] = 1 }, direction: .toApp)

        #expect(sent.fields.map(\.fieldClass) == [.random])
        #expect(time.fields.map(\.fieldClass) == [.time])
        #expect(battery.fields.map(\.fieldClass) == [.measurement])
        for allowed in [sent, time, battery] { #expect(allowed.breaches(of: .replay).isEmpty) }
        #expect(key.breaches(of: .replay).map(\.field) == ["public_key"])
        #expect(key.breaches(of: .otherIdentities).isEmpty)
    }

    @Test func `a field may be let differ by its name`() {
        let difference = FrameDifference(
            recorded: Self.selfInfo(), seen: Self.selfInfo { $0.name = ByteText("bob") }, direction: .toApp)

        #expect(difference.breaches(of: .replay).map(\.field) == ["name"])
        #expect(difference.breaches(of: .init(mayDiffer: [], fields: ["name"])).isEmpty)
    }

    @Test func `a name that follows from the key differs as keys do, another one does not`() {
        func info(_ first: UInt8, _ name: String) -> [UInt8] {
            Self.selfInfo {
                for index in 0..<4 { $0.publicKey[index] = first }
                $0.name = ByteText(name)
            }
        }
        let defaults = FrameDifference(
            recorded: info(0xA1, "A1A1A1A1"), seen: info(0xB2, "B2B2B2B2"), direction: .toApp)
        let renamed = FrameDifference(recorded: info(0xA1, "A1A1A1A1"), seen: info(0xB2, "bob"), direction: .toApp)
        let foreign = FrameDifference(
            recorded: info(0xA1, "A1A1A1A1"), seen: info(0xB2, "C3C3C3C3"), direction: .toApp)

        #expect(defaults.fields.map(\.field) == ["public_key", "name"])
        #expect(defaults.breaches(of: .otherIdentities).isEmpty)
        #expect(defaults.breaches(of: .replay).map(\.field) == ["public_key", "name"])
        #expect(renamed.breaches(of: .otherIdentities).map(\.field) == ["name"])
        #expect(foreign.breaches(of: .otherIdentities).map(\.field) == ["name"])
    }

    @Test func `another frame is one difference`() {
        let difference = FrameDifference(recorded: [0], seen: [1, 2], direction: .toApp)

        #expect(
            difference.fields == [FieldDifference("frame", .content, recorded: "RESP_CODE_OK", seen: "RESP_CODE_ERR")])
    }

    @Test func `a tail that only one frame has is a difference`() {
        let difference = FrameDifference(
            recorded: [12, 1, 2], seen: [12, 1, 2, 1, 0, 0, 0, 9, 0, 0, 0], direction: .toApp)

        #expect(difference.fields.map(\.field) == ["used", "total"])
        #expect(difference.fields.map(\.recorded) == [nil, nil])
    }

    @Test func `what stands behind the end of a text does not matter`() {
        var first = Resp.ChannelInfo()
        first.name[0] = 65
        var second = first
        second.name[9] = 66

        let difference = FrameDifference(recorded: first.encoded(), seen: second.encoded(), direction: .toApp)

        #expect(difference.fields.isEmpty)
    }

    @Test func `a field that repeats has its place in its name`() {
        var first = Push.TraceData()
        first.pathLength = 3
        first.pathHashes = [1, 2, 3]
        first.pathSNRs = [.init(), .init(), .init()]
        var second = first
        second.pathSNRs[2].snr = 4

        let difference = FrameDifference(recorded: first.encoded(), seen: second.encoded(), direction: .toApp)

        #expect(difference.fields.map(\.field) == ["path_snr[2]"])
    }

    @Test func `packets are compared by what does not follow from clocks`() {
        let first = FrameDifference(
            recorded: [0x88, 1, 2, 0x09, 0, 1, 2, 3], seen: [0x88, 1, 2, 0x09, 0, 1, 2, 4], direction: .toApp)
        let second = FrameDifference(
            recorded: [0x88, 1, 2, 0x09, 0, 1, 2, 3], seen: [0x88, 1, 2, 0x0d, 0, 1, 2, 3], direction: .toApp)

        #expect(first.fields.map(\.field) == ["raw.payload"])
        #expect(first.breaches(of: .replay).isEmpty)
        #expect(second.breaches(of: .replay).map(\.field) == ["raw.header"])
    }

    @Test func `unknown and malformed frames are compared as bytes`() {
        let unknown = FrameDifference(recorded: [0xF0, 1], seen: [0xF0, 2], direction: .toApp)
        let short = FrameDifference(recorded: [9, 1], seen: [9, 2], direction: .toApp)

        #expect(unknown.fields.map(\.field) == ["data"])
        #expect(short.fields.map(\.field) == ["rest"])
    }
}
