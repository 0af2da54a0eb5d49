import MeshCompanion
import MeshWire
import Testing

@testable import MeshCapture

/// The meaning of a difference in each field of the protocol.
@Suite struct FieldMeaningTests {
    static let frames: [any CodedFrame.Type] =
        CommandCode.allCases.map { $0.row.frame } + ResponseCode.allCases.map { $0.row.frame }
        + PushCode.allCases.map { $0.row.frame }

    static func fields(of frame: any CodedFrame.Type) -> [FieldDescription] {
        frame.layout(from: 1).flatMap(\.fields).filter { if case .list = $0.size { false } else { true } }
    }

    @Test func `every field of every frame has a meaning`() {
        var without: [String] = []

        for frame in Self.frames {
            for field in Self.fields(of: frame) where FieldMeaning(field.name, in: frame.wireName) == nil {
                without.append("\(frame.wireName).\(field.name)")
            }
        }

        #expect(without.isEmpty)
    }

    @Test func `a field in Unix time is a time, and one that hears a signal a measurement`() {
        for frame in Self.frames {
            for field in Self.fields(of: frame) {
                let meaning = FieldMeaning(field.name, in: frame.wireName)
                if field.unit == FieldUnit.unixTime.description { #expect(meaning?.fieldClass == .time) }
                if field.unit == FieldUnit.quarterDecibels.description { #expect(meaning?.fieldClass == .measurement) }
                if field.unit == FieldUnit.microdegrees.description { #expect(meaning?.secret != nil) }
            }
        }
    }

    @Test func `a field that nobody knows has no meaning`() {
        #expect(FieldMeaning("colour", in: "CMD_APP_START") == nil)
    }
}
