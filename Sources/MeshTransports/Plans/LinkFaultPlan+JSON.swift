import MeshBluetoothHost
import MeshCompanion
package import MeshFiles
import MeshWire

extension LinkFaultPlan {
    /// Reads a plan, as in `{"faults": [{"fault": "cut-bytes", "bytes": 3, "at": {"frame": "CONTACT"}}]}`.
    package init(reading bytes: [UInt8]) throws(FileProblem) {
        let fields = try JSONFields(reading: bytes)
        try fields.allow(["faults"])
        try self.init(fields)
    }

    /// Reads the faults of an object that has them as its member `faults`, and checks them.
    package init(_ fields: JSONFields) throws(FileProblem) {
        guard let list = try fields.list("faults"), !list.isEmpty else {
            throw fields.missing("faults", "has no fault")
        }
        guard list.count <= Self.most else { throw fields.problem("faults", "has more than \(Self.most) faults") }
        var faults: [PlannedLinkFault] = []
        for (place, value) in list.enumerated() {
            let path = "\(fields.path("faults"))[\(place)]"
            faults.append(try LinkFaultFields(JSONFields(value, at: path)).fault())
        }
        self.init(faults)
        try checkPairs(list.map(\.line), fields.path("faults"))
    }

    /// Refuses faults that exclude each other, with the line of the later one.
    private func checkPairs(_ lines: [Int], _ path: String) throws(FileProblem) {
        guard var problem = pairProblem else { return }
        problem.problem.line = lines[problem.place]
        problem.problem.field = "\(path)[\(problem.place)]"
        throw problem.problem
    }
}

extension PlannedLinkFault {
    /// Reads one fault of a plan.
    package init(_ fields: JSONFields) throws(FileProblem) { self = try LinkFaultFields(fields).fault() }
}

/// The members of one planned fault.
private struct LinkFaultFields {
    /// The most occasions, contacts or frames that a number may state.
    private static let most = PlannedLinkFault.mostTimes

    private let fields: JSONFields

    init(_ fields: JSONFields) {
        self.fields = fields
    }

    func fault() throws(FileProblem) -> PlannedLinkFault {
        let name = try fields.needString("fault")
        if BluetoothFault.isKind(name) {
            let fault = try BluetoothFault(fields, beside: ["mayNotFire"])
            return PlannedLinkFault(.bluetooth(fault), mayNotFire: try fields.bool("mayNotFire") ?? false)
        }
        guard let id = LinkFaultKind.Name(rawValue: name) else {
            let names = LinkFaultKind.Name.allCases.map(\.rawValue) + BluetoothFault.kindNames
            let known = names.joined(separator: ", ")
            throw fields.problem("fault", "\"\(name)\" is no fault of a link; known are \(known)")
        }
        try fields.allow(["fault", "way", "at", "times", "mayNotFire"] + id.members)
        let asked = try way()
        let occasion = try occasion(asked)
        let way = asked ?? occasion.way ?? id.onlyWay ?? .toApp
        let fault = PlannedLinkFault(
            try kind(id, way), way: way, at: occasion, times: try fields.integer("times", in: 1...Self.most),
            mayNotFire: try fields.bool("mayNotFire") ?? false)
        if let problem = fault.problem(on: nil, hasPower: true) { throw fields.problem(problem.field, problem.reason) }
        return fault
    }

    private func way() throws(FileProblem) -> FrameDirection? {
        switch try fields.string("way") {
        case "to-app": .toApp
        case "to-radio": .toRadio
        case nil: nil
        default: throw fields.problem("way", "must be to-app or to-radio")
        }
    }

    // MARK: Occasions

    private func occasion(_ way: FrameDirection?) throws(FileProblem) -> LinkOccasion {
        guard let value = fields.member("at") else { return .nextFrame }
        if case .string(let word) = value.content {
            switch word {
            case "next": return .nextFrame
            case "connect": return .connect()
            default: throw fields.problem("at", "must be next, connect or an object")
            }
        }
        let place = try JSONFields(value, at: fields.path("at"))
        let kinds = ["frame", "answerTo", "after", "connect", "phase"]
        try place.allow(kinds + ["number"])
        let given = kinds.filter { place.member($0) != nil }
        guard given.count == 1 else {
            throw fields.problem("at", "must have exactly one of \(kinds.joined(separator: ", "))")
        }
        if given[0] == "after" || given[0] == "connect", place.member("number") != nil {
            throw place.problem("number", "does not go with \(given[0]), which is a number itself")
        }
        let number = try place.integer("number", in: 1...Self.most) ?? 1
        switch given[0] {
        case "frame": return .coded(try frame("frame", of: place, way), number: number)
        case "answerTo": return .answer(to: try command("answerTo", of: place), number: number)
        case "after": return .after(frames: try place.integer("after", in: 0...Self.most) ?? 0)
        case "connect": return .connect(number: try place.integer("connect", in: 1...Self.most) ?? 1)
        default: return .phase(try phase(place), number: number)
        }
    }

    private func phase(_ place: JSONFields) throws(FileProblem) -> LinkPhase {
        let name = try place.needString("phase")
        guard let phase = LinkPhase(rawValue: name) else {
            let known = LinkPhase.allCases.map(\.rawValue).joined(separator: ", ")
            throw place.problem("phase", "\"\(name)\" is no phase; known are \(known)")
        }
        return phase
    }

    private func command(_ key: String, of place: JSONFields) throws(FileProblem) -> CommandCode {
        guard case .command(let code) = try frame(key, of: place, .toRadio) else {
            throw place.problem(key, "is no command")
        }
        return code
    }

    /// A kind of frame by its name: of a direction, or of the app's side first where none was asked for.
    private func frame(
        _ key: String, of place: JSONFields, _ way: FrameDirection?
    ) throws(FileProblem) -> LinkFrameKind {
        let name = try place.needString(key)
        let wanted = way.map { [$0] } ?? [.toApp, .toRadio]
        if let found = wanted.lazy.compactMap({ LinkFrameKind(named: name, $0) }).first { return found }
        guard let way else { throw place.problem(key, "\"\(name)\" is no kind of frame") }
        let end = way == .toApp ? "app" : "radio"
        guard LinkFrameKind(named: name, way == .toApp ? .toRadio : .toApp) != nil else {
            throw place.problem(key, "\"\(name)\" is no kind of frame to the \(end)")
        }
        throw place.problem(key, "\"\(name)\" never goes to the \(end): the occasion never comes")
    }

    // MARK: Kinds

    private func kind(_ id: LinkFaultKind.Name, _ way: FrameDirection) throws(FileProblem) -> LinkFaultKind {
        switch id {
        case .late: .late(by: try need(span("seconds"), "seconds"))
        case .split: .split(after: try needInt("after"), pause: try span("pauseSeconds") ?? .milliseconds(1))
        case .doubleBytes: .doubleBytes(from: try int("from") ?? 0, count: try needInt("bytes"))
        case .cut: .cut(bytes: try needInt("bytes"))
        case .cutFront: .cutFront(bytes: try needInt("bytes"))
        case .loseBytes: .loseBytes(from: try int("from") ?? 0, count: try needInt("bytes"))
        case .garble: .garble(byte: try int("byte"), to: try fields.integer("to", in: 0...UInt8.max))
        case .insert: .insert(bytes: try need(hex("hex"), "hex"))
        case .rubbish: .rubbish(bytes: try needInt("bytes"))
        case .olderSession:
            .olderSession(fields.member("copy") == nil ? nil : try frame("copy", of: fields, way))
        case .push: .push(try frameBytes("push", .toApp))
        case .otherAnswer: .otherAnswer(try frameBytes("answer", .toApp))
        case .wrongLength: .wrongLength(by: try needInt("by"))
        case .error: .error(try error())
        case .moreContacts: .moreContacts(try int("contacts") ?? 1)
        case .fewerContacts: .fewerContacts(try int("contacts") ?? 1)
        case .unknownCode: .unknownCode(try need(fields.integer("code", in: 0...UInt8.max), "code"))
        case .overlong: .overlong(bytes: try needInt("bytes"))
        case .stall: .stall(for: try need(span("seconds"), "seconds"))
        case .endWithin: .endWithin(after: try needInt("after"))
        case .boardOff: .boardOff(for: try need(span("seconds"), "seconds"))
        case .brownOut: .brownOut(bytes: try int("bytes"), for: try need(span("seconds"), "seconds"))
        case .merge: .merge
        case .lose: .lose
        case .swap: .swap
        case .double: .double
        case .endlessListing: .endlessListing
        case .sameMessage: .sameMessage
        case .longest: .longest
        case .empty: .empty
        case .endBefore: .endBefore
        case .endAfter: .endAfter
        case .refuseConnection: .refuseConnection
        case .reboot: .reboot
        }
    }

    private func need<T>(_ value: T?, _ key: String) throws(FileProblem) -> T {
        guard let value else { throw fields.missing(key) }
        return value
    }

    private func int(_ key: String) throws(FileProblem) -> Int? {
        try fields.integer(key, in: -Self.most...Self.most)
    }

    private func needInt(_ key: String) throws(FileProblem) -> Int { try need(int(key), key) }

    private func span(_ key: String) throws(FileProblem) -> Duration? {
        try fields.number(key, in: 0...3600).map { .microseconds(Int64(nearest: $0 * 1e6)) }
    }

    private func hex(_ key: String) throws(FileProblem) -> [UInt8]? {
        guard let text = try fields.string(key) else { return nil }
        guard let bytes = [UInt8](hex: text) else { throw fields.problem(key, "is no hex") }
        return bytes
    }

    /// A frame of the radio: its bytes, or a name whose fields are zeros.
    private func frameBytes(_ key: String, _ way: FrameDirection) throws(FileProblem) -> [UInt8] {
        switch (try hex("hex"), fields.member(key)) {
        case (let bytes?, nil): return bytes
        case (nil, _?): break
        case (nil, nil): throw fields.missing(key, "is needed, or hex in its place")
        case (_?, _?): throw fields.problem("hex", "excludes \(key): the frame is given by one of them")
        }
        switch try frame(key, of: fields, way) {
        case .push(let code) where key == "push": return LinkFaultKind.emptyFrame(code.row.frame)
        case .response(let code) where key == "answer": return LinkFaultKind.emptyFrame(code.row.frame)
        case let other: throw fields.problem(key, "\(other.wireName) is no \(key)")
        }
    }

    private func error() throws(FileProblem) -> ErrorCode {
        let name = try fields.needString("error")
        let named = ErrorCode.named.first { $0.description == name || $0.wireName == name }
        guard let named else {
            let known = ErrorCode.named.map(\.description).joined(separator: ", ")
            throw fields.problem("error", "\"\(name)\" is no error of a radio; known are \(known)")
        }
        return named
    }
}

extension LinkFaultKind.Name {
    /// The members of a fault of this kind, beside those that all have.
    fileprivate var members: [String] {
        switch self {
        case .late, .stall, .boardOff: ["seconds"]
        case .split: ["after", "pauseSeconds"]
        case .doubleBytes, .loseBytes: ["from", "bytes"]
        case .cut, .cutFront, .rubbish, .overlong: ["bytes"]
        case .garble: ["byte", "to"]
        case .insert: ["hex"]
        case .olderSession: ["copy"]
        case .push: ["push", "hex"]
        case .otherAnswer: ["answer", "hex"]
        case .wrongLength: ["by"]
        case .error: ["error"]
        case .moreContacts, .fewerContacts: ["contacts"]
        case .unknownCode: ["code"]
        case .endWithin: ["after"]
        case .brownOut: ["bytes", "seconds"]
        case .merge, .lose, .swap, .double, .endlessListing, .sameMessage, .longest, .empty, .endBefore, .endAfter,
            .refuseConnection, .reboot:
            []
        }
    }
}
