import MeshCapture
import Synchronization

/// What went into a recording, for its last line on the screen.
final class RecordingTally: Sendable {
    private struct Counts {
        var frames = 0
        var packets = 0
        var problems = 0
    }

    private let counts = Mutex(Counts())

    func count(_ entry: RecordingEntry) {
        counts.withLock { counts in
            switch entry.event {
            case .frame: counts.frames += 1
            case .packet: counts.packets += 1
            case .problem: counts.problems += 1
            case .connected, .disconnected: break
            }
        }
    }

    var description: String {
        counts.withLock { counts in
            var parts = [Self.counted(counts.frames, "frame")]
            if counts.packets > 0 { parts.append(Self.counted(counts.packets, "packet") + " of the air") }
            if counts.problems > 0 { parts.append(Self.counted(counts.problems, "problem")) }
            return parts.joined(separator: ", ")
        }
    }

    private static func counted(_ count: Int, _ thing: String) -> String {
        "\(count) \(thing)\(count == 1 ? "" : "s")"
    }
}
