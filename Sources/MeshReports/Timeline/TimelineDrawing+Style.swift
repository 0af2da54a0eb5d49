package import MeshTime

// How a timeline looks, and how it writes times.
extension TimelineDrawing {
    /// The rules of the picture; a page that has several of them needs these once.
    public static let style = """
        .timeline text{font:11px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
        .tl-paper{fill:var(--tl-paper)}
        .tl-lane{stroke:var(--tl-line);stroke-width:2}
        .tl-head{fill:var(--tl-head)}
        .tl-head.tl-script{stroke:var(--tl-quiet)}
        .tl-head.tl-app{stroke:var(--tl-frame)}.tl-head.tl-radio{stroke:var(--tl-action)}\
        .tl-head.tl-air{stroke:var(--tl-packet)}
        .timeline .tl-name{fill:var(--tl-text);text-anchor:middle;font-weight:600}
        .tl-gap{stroke:var(--tl-paper);stroke-width:4}
        .tl-break{stroke:var(--tl-quiet);fill:none}
        .tl-time,.tl-pause{fill:var(--tl-quiet);text-anchor:end}
        .timeline .tl-time,.timeline .tl-pause{font-size:10px;letter-spacing:-.2px}
        .tl-pause{font-style:italic}
        .tl-label{fill:var(--tl-text);stroke:var(--tl-paper);stroke-width:4px;paint-order:stroke;stroke-linejoin:round}
        .tl-frame{--tl-ink:var(--tl-frame)}.tl-packet{--tl-ink:var(--tl-packet)}.tl-lost{--tl-ink:var(--tl-failure)}
        .tl-action{--tl-ink:var(--tl-action)}.tl-note{--tl-ink:var(--tl-quiet)}.tl-failure{--tl-ink:var(--tl-failure)}
        text.tl-note{fill:var(--tl-quiet)}
        .tl-dot,.tl-tip{fill:var(--tl-ink)}
        .tl-arrow{stroke:var(--tl-ink);stroke-width:1.6;fill:none}
        .tl-away{stroke-dasharray:4 3}
        .tl-cross{stroke:var(--tl-ink);stroke-width:2.4;fill:none;stroke-linecap:round}
        .tl-span{fill:var(--tl-ink);fill-opacity:.35;stroke:var(--tl-ink)}
        .tl-band{fill:var(--tl-failure);fill-opacity:.12}
        .timeline .tl-failure-label{fill:var(--tl-failure);font-weight:700;stroke-width:0}
        .timeline .tl-lost-label{fill:var(--tl-failure)}

        """

    /// The colours for pages without any: light, and dark where that is preferred.
    static let colors = """
        :root{--tl-paper:#fbfaf7;--tl-head:#eef1f4;--tl-text:#1f2933;--tl-quiet:#57626e;--tl-line:#c9d1d9;\
        --tl-frame:#1f5f9e;--tl-packet:#2f7138;--tl-action:#74458e;--tl-failure:#b3303f}
        @media screen and (prefers-color-scheme:dark){:root{--tl-paper:#161b22;--tl-head:#21262d;--tl-text:#e6edf3;\
        --tl-quiet:#9aa6b2;--tl-line:#3d444d;--tl-frame:#6cb0f5;--tl-packet:#6ec27a;--tl-action:#c79be0;\
        --tl-failure:#ff8b91}}

        """

    /// `0.132 s`, `2:05.100`, `1:00:00.000`; with microseconds `0.132400 s`.
    package static func words(_ at: Instant, hasMicroseconds: Bool = false) -> String {
        let (seconds, milliseconds) = (at.milliseconds / 1000, at.milliseconds % 1000)
        let fraction = "." + padded(milliseconds, 3) + (hasMicroseconds ? padded(at.microseconds % 1000, 3) : "")
        if seconds < 60 { return "\(seconds)\(fraction) s" }
        let tail = ":" + padded(seconds % 60, 2) + fraction
        if seconds < 3600 { return "\(seconds / 60)" + tail }
        return "\(seconds / 3600):" + padded(seconds / 60 % 60, 2) + tail
    }

    /// Times one after the other, with as many digits as tell each from different ones beside it: milliseconds where
    /// those do, otherwise microseconds.
    package static func words(of moments: [Instant?]) -> [String?] {
        moments.indices.map { index in
            guard let at = moments[index] else { return nil }
            let beside = [index - 1, index + 1].compactMap { moments.indices.contains($0) ? moments[$0] : nil }
            let isEqual = beside.contains { $0 != at && $0.milliseconds == at.milliseconds }
            return words(at, hasMicroseconds: isEqual)
        }
    }

    /// `43 µs`, `0.4 ms`, `380 ms`, `4.2 s`, `12 min`, `30 h`: about two digits are enough for a pause.
    static func words(_ length: TimeSpan) -> String {
        let tenths = length.microseconds / 100
        if length > .zero, tenths == 0 { return "\(length.microseconds) µs" }
        if tenths < 100 { return "\(tenths / 10).\(tenths % 10) ms" }
        if tenths < 10_000 { return "\(tenths / 10) ms" }
        let seconds = tenths / 10_000
        if seconds < 10 { return "\(seconds).\(tenths / 1000 % 10) s" }
        if seconds < 120 { return "\(seconds) s" }
        return seconds < 7200 ? "\(seconds / 60) min" : "\(seconds / 3600) h"
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
