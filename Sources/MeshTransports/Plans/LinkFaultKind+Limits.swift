import MeshBluetoothHost
import MeshCompanion

// What a kind can be: its frames, its lengths, the ranges of its parameters, and the links that it is for.
extension LinkFaultKind {
    /// The longest time that a fault may last.
    static let longestTime = Duration.seconds(3600)
    /// The most bytes that a fault may add in one place.
    static let mostBytes = 300
    /// The longest frame that a fault may make.
    static let longestFrame = 4096
    /// The frames with messages of the queue.
    static let messages: [ResponseCode] = [
        .contactMsgRecv, .channelMsgRecv, .contactMsgRecvV3, .channelMsgRecvV3, .channelDataRecv,
    ]

    /// The frames that the kind can take; `nil` for all.
    var frames: [LinkFrameKind]? {
        switch self {
        case .otherAnswer, .error: ResponseCode.allCases.map(LinkFrameKind.response)
        case .moreContacts, .fewerContacts: [.response(.contactsStart)]
        case .endlessListing: [.response(.endOfContacts)]
        case .sameMessage: (Self.messages + [.noMoreMessages]).map(LinkFrameKind.response)
        default: nil
        }
    }

    /// The bytes that a frame has at least for the kind to take it.
    var leastLength: Int {
        switch self {
        case .cut(let count), .cutFront(let count): count + 1
        case .doubleBytes(let from, let count): from + count
        // Something of the frame is left.
        case .loseBytes(let from, let count): max(from + count, count + 1)
        case .garble(let place?, _): place + 1
        case .split(let place, _), .endWithin(let place): place + 1
        default: 0
        }
    }

    /// The mistake in the parameters of a fault in a direction.
    func problem(_ way: FrameDirection) -> PlanProblem? {
        switch self {
        case .late(let span), .stall(let span), .boardOff(let span): timeProblem(span, "seconds")
        case .brownOut(let bytes, let span):
            timeProblem(span, "seconds") ?? bytes.flatMap { rangeProblem($0, 0...1_000_000, "bytes") }
        case .split(let place, let pause):
            rangeProblem(place, -2...CompanionLimits.frame - 1, "after") ?? timeProblem(pause, "pauseSeconds")
        case .endWithin(let place): rangeProblem(place, -2...CompanionLimits.frame - 1, "after")
        case .doubleBytes(let from, let count), .loseBytes(let from, let count):
            rangeProblem(from, 0...CompanionLimits.frame - 1, "from")
                ?? rangeProblem(count, 1...CompanionLimits.frame, "bytes")
        case .cut(let count), .cutFront(let count): rangeProblem(count, 1...CompanionLimits.frame - 1, "bytes")
        case .garble(let place, _): place.flatMap { rangeProblem($0, 0...CompanionLimits.frame - 1, "byte") }
        case .insert(let bytes): rangeProblem(bytes.count, 1...Self.mostBytes, "hex", "bytes")
        case .rubbish(let count): rangeProblem(count, 1...Self.mostBytes, "bytes")
        case .olderSession(let frame):
            frame.flatMap { $0.way == way ? nil : wrong("copy", "\($0.wireName) passes in the other direction") }
        case .push(let bytes): frameProblem(bytes, "hex", 0x80...0xFF, "a push has a code of 0x80 and more")
        case .otherAnswer(let bytes): frameProblem(bytes, "hex", 0...0x7F, "an answer has a code below 0x80")
        case .wrongLength(let difference):
            difference == 0
                ? wrong("by", "a length that differs by 0 is right") : rangeProblem(difference, -176...60_000, "by")
        case .moreContacts(let count), .fewerContacts(let count): rangeProblem(count, 1...1_000_000, "contacts")
        case .unknownCode(let code):
            LinkFrameKind(of: [code], way).flatMap { wrong("code", "\(code) is \($0.wireName)") }
        case .overlong(let count): rangeProblem(count, CompanionLimits.frame + 1...Self.longestFrame, "bytes")
        case .bluetooth(let fault): fault.problem.map { wrong($0.parameter, $0.reason) }
        case .merge, .lose, .swap, .double, .error, .endlessListing, .sameMessage, .longest, .empty, .endBefore,
            .endAfter, .refuseConnection, .reboot:
            nil
        }
    }

    /// The reason why a link cannot have the kind, if it cannot.
    func problem(on carrier: LinkCarrier?, hasPower: Bool) -> PlanProblem? {
        if needsPower, !hasPower {
            return wrong("fault", "\(name) needs a board whose power can be cut, and this link has none")
        }
        guard let carrier else { return nil }
        switch self {
        case .wrongLength where !carrier.isStream:
            return wrong("fault", "\(name) needs a header in front of the frame, which \(carrier.rawValue) has not")
        case .split(let place, _) where place < 1 && !carrier.isStream,
            .endWithin(let place) where place < 1 && !carrier.isStream:
            return wrong("after", "\(place) is in a header, which \(carrier.rawValue) has not")
        case .endBefore, .endWithin, .endAfter, .refuseConnection:
            guard !carrier.hasConnections else { return nil }
            return wrong("fault", "\(name): \(carrier.rawValue) ends only with the board's power, as by board-off")
        case .bluetooth where carrier != .bluetooth:
            return wrong("fault", "\(name) needs a link over Bluetooth, and this one is \(carrier.rawValue)")
        default: return nil
        }
    }

    private func wrong(_ field: String, _ reason: String) -> PlanProblem { PlanProblem(field: field, reason: reason) }

    private func rangeProblem(
        _ value: Int, _ range: ClosedRange<Int>, _ field: String, _ unit: String = ""
    ) -> PlanProblem? {
        guard !range.contains(value) else { return nil }
        let what = unit.isEmpty ? "\(value)" : "\(value) \(unit)"
        return wrong(field, "\(what) is not within \(range.lowerBound)…\(range.upperBound)")
    }

    private func timeProblem(_ span: Duration, _ field: String) -> PlanProblem? {
        guard span <= .zero || span > Self.longestTime else { return nil }
        return wrong(field, "must be more than 0 and 3600 at most")
    }

    private func frameProblem(
        _ bytes: [UInt8], _ field: String, _ codes: ClosedRange<UInt8>, _ reason: String
    ) -> PlanProblem? {
        if let problem = rangeProblem(bytes.count, 1...Self.mostBytes, field, "bytes") { return problem }
        return bytes.first.map(codes.contains) == true ? nil : wrong(field, reason)
    }
}
