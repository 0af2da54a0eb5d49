public import FoundationEssentials
import MeshFiles

/// The expected end of a stack: a part of a `StackOutcome`, kept as JSON.
///
/// Fields that the file does not name are not compared, except departures: those that it does not name are not
/// expected. Lists are compared whole.
public struct ReplayExpectation: Sendable {
    private let root: ExpectedValue

    /// Reads JSON of at most 32 levels. Throws a `DecodingError`.
    public init(_ json: Data) throws {
        root = try ExpectedValue(json: [UInt8](json))
    }

    /// Expects the whole outcome, and nothing else.
    public init(_ outcome: StackOutcome) throws {
        var value = try ExpectedValue(outcome)
        // What is absent is to stay so.
        value.fill("error", with: .null)
        value.mapList("messages") { message in
            var message = message
            message.fill("sender", with: .null)
            return message
        }
        root = value
    }

    /// The JSON of the file, the same bytes for the same values. Each field of the radio, contact, channel, message and
    /// departure has its own line.
    public var text: String { root.lines + "\n" }

    /// A line for each place where the outcome is not as expected.
    public func differences(from outcome: StackOutcome) throws -> [String] {
        var expected = root
        expected.fill("departures", with: .list([]))
        return expected.differences(from: try ExpectedValue(outcome), at: "")
    }
}

/// The path at which a recording's own expectation is looked for.
extension ReplayExpectation {
    /// Beside the recording: `day.stack.json` for `day.capture`.
    public static func path(beside recording: String) -> String {
        let stem = recording.hasSuffix(".capture") ? String(recording.dropLast(".capture".count)) : recording
        return stem + ".stack.json"
    }
}
