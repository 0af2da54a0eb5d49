import Foundation
import MeshCompanion
import MeshTestSupport
import MeshWire
import Testing

@Suite struct TableTests {
    @Test func `the table has 59 commands, 30 responses and 17 pushes`() {
        #expect(CommandCode.allCases.count == 59)
        #expect(ResponseCode.allCases.count == 30)
        #expect(PushCode.allCases.count == 17)
    }

    @Test func `codes and names are those of the firmware's own list`() throws {
        let version = FirmwareVersion.v1_17_1
        let list = String(decoding: try CompanionVectors.resource("codes-1.17.1.txt"), as: UTF8.self)
        let ours =
            CommandCode.allCases.filter { version.has(since: $0.row.since) }.map { "\($0.wireName) \($0.rawValue)" }
            + ResponseCode.allCases.filter { version.has(since: $0.row.since) }.map { "\($0.wireName) \($0.rawValue)" }
            + PushCode.allCases.map { "\($0.wireName) \($0.rawValue)" }
            + ErrorCode.named.map { "\($0.wireName ?? "") \($0.rawValue)" }

        let theirs = list.split(separator: "\n").map(String.init)

        #expect(Set(ours).symmetricDifference(theirs).sorted() == [])
        #expect(ours.count == theirs.count)
    }

    @Test(arguments: CommandCode.allCases)
    func `a command's row holds its own frame and the answers of its reply type`(_ code: CommandCode) {
        let row = code.row

        #expect(row.frame.code == code)
        let answers = row.replies.map(RadioCode.response) + row.pushReplies.map(RadioCode.push)
        #expect(Self.replies(of: row.frame) == answers)
        #expect(row.since.level <= FirmwareVersion.v1_18.switches.level)
    }

    @Test(arguments: ResponseCode.allCases)
    func `a response's row holds its own frame, and some command asks for it`(_ code: ResponseCode) {
        #expect(code.row.frame.code == code)
        #expect(!code.answers.isEmpty)
    }

    @Test(arguments: PushCode.allCases)
    func `a push's row holds its own frame`(_ code: PushCode) {
        #expect(code.row.frame.code == code)
    }

    @Test(arguments: CommandCode.allCases)
    func `the shortest frame that is admitted can be read, with the receive buffer behind it`(_ code: CommandCode) {
        var buffer = [UInt8](repeating: 0, count: CompanionLimits.frame + 1)
        buffer[0] = code.rawValue
        let row = code.row

        for length in row.accepts.lengths?.map(\.lowerBound) ?? [1] {
            let failure = buffer.withUnsafeBytes { Self.failure(of: row.frame, $0, frameEnd: length) }
            #expect(failure == nil)
        }
    }

    @Test(
        arguments: [
            ("1.0", 2), ("1.3.0", 2), ("1.4", 3), ("1.5", 4), ("1.7.0", 5), ("1.7.1", 6), ("1.7.2", 6), ("1.7.3", 7),
            ("1.9.0", 7), ("1.12", 8), ("1.13.0", 9), ("1.14", 10), ("1.15.0", 11), ("1.16.0", 13), ("1.17.1", 13),
            ("1.18.0", 14),
        ] as [(String, UInt8)])
    func `a release announces its level`(_ version: String, _ level: UInt8) {
        #expect(Release(version).level == level)
    }

    @Test func `a frame one byte short of its minimum is not admitted`() {
        for code in CommandCode.allCases {
            let rule = code.row.accepts
            guard rule.lengths != nil else { continue }
            #expect(!rule.admits(length: rule.minimum - 1, firstByte: rule.firstByte?.lowerBound ?? 0))
            #expect(rule.admits(length: rule.minimum, firstByte: rule.firstByte?.lowerBound ?? 0))
        }
        #expect(CommandCode.sendChannelData.row.accepts.refusal == .illegalArg)
    }

    @Test func `every command that 1.17.1 has has a recorded frame`() {
        let recorded = Set(CompanionVectors.stored.frames.filter(\.isCommand).map(\.code))

        let missing = CommandCode.allCases.filter { !recorded.contains($0.rawValue) }

        #expect(missing == [.runCliCommand])
        #expect(missing.allSatisfy { !FirmwareVersion.v1_17_1.has(since: $0.row.since) })
    }

    @Test func `special dispatch conditions are those of the firmware`() {
        #expect(CommandCode.sendTelemetryReq.row.accepts.admits([39, 0, 0, 0]))
        #expect(!CommandCode.sendTelemetryReq.row.accepts.admits([39, 0, 0, 0, 0]))
        #expect(!CommandCode.setChannel.row.accepts.admits(length: 66, firstByte: 0))
        #expect(!CommandCode.setFloodScopeKey.row.accepts.admits([54, 2]))
        #expect(!CommandCode.sendControlData.row.accepts.admits([55, 0x7F]))
        #expect(!CommandCode.setPathHashMode.row.accepts.admits([61, 1, 0]))
    }

    @Test func `every quirk has a sentence and a place in the table`() {
        let used = CommandCode.allCases.flatMap(\.row.quirks)
        for quirk in Quirk.allCases {
            for sentence in [quirk.summary, quirk.otherwise] {
                #expect(sentence.hasSuffix(".") && !sentence.dropLast().contains(". "), "\(quirk)")
            }
            #expect(!quirk.source.isEmpty)
            #expect(used.contains(quirk) == (quirk.place == .companion), "\(quirk)")
        }
    }

    @Test func `the name of a quirk is its case in words with hyphens`() {
        for quirk in Quirk.allCases {
            var name = ""
            for letter in "\(quirk)".replacing("OK", with: "Ok") {
                name += letter.isUppercase ? "-" + letter.lowercased() : String(letter)
            }
            #expect(quirk.rawValue == name)
        }
    }

    static func replies<C: CommandFrame>(of type: C.Type) -> [RadioCode] { C.Reply.replyCodes }

    static func failure<C: CommandFrame>(
        of type: C.Type, _ memory: UnsafeRawBufferPointer, frameEnd: Int
    ) -> FrameError? {
        var frame = C()
        return frame.read(memory, frameEnd: frameEnd)
    }
}
