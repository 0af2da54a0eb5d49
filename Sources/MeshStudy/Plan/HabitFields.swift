import MeshCore
import MeshFiles
import MeshSimulator
import MeshTime
import MeshWorlds

/// The behaviour of people and their apps, as members of a study or of an arm: `apps` and `walk`.
enum HabitFields {
    static let names = ["apps", "walk"]

    /// Reads what is there over what is known already: an arm says only what differs.
    static func read(_ fields: JSONFields, into habits: inout PeopleHabits) throws(FileProblem) {
        if let apps = try fields.object("apps") { try readApps(apps, into: &habits) }
        if let value = fields.member("walk") {
            if case .bool(false) = value.content { return habits.walk = nil }
            try readWalk(JSONFields(value, at: fields.path("walk")), into: &habits)
        }
    }

    private static func readApps(_ apps: JSONFields, into habits: inout PeopleHabits) throws(FileProblem) {
        try apps.allow(["retry", "path_hash_size", "region", "picture"])
        if let bytes = try apps.integer("path_hash_size", in: UInt8(1)...3) { habits.pathHashBytes = bytes }
        if let region = try apps.string("region") {
            guard region.isEmpty || 1...30 ~= region.utf8.count else {
                throw apps.problem("region", "must have at most 30 bytes; an empty text is no region")
            }
            habits.region = region.isEmpty ? nil : region
        }
        if let picture = try apps.object("picture") { habits.picture = try Self.picture(picture, over: habits.picture) }
        guard let value = apps.member("retry") else { return }
        if case .string(let name) = value.content {
            habits.retry = name == "none" ? nil : try retry(name, apps, "retry")
        } else {
            habits.retry = try retry(JSONFields(value, at: apps.path("retry")), over: habits.retry)
        }
    }

    /// The retries of one of the stack's profiles.
    private static func retry(_ name: String, _ fields: JSONFields, _ key: String) throws(FileProblem) -> RetryPolicy {
        guard let preset = RetryPolicy.presets.first(where: { $0.name == name }) else {
            let known = RetryPolicy.presets.map(\.name).joined(separator: ", ")
            throw fields.problem(key, "is neither none nor a profile of the stack; known are \(known)")
        }
        return preset.policy
    }

    private static func retry(_ fields: JSONFields, over known: RetryPolicy?) throws(FileProblem) -> RetryPolicy {
        try fields.allow(["profile", "attempts", "flood_after", "flood_attempts"])
        var policy = known ?? .architectureV2
        if let name = try fields.string("profile") { policy = try retry(name, fields, "profile") }
        policy.maxAttempts = try fields.integer("attempts", in: 1...20) ?? policy.maxAttempts
        policy.floodAfter = try fields.integer("flood_after", in: 0...20) ?? policy.floodAfter
        policy.maxFloodAttempts = try fields.integer("flood_attempts", in: 0...20) ?? policy.maxFloodAttempts
        return policy
    }

    private static func picture(
        _ fields: JSONFields, over known: PeopleHabits.Picture?
    ) throws(FileProblem) -> PeopleHabits.Picture {
        try fields.allow(["from", "over", "chunks", "pace", "first"])
        var picture = known ?? PeopleHabits.Picture()
        if let label = try fields.string("from") { picture.from = label }
        if let labels = try fields.list("over") {
            picture.over = try labels.map { value throws(FileProblem) in
                guard case .string(let label) = value.content else {
                    throw fields.problem("over", "must be names of repeaters")
                }
                return label
            }
        }
        picture.chunks = try fields.integer("chunks", in: 1...512) ?? picture.chunks
        if let name = try fields.string("pace") {
            guard let pace = PeopleHabits.Picture.Pace(rawValue: name) else {
                let known = PeopleHabits.Picture.Pace.allCases.map(\.rawValue).joined(separator: ", ")
                throw fields.problem("pace", "is none of \(known)")
            }
            picture.pace = pace
        }
        if let text = try fields.string("first") {
            guard let span = TimeSpan(spelled: text) else { throw fields.problem("first", "is no time; write 20s") }
            picture.first = span
        }
        return picture
    }

    private static func readWalk(_ fields: JSONFields, into habits: inout PeopleHabits) throws(FileProblem) {
        try fields.allow(["share", "speed_m_s", "every"])
        var walk = habits.walk ?? PeopleHabits.Walk()
        if let share = try fields.number("share", in: 0...1) { walk.share = share }
        if let speed = try fields.number("speed_m_s", in: 0.01...100) { walk.metresPerSecond = speed }
        if let text = try fields.string("every") {
            guard let span = TimeSpan(spelled: text), span >= .milliseconds(100) else {
                throw fields.problem("every", "is no time of 100ms or more; write 10s")
            }
            walk.every = span
        }
        habits.walk = walk
    }
}
