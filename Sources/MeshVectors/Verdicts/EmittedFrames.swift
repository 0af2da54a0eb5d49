import MeshCompanion
import MeshFirmware
import MeshTime
import MeshWire

/// The frames that the radios wrote while they were asked, and the versions that wrote each.
struct EmittedFrames: Sendable {
    /// A frame, and who sends it.
    struct Entry: Sendable {
        let bytes: [UInt8]
        var versions: [FirmwareVersion]
    }

    /// The most frames of one code that are published.
    private static let mostOfACode = 8

    private var entries: [Entry] = []
    private var places: [[UInt8]: Int] = [:]

    mutating func note(_ frames: [[UInt8]], of version: FirmwareVersion) {
        for frame in frames {
            if let place = places[frame] {
                if !entries[place].versions.contains(version) { entries[place].versions.append(version) }
            } else {
                places[frame] = entries.count
                entries.append(Entry(bytes: frame, versions: [version]))
            }
        }
    }

    /// A few of each code: those of a length or of versions that the ones before do not have.
    ///
    /// A code that no radio has written gets a frame of its own walk, with values drawn from a seed.
    func selected() -> [(code: RadioCode, entries: [Entry])] {
        RadioCode.all.map { code in
            var chosen: [Entry] = []
            for entry in entries where entry.bytes.first == code.byte && chosen.count < Self.mostOfACode {
                // They were noted in the order in which the cases came, not in that of the versions.
                let entry = Entry(
                    bytes: entry.bytes, versions: FirmwareVersion.all.filter(entry.versions.contains))
                let isNew = !chosen.contains {
                    $0.bytes.count == entry.bytes.count && $0.versions == entry.versions
                }
                if isNew { chosen.append(entry) }
            }
            return (code, chosen.isEmpty ? [Self.drawn(code)] : chosen)
        }
    }

    private static func drawn(_ code: RadioCode) -> Entry {
        var random = Seed(1).stream("vectors", code.wireName)
        return Entry(
            bytes: code.frame.fuzzed(using: &random, longestRest: 24).encoded(),
            versions: FirmwareVersion.all.filter { $0.has(since: code.since) })
    }
}

extension RadioCode {
    /// Responses, then pushes, in the order of their numbers.
    fileprivate static var all: [RadioCode] {
        ResponseCode.allCases.map { .response($0) } + PushCode.allCases.map { .push($0) }
    }

    fileprivate var since: Release {
        switch self {
        case .response(let code): code.row.since
        case .push(let code): code.row.since
        }
    }

    /// The constant without its prefix, in small letters.
    var words: String {
        switch self {
        case .response: wireName.dropFirst("RESP_CODE_".count).description.slug
        case .push: "push-" + wireName.dropFirst("PUSH_CODE_".count).description.slug
        }
    }
}
