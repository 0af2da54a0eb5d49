/// A turn of a run that can go back, as it stands in the files of the run.
public enum RunTurn: Hashable, Sendable {
    /// A snapshot of this name was taken; it replaces an earlier one of the name.
    case snapshot(String)
    /// The run went back to the latest snapshot of this name.
    case restored(String)

    /// The word for it in files.
    package var word: String {
        switch self {
        case .snapshot: "snapshot"
        case .restored: "restored"
        }
    }

    /// The name of the snapshot.
    package var name: String {
        switch self {
        case .snapshot(let name), .restored(let name): name
        }
    }

    /// The sentence with which readers tell what they leave out.
    package static func note(restores: Int, abandoned: Int) -> String {
        "the run went back to a snapshot \(restores == 1 ? "once" : "\(restores) times"); "
            + "what it left behind is left out, \(abandoned) line\(abandoned == 1 ? "" : "s")"
    }

    package init?(word: String, name: String) {
        switch word {
        case "snapshot": self = .snapshot(name)
        case "restored": self = .restored(name)
        default: return nil
        }
    }
}

/// Entries in the order in which a run wrote them, sorted into the run that went on and what it left behind.
///
/// ```
/// written   a b [snapshot S] c d [restored S] e f
/// went on   a b                               e f
/// left                       c d
/// ```
///
/// A snapshot outlives a return to an earlier one, so what was left can become part of the run again.
package struct RunHistory<Entry: Sendable>: Sendable {
    private struct Point: Sendable {
        let branch: Int
        let count: Int
    }

    private struct Branch: Sendable {
        /// The beginning; `nil` for one without a past.
        let origin: Point?
        var entries: [Entry] = []
    }

    private var branches = [Branch(origin: nil)]
    private var points: [String: Point] = [:]
    private var written = 0

    package init() {}

    /// The number of returns to a snapshot.
    package var restores: Int { branches.count - 1 }

    package mutating func append(_ entry: Entry) {
        branches[branches.count - 1].entries.append(entry)
        written += 1
    }

    /// Applies a turn. A return to a snapshot that no turn named before leaves everything behind: the entries begin
    /// after it.
    package mutating func apply(_ turn: RunTurn) {
        switch turn {
        case .snapshot(let name):
            points[name] = Point(branch: branches.count - 1, count: branches[branches.count - 1].entries.count)
        case .restored(let name): branches.append(Branch(origin: points[name]))
        }
    }

    /// The entries of the run that went on, and how many it left behind.
    package func finished() -> (entries: [Entry], abandoned: Int) {
        var pieces: [ArraySlice<Entry>] = []
        var point: Point? = Point(branch: branches.count - 1, count: branches[branches.count - 1].entries.count)
        // Each branch begins in an earlier one.
        while let end = point {
            pieces.append(branches[end.branch].entries.prefix(end.count))
            point = branches[end.branch].origin
        }
        let entries = [Entry](pieces.reversed().joined())
        return (entries, written - entries.count)
    }
}
