/// A release of the companion firmware, and the protocol level that it announces in DEVICE_INFO.
public struct Release: Hashable, Sendable, ExpressibleByStringLiteral {
    /// `1.7.1`.
    public let version: String
    /// Major, minor and patch as thousands.
    private let number: Int

    public init(stringLiteral version: String) {
        self.init(version)
    }

    public init(_ version: String) {
        self.version = version
        let parts = version.split(separator: ".").map { Int($0) ?? 0 }
        number = parts.prefix(3).reduce(0) { $0 * 1000 + $1 } * (parts.count < 3 ? 1000 : 1)
    }

    /// `FIRMWARE_VER_CODE` of the release; no release has level 12.
    ///
    /// Source: firmware, `FIRMWARE_VER_CODE` in companion_radio at the tag of each release.
    public var level: UInt8 { Self.levels.last { $0.first <= number }?.level ?? 2 }

    /// The first release of each level: major, minor and patch as thousands.
    static let levels: [(first: Int, level: UInt8)] = [
        (1_000_000, 2), (1_004_000, 3), (1_005_000, 4), (1_006_000, 5), (1_007_001, 6), (1_007_003, 7),
        (1_010_000, 8), (1_013_000, 9), (1_014_000, 10), (1_015_000, 11), (1_016_000, 13),
        (1_018_000, 14),
    ]
}

extension Release: Comparable {
    public static func < (a: Release, b: Release) -> Bool { a.number < b.number }
}

extension Release: CustomStringConvertible {
    public var description: String { version }
}
