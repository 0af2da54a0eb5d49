import MeshCompanion
public import MeshFiles

extension LinkFaultPlan {
    /// Refuses a plan that names what is not there, whose faults exclude each other, or whose occasions never come.
    ///
    /// - Parameters:
    ///   - carrier: the link; without one, what is possible on some link is accepted.
    ///   - hasPower: whether the power of the board can be cut.
    public func check(on carrier: LinkCarrier? = nil, hasPower: Bool = true) throws(FileProblem) {
        guard faults.count <= Self.most else {
            throw FileProblem(line: 0, field: "faults", reason: "has more than \(Self.most) faults")
        }
        for (place, fault) in faults.enumerated() {
            if let problem = fault.problem(on: carrier, hasPower: hasPower) {
                throw FileProblem(line: 0, field: "faults[\(place)].\(problem.field)", reason: problem.reason)
            }
        }
        if let pair = pairProblem { throw pair.problem }
    }

    /// The later one of the first two faults that decide on the same frame, and the refusal.
    var pairProblem: (place: Int, problem: FileProblem)? {
        var deciders: [Decider: Int] = [:]
        for (place, fault) in faults.enumerated() where fault.kind.role == .takesFrame {
            let decider = Decider(way: fault.way, occasion: fault.occasion)
            guard let first = deciders[decider] else {
                deciders[decider] = place
                continue
            }
            let reason =
                "\(fault.kind.name) and \(faults[first].kind.name), fault \(first), exclude each other: both decide on "
                + "the frame \(fault.occasion)"
            return (place, FileProblem(line: 0, field: "faults[\(place)]", reason: reason))
        }
        return nil
    }

    private struct Decider: Hashable {
        let way: FrameDirection
        let occasion: LinkOccasion
    }
}

/// The mistake of one planned fault: its member, and the reason in words.
struct PlanProblem {
    let field: String
    let reason: String
}

extension PlannedLinkFault {
    /// The mistake of the fault by itself; `nil` for one that a link can be given.
    func problem(on carrier: LinkCarrier?, hasPower: Bool) -> PlanProblem? {
        guard (1...Self.mostTimes).contains(times) else {
            return PlanProblem(field: "times", reason: "\(times) is not within 1…\(Self.mostTimes)")
        }
        return occasion.problem ?? kind.problem(way) ?? wayProblem ?? frameProblem ?? lengthProblem
            ?? kind.problem(on: carrier, hasPower: hasPower) ?? writeProblem(on: carrier)
    }

    /// The frame is none that a client can write over Bluetooth: a write has from one byte to the greatest length.
    private func writeProblem(on carrier: LinkCarrier?) -> PlanProblem? {
        guard let carrier, !carrier.isStream, way == .toRadio, let id = kind.id, [.empty, .overlong].contains(id)
        else { return nil }
        return PlanProblem(
            field: "fault", reason: "\(kind.name): a client writes no such frame over \(carrier.rawValue)")
    }

    private var wayProblem: PlanProblem? {
        if let only = kind.onlyWay, only != way {
            return PlanProblem(field: "way", reason: "\(kind.name) is of frames to the \(only.end)")
        }
        guard let own = occasion.way, own != way else { return nil }
        return PlanProblem(
            field: "at",
            reason: "the occasion \(occasion) never comes to the \(way.end): such frames go to the \(own.end)")
    }

    /// The frame of the occasion is none that the kind can take.
    private var frameProblem: PlanProblem? {
        switch occasion {
        case .coded(let frame, _):
            guard let frames = kind.frames, !frames.contains(frame) else { return nil }
            return PlanProblem(field: "at", reason: "\(kind.name) never meets \(frame.wireName)")
        case .answer(let code, _):
            let answers = code.row.replies.map(LinkFrameKind.response) + code.row.pushReplies.map(LinkFrameKind.push)
            guard !answers.isEmpty else {
                return PlanProblem(field: "at", reason: "\(code.wireName) has no answer: the occasion never comes")
            }
            guard let frames = kind.frames, !answers.contains(where: frames.contains) else { return nil }
            return PlanProblem(field: "at", reason: "\(kind.name) never meets an answer to \(code.wireName)")
        case .nextFrame, .after, .connect, .phase: return nil
        }
    }

    /// The frame of the occasion is never as long as the kind needs.
    private var lengthProblem: PlanProblem? {
        guard case .coded(let frame, _) = occasion, kind.leastLength > frame.greatestLength else { return nil }
        return PlanProblem(
            field: "at",
            reason: "\(frame.wireName) has \(frame.greatestLength) bytes at most, and \(kind.name) needs "
                + "\(kind.leastLength)")
    }
}

extension LinkOccasion {
    fileprivate var problem: PlanProblem? {
        let most = PlannedLinkFault.mostTimes
        switch self {
        case .nextFrame: return nil
        case .coded(_, let number), .answer(_, let number), .connect(let number), .phase(_, let number):
            guard !(1...most).contains(number) else { return nil }
            return PlanProblem(field: "at.number", reason: "\(number) is not within 1…\(most)")
        case .after(let frames):
            guard !(0...most).contains(frames) else { return nil }
            return PlanProblem(field: "at.after", reason: "\(frames) is not within 0…\(most)")
        }
    }
}

extension FrameDirection {
    /// The end that receives.
    fileprivate var end: String { self == .toApp ? "app" : "radio" }
}

extension LinkFrameKind {
    /// The bytes of the longest frame of the kind, its code included.
    var greatestLength: Int {
        let length: FrameLength
        switch self {
        case .command: return CompanionLimits.frame
        case .response(let code): length = code.row.length
        case .push(let code): length = code.row.length
        }
        return (length.ranges.map(\.upperBound) + length.earlier).max() ?? CompanionLimits.frame
    }
}
