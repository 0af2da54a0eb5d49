/// The origin of an output: the build of the tool, the time, and the facts from which it can be repeated.
///
/// A report's own content holds no clock; the command that writes the files puts this on top of them.
public struct Provenance: Hashable, Sendable {
    /// The run that an output is about.
    public struct Run: Hashable, Sendable {
        /// The repeatability: whether the same command gives the same run.
        public enum Repeatability: Hashable, Sendable {
            /// It does.
            case reproducible
            /// It does under a condition, in words behind "if".
            case reproducibleIf(String)
            /// It need not, with the reason.
            case notReproducible(String)
        }

        /// The subject of the run.
        public enum Subject: Hashable, Sendable {
            /// A world, as the user named it.
            case world(String)
            /// A target: `emulator`, `tcp://…`.
            case target(String)
        }

        /// The world, or the target.
        public var subject: Subject
        /// The seed of random numbers; `nil` where none were drawn.
        public var seed: UInt64?
        /// The kind of time: `virtual`, `clock at speed 2`, `lockstep, quiet 50 ms`.
        public var time: String
        /// The numbers by which frames meet on the air; the name of a model where no number was changed.
        public var air: String
        /// The version of the firmware that the target was checked against; `nil` where none was asked for.
        public var firmware: String?
        /// Quirks of the firmware that were switched off.
        public var withoutQuirks: [String]
        /// The repeatability of the run.
        public var repeatability: Repeatability

        public init(
            _ subject: Subject, seed: UInt64?, time: String, air: String = "chip", withoutQuirks: [String] = [],
            repeatability: Repeatability = .reproducible
        ) {
            self.subject = subject
            self.seed = seed
            self.time = time
            self.air = air
            self.withoutQuirks = withoutQuirks
            self.repeatability = repeatability
        }
    }

    /// The version of the tool.
    public var version: MeshbedVersion
    /// In UTC, as RFC 3339 writes it: `2026-11-22T18:52:56Z`.
    public var date: String
    /// The run; `nil` for an output of no run, or of several.
    public var run: Run?

    public init(version: MeshbedVersion, date: String) {
        self.version = version
        self.date = date
    }

    /// The same for people, in one to three lines. They hold no date: equal runs have equal lines.
    public var lines: [String] {
        guard let run else { return ["meshbed \(version)"] }
        let quirks = run.withoutQuirks.isEmpty ? "all quirks" : "without " + run.withoutQuirks.joined(separator: ", ")
        return [
            "meshbed \(version): \(run.subject)" + (run.firmware.map { ", firmware \($0)" } ?? "")
                + (run.seed.map { ", seed \($0)" } ?? ""),
            "time \(run.time); air \(run.air); \(quirks)",
            run.repeatability.description,
        ]
    }
}

extension Provenance.Run.Subject: CustomStringConvertible {
    /// With the word for what it is.
    public var description: String {
        switch self {
        case .world(let name): "world \(name)"
        case .target(let name): "target \(name)"
        }
    }
}

extension Provenance.Run.Repeatability: CustomStringConvertible {
    /// In a sentence.
    public var description: String {
        switch self {
        case .reproducible: "reproducible: the same command gives the same run"
        case .reproducibleIf(let condition): "reproducible if \(condition)"
        case .notReproducible(let reason): "not reproducible: \(reason)"
        }
    }
}

/// As an object: `version`, `commit` where it is known, and the members of the run. Without the date, as the lines for
/// people.
extension Provenance: Encodable {
    private enum Key: String, CodingKey {
        case version, commit, world, target, firmware, seed, time, air, withoutQuirks, reproducible, note
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(version.number, forKey: .version)
        try members.encodeIfPresent(version.commit, forKey: .commit)
        guard let run else { return }
        switch run.subject {
        case .world(let name): try members.encode(name, forKey: .world)
        case .target(let name): try members.encode(name, forKey: .target)
        }
        try members.encodeIfPresent(run.firmware, forKey: .firmware)
        // As text: not every reader has whole numbers of 64 bits.
        try members.encodeIfPresent(run.seed.map { "\($0)" }, forKey: .seed)
        try members.encode(run.time, forKey: .time)
        try members.encode(run.air, forKey: .air)
        try members.encode(run.withoutQuirks, forKey: .withoutQuirks)
        switch run.repeatability {
        case .reproducible: try members.encode(true, forKey: .reproducible)
        case .reproducibleIf(let condition):
            try members.encode(true, forKey: .reproducible)
            try members.encode("if \(condition)", forKey: .note)
        case .notReproducible(let reason):
            try members.encode(false, forKey: .reproducible)
            try members.encode(reason, forKey: .note)
        }
    }
}
