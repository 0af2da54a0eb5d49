import MeshCompanion
import MeshPacket
import MeshWire

extension RecordingScrubber {
    /// Replaces a message: a command to a server role or its answer, a text, or a name and its text.
    mutating func replaceText(_ range: Range<Int>, in frame: inout ScrubbedFrame) {
        if let type = frame["txt_type"]?.first,
            [TextType.cliData.rawValue, TextType.remoteCommand.rawValue].contains(type)
        {
            replaceCommandLine(range, in: &frame)
        } else if frame.name.contains("CHANNEL_MSG_RECV") {
            replaceChannelText(range, in: &frame)
        } else if !secrets.contains(.texts) {
            // Nodes take plain texts of admins for commands.
            let line = frame.original[range]
            let isCommand = frame.name.hasPrefix("CMD_")
            replace(
                isCommand
                    ? CommandLineSecret.part(ofCommand: line, inDoubt: false)
                    : CommandLineSecret.part(ofAnswer: line, to: .harmless), in: &frame)
        } else {
            change(range, to: substitution.words(frame.original[range]), as: .texts, in: &frame)
        }
    }

    /// Replaces a text on a channel; one that a radio received begins with its author's name.
    private mutating func replaceChannelText(_ range: Range<Int>, in frame: inout ScrubbedFrame) {
        let text = frame.original[range]
        let separator = text.indices.dropLast().first {
            text[$0] == UInt8(ascii: ":") && text[$0 + 1] == UInt8(ascii: " ")
        }
        guard let separator else {
            return change(range, to: substitution.words(text), as: .texts, in: &frame)
        }
        let name = text.startIndex..<separator
        if !name.isEmpty { change(name, to: substitution.letters(.name, text[name]), as: .names, in: &frame) }
        let words = (separator + 2)..<text.endIndex
        if !words.isEmpty { change(words, to: substitution.words(text[words]), as: .texts, in: &frame) }
    }

    /// The secret part of a command or of its answer; the rest is the node's language, and stays.
    private mutating func replaceCommandLine(_ range: Range<Int>, in frame: inout ScrubbedFrame) {
        let peer = [UInt8](frame["pubkey_prefix"] ?? [])
        let line = frame.original[range]
        guard frame.name.hasPrefix("CMD_") else {
            let question = takeQuestion(of: peer, isValue: CommandLineSecret.isValue(line))
            return replace(CommandLineSecret.part(ofAnswer: line, to: question), in: &frame)
        }
        replace(CommandLineSecret.part(ofCommand: line), in: &frame)
        var open = questions[peer] ?? []
        if open.count == Self.openQuestions { open.remove(at: open.firstIndex(of: .harmless) ?? 0) }
        // A command without a question is answered as well.
        questions[peer] = open + [CommandLineSecret.question(line) ?? .harmless]
    }

    /// Questions to one node that are remembered until they are answered.
    private static var openQuestions: Int { 16 }

    /// Returns the question that the next answer of a node answers, and forgets it.
    ///
    /// Answers are lost: while a question for a secret is open, the next value is that secret. An answer that is no
    /// value answers another command.
    private mutating func takeQuestion(of peer: [UInt8], isValue: Bool) -> CommandLineSecret.Question? {
        guard var open = questions[peer], !open.isEmpty else { return nil }
        let harmless = open.firstIndex(of: .harmless)
        guard let place = isValue ? open.firstIndex(where: { $0 != .harmless }) ?? harmless : harmless else {
            return nil
        }
        let question = open.remove(at: place)
        questions[peer] = open.isEmpty ? nil : open
        return question
    }

    private mutating func replace(_ part: CommandLineSecret.Part?, in frame: inout ScrubbedFrame) {
        guard let part, !part.range.isEmpty else { return }
        let old = frame.original[part.range]
        let new: [UInt8]
        switch part.secret {
        case .password: new = substitution.letters(.password, old)
        case .key: new = substitution.hexDigits(old)
        case .coordinate: new = substitution.digits(old)
        case .name: new = substitution.letters(.name, old)
        case .text: new = substitution.words(old)
        }
        change(part.range, to: new, as: part.secret.kind, in: &frame)
    }
}

extension RecordingScrubber {
    /// Keeps what later frames need to be understood: which request a tag belongs to.
    mutating func remember(_ frame: ScrubbedFrame) {
        switch frame.name {
        case CommandCode.sendBinaryReq.wireName:
            requested = frame["request"]?.first.map { RequestType(rawValue: $0) }
        case CommandCode.sendAnonReq.wireName:
            // Question 2 is for the owner, which an answer of the same layout gives.
            requested = frame["data"]?.first == 2 ? .getOwnerInfo : nil
        case ResponseCode.sent.wireName:
            if let requested, let tag = frame["tag"] { requests[tag.littleEndianNumber] = requested }
            requested = nil
        case ResponseCode.err.wireName: requested = nil
        default: break
        }
    }

    /// Replaces the answer to a binary request, by its request.
    ///
    /// An answer whose request is not in the recording is telemetry, if it reads like it.
    mutating func replaceAnswer(_ range: Range<Int>, in frame: inout ScrubbedFrame) {
        let data = [UInt8](frame.original[range])
        switch frame["tag"].flatMap({ requests[$0.littleEndianNumber] }) {
        case .some(.getTelemetryData), .none:
            frame.bytes.replaceSubrange(range, with: scrubbed(telemetry: data))
        case .some(.getOwnerInfo):
            change(range, to: substitution.words(data), as: .texts, in: &frame)
        case .some: break
        }
    }
}

extension RecordingScrubber {
    /// The values of variables whose names are those of passwords and keys.
    mutating func replaceVariables(_ range: Range<Int>, in frame: inout ScrubbedFrame) {
        for pair in frame.original[range].split(separator: UInt8(ascii: ",")) {
            guard let colon = pair.firstIndex(of: UInt8(ascii: ":")),
                WrittenSecrets.namesSecret(String(decoding: pair[..<colon], as: UTF8.self)),
                colon + 1 < pair.endIndex
            else { continue }
            let value = colon + 1..<pair.endIndex
            change(value, to: substitution.letters(.password, pair[value]), as: .passwords, in: &frame)
        }
    }

    /// Replaces the password of a login.
    ///
    /// A node reads an anonymous request as a login, unless it is one of the questions 1 to 3 with the route back.
    mutating func replaceLogin(_ range: Range<Int>, in frame: inout ScrubbedFrame) {
        let data = frame.original[range]
        guard !data.isEmpty, !Self.isQuestion([UInt8](data)) else { return }
        change(range, to: substitution.letters(.password, data), as: .passwords, in: &frame)
    }

    /// The number of a question, and the path: its length in hops, with the size of a hop in the upper bits.
    private static func isQuestion(_ data: [UInt8]) -> Bool {
        guard 1...3 ~= data[0], data.count > 1 else { return 1...3 ~= data[0] }
        return data.count == 2 + Int(data[1] & 63) * (Int(data[1] >> 6) + 1)
    }
}

extension Substitution {
    /// Other hex digits in the places of digits.
    func hexDigits(_ original: some Collection<UInt8>) -> [UInt8] {
        let digits = [UInt8]("0123456789abcdef".utf8)
        return bytes(.key, original, count: original.count).map { digits[Int($0 & 15)] }
    }
}
