import MeshCompanion
import MeshWire

extension CoverageMatrix {
    /// The condition for a cell to count as seen.
    enum Mark: Hashable, Sendable {
        case reply(RadioCode)
        /// No answer; the radio restarts instead.
        case silence
        case error(ErrorCode)
        /// A frame of so many bytes, code byte included.
        case length(ClosedRange<Int>, String)
        /// An optional field that ends at byte `end`, or is left out: the frame ends at `start` or before.
        case tail(name: String, start: Int, end: Int, isThere: Bool)
        case push(PushCode)

        var aspect: Aspect {
            switch self {
            case .reply, .silence: .reply
            case .error: .error
            case .length: .length
            case .tail: .tail
            case .push: .push
            }
        }

        var name: String {
            switch self {
            case .reply(let code): code.shortName
            case .silence: "no answer"
            case .error(let code): "\(code)"
            case .length(let range, let meaning):
                (range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)…\(range.upperBound)") + " " + meaning
            case .tail(let name, _, _, let isThere): (isThere ? "with " : "without ") + name
            case .push(let code): RadioCode.push(code).shortName
            }
        }

        /// Tells whether the command and its answer are a case of it.
        func fits(command: [UInt8], answer: [UInt8]) -> Bool {
            switch self {
            case .reply(let code): answer.first == code.byte
            case .error(let code): answer.first == ResponseCode.err.rawValue && answer.last == code.rawValue
            case .length: fitsLength(of: command)
            case .tail(_, let start, let end, let isThere):
                answer.first != ResponseCode.err.rawValue && (isThere ? command.count >= end : command.count <= start)
            case .silence, .push: false
            }
        }

        func fitsLength(of frame: [UInt8]) -> Bool {
            if case .length(let range, _) = self { range.contains(frame.count) } else { false }
        }
    }
}

extension RadioCode {
    /// `SELF_INFO`.
    fileprivate var shortName: String {
        let name = wireName
        let start = (name.firstRange(of: "CODE_") ?? name.firstRange(of: "_"))?.upperBound
        return String(name[(start ?? name.startIndex)...])
    }
}

// The marks that the table asks for.
extension CoverageMatrix.Mark {
    static func marks(of code: CommandCode) -> [Self] {
        let row = code.row
        var replies = row.replies.map { Self.reply(.response($0)) } + row.pushReplies.map { .reply(.push($0)) }
        if replies.isEmpty { replies = [.silence] }
        var errors = row.errors
        if row.accepts.canRefuse, !errors.contains(row.accepts.refusal) { errors.insert(row.accepts.refusal, at: 0) }
        return replies + errors.map(Self.error) + lengths(row) + tails(of: row.frame) + row.later.map(Self.push)
    }

    static func marks(of code: RadioCode) -> [Self] {
        let length: FrameLength =
            switch code {
            case .response(let code): code.row.length
            case .push(let code): code.row.length
            }
        if length.ranges.count > 4, let first = length.ranges.first, let last = length.ranges.last {
            return [exactly(first.lowerBound, "shortest"), exactly(last.upperBound, "longest")]
        }
        return length.ranges.flatMap { range in
            range.count == 1
                ? [exactly(range.lowerBound, "whole")]
                : [exactly(range.lowerBound, "shortest"), exactly(range.upperBound, "longest")]
        }
    }

    private static func exactly(_ count: Int, _ meaning: String) -> Self { .length(count...count, meaning) }

    /// The shortest, the longest and what is just outside of each range that the dispatch lets through.
    private static func lengths(_ row: CommandRow) -> [Self] {
        guard let ranges = row.accepts.lengths else { return uncheckedLengths(row.frame) }
        var marks: [Self] = []
        func isRefused(_ count: Int) -> Bool {
            1...CompanionLimits.frame ~= count && !ranges.contains { $0.contains(count) }
        }
        for range in ranges {
            if isRefused(range.lowerBound - 1) { marks.append(exactly(range.lowerBound - 1, "too short")) }
            marks.append(exactly(range.lowerBound, "shortest"))
            if range.count > 1 { marks.append(exactly(range.upperBound, "longest")) }
            if isRefused(range.upperBound + 1) { marks.append(exactly(range.upperBound + 1, "too long")) }
        }
        return marks
    }

    /// Returns marks where the dispatch does not check the length: all fields, fewer, and the longest frame.
    private static func uncheckedLengths(_ frame: any CommandFrame.Type) -> [Self] {
        let whole = 1 + requiredBytes(frame)
        var marks = [exactly(whole, "whole"), exactly(CompanionLimits.frame, "longest")]
        if whole > 1 { marks.insert(.length(1...(whole - 1), "cut"), at: 0) }
        return marks
    }

    /// Bytes of the fields that are not optional, behind the code.
    private static func requiredBytes(_ frame: any CommandFrame.Type) -> Int {
        (frame.layout(from: 1).first?.fields ?? []).reduce(0) { sum, field in
            if case .fixed(let count) = field.size, !field.isOptional { sum + count } else { sum }
        }
    }

    private static func tails(of frame: any CommandFrame.Type) -> [Self] {
        (frame.layout(from: 1).first?.fields ?? []).flatMap { field -> [Self] in
            guard field.isOptional, let start = field.offset, case .fixed(let count) = field.size else { return [] }
            return [
                .tail(name: field.name, start: start, end: start + count, isThere: true),
                .tail(name: field.name, start: start, end: start + count, isThere: false),
            ]
        }
    }
}

extension DispatchRule {
    /// Tells whether a frame with the command's code exists that the rule refuses.
    fileprivate var canRefuse: Bool {
        firstByte != nil || minimum > 1 || lengths?.contains { $0.upperBound < CompanionLimits.frame } == true
    }
}
