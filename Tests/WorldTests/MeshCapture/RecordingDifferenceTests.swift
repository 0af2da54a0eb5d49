import MeshCompanion
import MeshTime
import MeshWire
import Testing

@testable import MeshCapture

/// Two recordings side by side.
@Suite struct RecordingDifferenceTests {
    static func recording(_ frames: [[UInt8]]) -> Recording {
        RecordingConversationTests.recording(frames.map { (.toApp, $0) })
    }

    static func contact(_ number: UInt8) -> [UInt8] {
        var contact = Resp.Contact()
        contact.record.publicKey[0] = number
        return contact.encoded()
    }

    @Test func `recordings that say the same at other times do not differ`() {
        let first = Self.recording([[9, 1, 2, 3, 4], [0]])
        let second = Self.recording([[9, 5, 2, 3, 4], [0]])

        let difference = RecordingDifference(first, second)

        #expect(difference.changes.isEmpty)
        #expect(difference.same == 2)
        #expect(
            RecordingDifference(first, second, isExact: true).changes == [
                .changed(0, 0, [.init("bytes", .content, recorded: "0901020304", seen: "0905020304")])
            ])
    }

    @Test func `a line that is missing does not shift the others`() {
        let first = Self.recording((1...9).map(Self.contact))
        let second = Self.recording([1, 2, 3, 5, 6, 7, 8, 9].map(Self.contact))

        #expect(RecordingDifference(first, second).changes == [.missing(3)])
        #expect(RecordingDifference(second, first).changes == [.added(3)])
    }

    @Test func `a frame that changed is compared field by field`() {
        var changed = Self.recording((1...3).map(Self.contact))
        var contact = Resp.Contact()
        contact.record.publicKey[0] = 2
        contact.record.name[0] = 66
        changed.entries[1].event = .frame(.toApp, contact.encoded())

        let difference = RecordingDifference(Self.recording((1...3).map(Self.contact)), changed)

        #expect(
            difference.changes == [.changed(1, 1, [.init("name", .content, recorded: "\"\"", seen: "\"B\"")])])
    }

    @Test func `long recordings are compared with what is near`() {
        let frames = (0..<4000).map { [UInt8]([10]) + [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        let first = Self.recording([[1, 1]] + frames + [[1, 1]])
        var others = frames
        others.remove(at: 2000)
        let second = Self.recording([[1, 2]] + others + [[1, 2]])

        let difference = RecordingDifference(first, second)

        #expect(difference.changes.count == 3)
        #expect(difference.changes.contains(.missing(2001)))
    }

    @Test func `equal pairs ascend`() {
        let pairs = Alignment.pairs(["a", "b", "c", "d"], ["b", "x", "d", "a"])

        #expect(pairs.map(\.0) == [1, 3])
        #expect(pairs.map(\.1) == [0, 2])
    }
}
