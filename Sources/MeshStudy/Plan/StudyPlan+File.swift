import MeshCompanion
import MeshCrypto
import MeshFiles
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshWire
import MeshWorlds

// A study as a JSON file. The article StudyFiles lists the members.
extension StudyPlan {
    /// Bytes of a file of a study, or of its world.
    private static let longest = WorldFile.longest

    /// Reads the file at a path.
    package init(file path: String) throws(StudyProblem) {
        do {
            let bytes = try FileSystem.read(path, atMost: Self.longest)
            self = try StudyPlan(reading: bytes)
        } catch let problem as FileProblem {
            var problem = problem
            problem.file = path
            throw StudyProblem("\(problem)")
        } catch let problem as StudyProblem {
            throw StudyProblem("\(path): \(problem)")
        } catch let failure as FileSystem.Failure {
            throw StudyProblem("\(path): cannot be read: \(failure.reason)")
        } catch {
            throw StudyProblem("\(path): \(error)")
        }
    }

    package init(reading bytes: [UInt8]) throws {
        try self.init(JSONFields(reading: bytes), text: bytes)
    }

    /// Reads the members of a study.
    ///
    /// - Parameters:
    ///   - text: the text that distinguishes the study from others, beside its world.
    ///   - own: metrics that it may name beside the known ones.
    init(_ fields: JSONFields, text: [UInt8], own: [StudyMetric] = []) throws {
        try fields.allow(
            [
                "study", "question", "threads", "world", "for", "traffic", "seeds", "error", "arms", "sweep",
                "metrics", "faults",
            ] + HabitFields.names)
        name = try fields.needString("study")
        question = try fields.string("question") ?? ""
        threads = try Self.texts(fields, "threads")
        world = try fields.needString("world")
        span = try Self.span(fields)
        traffic = try Self.traffic(fields)
        seeds = try fields.integer("seeds", in: 1...1_000_000) ?? 1000
        error = try fields.number("error", in: 1e-6...0.5) ?? 0.05
        measures = try Self.measures(fields, of: StudyMetric.known + own)
        arms = try Self.arms(fields)
        fingerprint = try Self.fingerprint(text, world)
        // What a world refuses is refused now, not after hours.
        let base = try base(seed: Seed(1))
        for arm in arms {
            let problem = try plan(arm, on: base, Seed(1)).unreachedFault(in: span)
            if let problem { throw StudyProblem("arm \(arm.name): \(problem)") }
        }
    }

    private static func fingerprint(_ bytes: [UInt8], _ world: String) throws -> String {
        var all = bytes
        // A shape has no file, and its name is in the study's own text.
        if let file = try? FileSystem.read(world, atMost: longest) { all += file }
        return SHA256.hash(all).hex
    }

    private static func texts(_ fields: JSONFields, _ key: String) throws -> [String] {
        try (fields.list(key) ?? []).enumerated().map { index, value in
            guard case .string(let text) = value.content else {
                throw FileProblem(line: value.line, field: "\(fields.path(key))[\(index)]", reason: "must be a text")
            }
            return text
        }
    }

    private static func span(_ fields: JSONFields) throws -> TimeSpan {
        let text = try fields.string("for") ?? "600s"
        guard let span = TimeSpan(spelled: text), span > .zero else {
            throw fields.problem("for", "is not a time; write 600s, 1500ms, 10m, 2h or 1d")
        }
        return span
    }

    private static func traffic(_ fields: JSONFields) throws -> Traffic? {
        guard let text = try fields.string("traffic") else { return nil }
        do {
            return try Traffic(text)
        } catch {
            throw fields.problem("traffic", "\(error)")
        }
    }

    /// The members of `metrics`: a margin, or an object with `margin` and `most`.
    private static func measures(_ fields: JSONFields, of known: [StudyMetric]) throws -> [Measure] {
        guard let metrics = try fields.object("metrics") else { throw fields.missing("metrics") }
        try metrics.allow(known.map(\.name))
        let positive = Double.leastNormalMagnitude...1e9
        let measures = try known.filter { metrics.member($0.name) != nil }.map { metric in
            let value = metrics.member(metric.name)
            guard case .object? = value?.content, let object = try metrics.object(metric.name) else {
                let margin = try metrics.number(metric.name, in: positive) ?? 0
                return Measure(metric: metric, margin: margin, most: metric.most)
            }
            try object.allow(["margin", "most"])
            guard let margin = try object.number("margin", in: positive) else { throw object.missing("margin") }
            return Measure(
                metric: metric, margin: margin, most: try object.number("most", in: positive) ?? metric.most)
        }
        guard !measures.isEmpty else { throw metrics.missing("delivery", "is missing, as all others are") }
        return measures
    }

    // MARK: Arms

    private static func arms(_ fields: JSONFields) throws -> [Arm] {
        // What the study says of people and of faults holds for all arms; an arm may say otherwise.
        var common = Arm(name: "")
        try HabitFields.read(fields, into: &common.habits)
        common.faults = try faults(fields)
        var arms: [Arm] = []
        for (index, value) in (try fields.list("arms") ?? []).enumerated() {
            arms.append(try arm(JSONFields(value, at: "\(fields.path("arms"))[\(index)]"), common))
        }
        if let sweep = try fields.object("sweep") { arms += try swept(sweep, common) }
        guard arms.count > 1 else { throw fields.problem("arms", "must be two or more, those of a sweep counted") }
        guard arms.count <= 100 else { throw fields.problem("arms", "are \(arms.count), and 100 are the most") }
        guard Set(arms.map(\.name)).count == arms.count else {
            throw fields.problem("arms", "must have names that differ")
        }
        return arms
    }

    private static func faults(_ fields: JSONFields) throws -> [JSONFields] {
        let list = try fields.list("faults") ?? []
        guard list.count <= FaultFields.most else {
            throw fields.problem("faults", "are more than \(FaultFields.most)")
        }
        return try list.enumerated().map { try JSONFields($1, at: "\(fields.path("faults"))[\($0)]") }
    }

    private static func arm(_ fields: JSONFields, _ common: Arm) throws -> Arm {
        let roles = ServerRole.allCases.map(\.commandName)
        try fields.allow(
            ["name", "firmware", "without_quirks", "traffic", "air", "faults", "share", "first"] + HabitFields.names
                + roles)
        var arm = common
        arm.name = try fields.needString("name")
        guard StudyRows.isName(arm.name) else { throw fields.problem("name", StudyRows.namesAre) }
        guard arm.name != StudyRows.control else { throw fields.problem("name", "is that of the control") }
        if let text = try fields.string("firmware") {
            guard let version = FirmwareVersion(named: text) else {
                throw fields.problem("firmware", "is no version; known are \(FirmwareVersion.names)")
            }
            arm.firmware = version
        }
        for name in try texts(fields, "without_quirks") {
            guard let quirk = Quirk(rawValue: name) else {
                throw fields.problem("without_quirks", "has no quirk '\(name)'; 'meshbed emulate --list' shows them")
            }
            arm.withoutQuirks.append(quirk)
        }
        arm.traffic = try traffic(fields)
        try HabitFields.read(fields, into: &arm.habits)
        arm.faults += try faults(fields)
        arm.share = try fields.number("share", in: 0...1) ?? 1
        if let text = try fields.string("first") {
            guard let order = ShareOrder(rawValue: text) else {
                throw fields.problem("first", "is neither clients nor repeaters")
            }
            arm.first = order
        }
        // Members that an arm leaves out are those of the model that it names, `chip` where it names none.
        if fields.member("air") != nil {
            var air = AirModel()
            try AirFields.read(fields, into: &air)
            arm.air = air
        }
        for role in ServerRole.allCases { arm.settings[role] = try fields.object(role.commandName) }
        return arm
    }

    // MARK: Sweeps

    /// An arm for each point of a sweep over numbers of one role's settings.
    private static func swept(_ sweep: JSONFields, _ common: Arm) throws -> [Arm] {
        try sweep.allow(["design", "points", "role", "parameters"])
        guard let members = try sweep.object("parameters") else { throw sweep.missing("parameters") }
        let roleName = try sweep.string("role") ?? ServerRole.repeater.commandName
        guard let role = ServerRole.allCases.first(where: { $0.commandName == roleName }) else {
            throw sweep.problem("role", "is none of \(ServerRole.allCases.map(\.commandName).joined(separator: ", "))")
        }
        var parameters: [Parameter] = []
        var levels: [Int] = []
        for key in members.keys {
            guard let range = try members.object(key) else { throw members.missing(key) }
            try range.allow(["from", "to", "levels", "whole"])
            let numbers = -1e6...1e6
            guard let from = try range.number("from", in: numbers) else { throw range.missing("from") }
            guard let to = try range.number("to", in: from...1e6) else { throw range.missing("to") }
            do {
                parameters.append(try Parameter(key, in: from...to, isWhole: try range.bool("whole") ?? false))
            } catch {
                throw members.problem(key, "\(error)")
            }
            levels.append(try range.integer("levels", in: 2...100) ?? 3)
        }
        return try points(sweep, parameters, levels).map { point in
            let texts = zip(parameters, point).map { "\($0.name) \(shown($1))" }
            var arm = common
            arm.name = texts.joined(separator: " ")
            let object = zip(parameters, point).map { "\"\($0.name)\": \($1)" }.joined(separator: ", ")
            arm.settings[role] = try JSONFields(reading: Array("{\(object)}".utf8))
            return arm
        }
    }

    private static func points(_ sweep: JSONFields, _ parameters: [Parameter], _ levels: [Int]) throws -> [[Double]] {
        do {
            switch try sweep.string("design") ?? "grid" {
            case "grid": return try Design.grid(parameters, levels: levels).points
            case "latin-hypercube":
                // The points belong to the study, not to a seed of it.
                var random = Seed(1).stream("study design")
                let count = try sweep.integer("points", in: 2...100) ?? 10
                return try Design.latinHypercube(parameters, points: count, using: &random).points
            default: throw sweep.problem("design", "is neither grid nor latin-hypercube")
            }
        } catch let error as StatisticsError {
            throw sweep.problem("parameters", "\(error)")
        }
    }

    private static func shown(_ number: Double) -> String {
        let rounded = (number * 1000).rounded() / 1000
        return Int64(exactly: rounded).map { "\($0)" } ?? "\(rounded)"
    }
}
