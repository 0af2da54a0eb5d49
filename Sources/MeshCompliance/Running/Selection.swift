import MeshWire

/// A check that a selection can choose, whatever it asks.
package protocol SelectableCheck {
    /// `CMP-034`, `conversation/connect`, `INF-102`.
    var id: String { get }
    /// The heading under which the summary counts it.
    var group: String { get }
    var title: String { get }
}

/// The checks that a run is about: the argument of `--only`.
///
/// Commas separate parts: `CMP-034` or `34`, a range `50-82`, or a section's initial `F`. An identifier may have `*`,
/// as in `conversation/*` or `CMP-1*`, and a piece of a title will do. A check is chosen when any part fits.
public struct Selection: Sendable {
    private enum Part: Sendable {
        /// Numbers of one book of statements, or of each.
        case numbers(ClosedRange<Int>, book: String?)
        case section(Character)
        case glob([Character])
        case title(String)
    }

    private let parts: [(text: String, meaning: Part)]

    /// The selection of all checks.
    public static let all = Selection("")

    /// Tells whether nothing was named, which selects everything.
    public var isEmpty: Bool { parts.isEmpty }

    /// Reads a pattern; an empty one wants everything.
    public init(_ pattern: String) {
        parts = pattern.split(separator: ",").map { part in
            let text = String(part).trimmed
            return (text, Self.part(text.lowercased()))
        }
    }

    /// The books of statements, by the letters before a number.
    private static let books = ["cmp", "inf", "ota"]

    /// The parts that choose none of `checks`: misspelt, most likely.
    package func parts(withoutAny checks: [some SelectableCheck]) -> [String] {
        parts.filter { part in !checks.contains { Self.fits($0, part.meaning) } }.map(\.text)
    }

    private static func part(_ text: String) -> Part {
        let bounds = text.split(separator: "-").compactMap { bound in
            // A number that is too large is beyond the last statement, as any large one is.
            Int(bound) ?? (bound.allSatisfy { $0.isASCII && $0.isNumber } ? .max : nil)
        }
        let rest = text.filter { !$0.isNumber && $0 != "-" }
        let book = books.first { rest == $0 || rest == $0 + $0 }
        if rest.isEmpty || book != nil {
            if bounds.count == 1 { return .numbers(bounds[0]...bounds[0], book: book) }
            if bounds.count == 2, bounds[0] <= bounds[1] { return .numbers(bounds[0]...bounds[1], book: book) }
        }
        if text.count == 1, let letter = text.first, letter.isLetter { return .section(letter) }
        if text.contains("*") || text.contains("/") { return .glob([Character](text)) }
        return .title(text)
    }

    package func chooses(_ check: some SelectableCheck) -> Bool {
        parts.isEmpty || parts.contains { Self.fits(check, $0.meaning) }
    }

    private static func fits(_ check: some SelectableCheck, _ part: Part) -> Bool {
        let id = check.id.lowercased()
        switch part {
        case .numbers(let range, let book):
            let prefix = String(id.prefix(3))
            guard id.dropFirst(3).first == "-", book.map({ $0 == prefix }) ?? books.contains(prefix) else {
                return false
            }
            return range.contains(Int(id.dropFirst(4)) ?? 0)
        case .section(let letter): return id.hasPrefix("cmp-") && check.group.lowercased().first == letter
        case .glob(let pattern): return matches([Character](id)[...], pattern[...])
        case .title(let text): return id.contains(text) || check.title.lowercased().contains(text)
        }
    }

    /// Tells whether `text` fits `pattern`, in which `*` stands for anything.
    static func matches(_ text: ArraySlice<Character>, _ pattern: ArraySlice<Character>) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        if first == "*" {
            if matches(text, pattern.dropFirst()) { return true }
            return !text.isEmpty && matches(text.dropFirst(), pattern)
        }
        return text.first == first && matches(text.dropFirst(), pattern.dropFirst())
    }
}
