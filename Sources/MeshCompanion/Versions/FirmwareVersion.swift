/// A version of the firmware that nodes and radios can run: its name, and its differences from others.
///
/// A version is a value. All differences between versions are in its switches, or in the release since which the
/// table of codes has a command. No other code asks for a version by its name. Source: FirmwareVersions, FWV-001 to
/// FWV-006.
public struct FirmwareVersion: Hashable, Sendable {
    /// The name by which users choose it: `1.14`, `1.17.1`.
    public let name: String
    /// The release in full: `1.14.1`.
    public let release: Release
    /// The date of the build as DEVICE_INFO and `ver` give it, at most 11 bytes.
    public let buildDate: String
    /// The differences from other versions.
    package let switches: FirmwareSwitches
    /// The behaviour that is not verified, a sentence each with the number of the open question.
    ///
    /// Empty for versions whose tags were read.
    public let openQuestions: [String]

    /// A version besides those of ``all``, as for a test of what does not exist yet.
    package init(
        name: String, release: Release, buildDate: String, switches: FirmwareSwitches, openQuestions: [String] = []
    ) {
        self.name = name
        self.release = release
        self.buildDate = buildDate
        self.switches = switches
        self.openQuestions = openQuestions
    }

    /// The text of DEVICE_INFO and of `ver`: `v1.17.1`.
    public var text: String { "v\(release)" }

    /// Returns whether it has what came with a release.
    public func has(since other: Release) -> Bool { other <= release }

    /// The version that nodes run unless another is chosen: the newest whose differences are verified.
    public static let standard = v1_17_1

    /// The names that users pick versions by, in a sentence.
    public static var names: String { all.map(\.name).joined(separator: ", ") }

    /// The version with this name, or with this full number.
    public init?(named name: String) {
        guard let version = Self.all.first(where: { $0.name == name || $0.release.version == name }) else { return nil }
        self = version
    }
}

extension FirmwareVersion: Codable {
    /// Its name, as in `"1.16"`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let version = Self(named: name) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "'\(name)' is no version of the firmware; known are \(Self.names)")
        }
        self = version
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}

extension FirmwareVersion: CustomStringConvertible {
    public var description: String { name }
}
