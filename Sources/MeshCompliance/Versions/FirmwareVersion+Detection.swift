package import MeshCompanion

extension FirmwareVersion {
    /// The version that a radio runs, by the level and the text of its DEVICE_INFO.
    ///
    /// A level does not identify a version. A build of the development branch has the level of the next version with
    /// the text of the last one. The level chooses, and the text decides between versions of that level. A release that
    /// is not listed counts as the last one before it. Source: FirmwareVersions, FWV-005.
    package init(level: UInt8, text: String) {
        let all = Self.all
        let known = all.filter { $0.switches.level <= level }
        let candidates = known.filter { $0.switches.level == known.last?.switches.level }
        // Of several with one level the standard one is what is verified.
        let unnamed = candidates.first { $0 == .standard } ?? candidates.first ?? all[0]
        guard let release = Self.release(in: text) else {
            self = unnamed
            return
        }
        // 1.17.0 is nearer to 1.17.1 than to 1.16.
        let branch = candidates.first { $0.release.version.hasPrefix(Self.branch(of: release)) }
        self = branch ?? candidates.last { $0.release <= release } ?? unnamed
    }

    /// The version of a text alone, as consoles tell it: `v1.16.0`. Without a known release it is the standard one.
    package init(text: String) {
        let release = Self.release(in: text)
        let branch = release.flatMap { release in
            Self.all.first { $0.release.version.hasPrefix(Self.branch(of: release)) }
        }
        self = branch ?? release.flatMap { release in Self.all.last { $0.release <= release } } ?? .standard
    }

    /// `1.16.0` of `v1.16.0-07a3ca9`; `nil` where a text has no such beginning.
    private static func release(in text: String) -> Release? {
        let digits = text.drop { $0 == "v" }.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        return digits.split(separator: ".").count >= 2 ? Release(String(digits)) : nil
    }

    /// `1.17.` of 1.17.0.
    private static func branch(of release: Release) -> String {
        release.version.split(separator: ".").prefix(2).map { $0 + "." }.joined()
    }
}

extension FirmwareVersion {
    /// Tells whether it knows a code of a command, by the table of codes.
    func has(command code: UInt8) -> Bool {
        CommandCode(rawValue: code).map { has(since: $0.row.since) } ?? false
    }
}
