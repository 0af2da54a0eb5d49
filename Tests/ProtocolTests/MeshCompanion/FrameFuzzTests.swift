import MeshCompanion
import MeshTime
import MeshWire
import Testing

/// Every frame type, for tests that hold for all.
struct AnyFrame: CustomTestStringConvertible, Sendable {
    let type: any CodedFrame.Type
    var testDescription: String { type.wireName }

    static let all =
        CommandCode.allCases.map { AnyFrame(type: $0.row.frame) }
        + ResponseCode.allCases.map { AnyFrame(type: $0.row.frame) }
        + PushCode.allCases.map { AnyFrame(type: $0.row.frame) }
}

@Suite struct FrameFuzzTests {
    @Test(arguments: AnyFrame.all)
    func `a frame drawn from a seed is the same after encoding and decoding`(_ frame: AnyFrame) throws {
        func check<F: CodedFrame>(_ type: F.Type) throws {
            var random = Seed(1).stream(F.wireName)
            for round in 0..<200 {
                let drawn = F.fuzzed(using: &random)

                let bytes = drawn.encoded()
                let again = try F(decoding: bytes)

                #expect(again == drawn, "seed 1, round \(round): \(bytes.hex)")
                #expect(again.encoded() == bytes)
            }
        }
        try check(frame.type)
    }

    @Test(arguments: AnyFrame.all)
    func `a frame cut anywhere names the field that was cut, or ends with an optional one`(_ frame: AnyFrame) {
        func check<F: CodedFrame>(_ type: F.Type) {
            var random = Seed(2).stream(F.wireName)
            for _ in 0..<20 {
                let bytes = F.fuzzed(using: &random).encoded()
                let printed = FramePrinter.printed(
                    bytes, direction: F.self is any CommandFrame.Type ? .toRadio : .toApp)
                let mayEnd = Self.optionalFields(F.self)

                for length in 0..<bytes.count {
                    let cut = printed.fields.first { $0.offset + $0.size > length }
                    let error = Self.error { () throws(FrameError) in try F(decoding: [UInt8](bytes[..<length])) }

                    if let cut, mayEnd.contains(cut.name) {
                        #expect(error == nil, "\(bytes.hex) cut at \(length)")
                    } else {
                        #expect(error?.field == cut?.name, "\(bytes.hex) cut at \(length)")
                        #expect(error?.offset == cut?.offset)
                    }
                }
            }
        }
        check(frame.type)
    }

    @Test func `unknown codes keep their bytes`() throws {
        let known = Set(CommandCode.allCases.map(\.rawValue))
        for code in UInt8.min...UInt8.max {
            let bytes = [code, 1, 2, 3]
            if !known.contains(code) {
                guard case .unknown(bytes) = try CompanionFrame.command(bytes) else {
                    Issue.record("command \(code)")
                    continue
                }
                #expect(FramePrinter.printed(bytes, direction: .toRadio).failure?.reason == .unknownCode(code))
            }
            if RadioCode(code) == nil {
                guard case .unknown(bytes) = try CompanionFrame.fromRadio(bytes) else {
                    Issue.record("from radio \(code)")
                    continue
                }
            }
        }
        #expect(throws: FrameError.self) { try CompanionFrame.command([]) }
    }

    /// The fields with which a frame may end early, by the description of its layouts.
    static func optionalFields<F: CodedFrame>(_ type: F.Type) -> Set<String> {
        var names: Set<String> = []
        for (_, fields) in F.layout(from: 1) {
            var inList = false
            for field in fields {
                switch field.size {
                case .rest: names.insert(field.name)
                case .list(_, let isCounted): inList = !isCounted
                default: if field.isOptional || inList { names.insert(field.name) }
                }
            }
        }
        return names
    }

    static func error<T>(_ body: () throws(FrameError) -> T) -> FrameError? {
        do {
            _ = try body()
            return nil
        } catch {
            return error
        }
    }
}
