import MeshWire

// What is broken: why, how to repeat it, what happened when, and the frames.
extension HTMLReport {
    var failures: Part? {
        let articles = report.entries.enumerated().compactMap { index, entry -> String? in
            switch entry.verdict {
            case .broken(let lines): article(entry, lines, index)
            case .couldNotRun(let reason): article(entry, [reason], index)
            case .invalid(let reasons): article(entry, reasons, index)
            case .kept, .differs, .lacks, .notRun, .notApplicable: nil
            }
        }
        return articles.isEmpty ? nil : Self.section("failures", "What is broken", articles)
    }

    private func article(_ entry: TestReport.Entry, _ lines: [String], _ index: Int) -> String {
        var parts = [
            ##"<article class="failure card" id="failure-\##(index)" aria-labelledby="failure-\##(index)-title">"##,
            "<header>\(Verdict(entry.verdict).badge) <code class=\"id\">\(entry.id.xmlEscaped)</code>\(Self.tags(entry.tags))",
            ##"<h3 id="failure-\##(index)-title">\##(entry.title.xmlEscaped)</h3>"##,
            #"<p class="quiet">\#(entry.group.xmlEscaped)</p></header>"#,
        ]
        if !entry.explanation.isEmpty { parts.append("<p>\(entry.explanation.xmlEscaped)</p>") }
        parts += ["<h4>Why</h4>", Self.reasons(lines), Self.rationale(entry.rationale)]
        if !entry.exchange.isEmpty {
            let text = entry.exchange.joined(separator: "\n").xmlEscaped
            parts += ["<h4>The exchange that shows it</h4>", "<pre>\(text)</pre>"]
        }
        if !entry.repeatCommand.isEmpty {
            parts += ["<h4>How to repeat</h4>", Self.command(entry.repeatCommand)]
        }
        if !entry.player.isEmpty {
            parts.append(#"<p><a href="\#(entry.player.xmlEscaped)">Play what happened</a></p>"#)
        }
        let columns = [timeline(entry), frames(entry)].compactMap(\.self)
        if !columns.isEmpty { parts += [#"<div class="columns">"#] + columns + ["</div>"] }
        if !entry.transcript.isEmpty {
            let text = entry.transcript.joined(separator: "\n").xmlEscaped
            parts.append("<details><summary>What went before, in bytes</summary><pre>\(text)</pre></details>")
        }
        return (parts + ["</article>"]).joined(separator: "\n")
    }

    static func tags(_ tags: [String]) -> String {
        tags.map { #" <span class="tag">\#($0.xmlEscaped)</span>"# }.joined()
    }

    static func command(_ command: String) -> String {
        """
        <div class="command"><pre tabindex="0"><code>\(command.xmlEscaped)</code></pre>\
        <button type="button" class="copy" hidden>Copy</button></div>
        """
    }

    /// Lines like `expected  05 …` become a term and what it is; others stay lines.
    static func reasons(_ lines: [String]) -> String {
        let rows = lines.map { line -> String in
            let term = line.prefix { $0.isLetter }
            let rest = line.dropFirst(term.count)
            guard !term.isEmpty, rest.hasPrefix("  ") else {
                return "<div><dd class=\"line\">\(line.xmlEscaped)</dd></div>"
            }
            let text = rest.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n")
            return "<div class=\"\(term == "got" ? "got" : "")\"><dt>\(term)</dt><dd>\(text.xmlEscaped)</dd></div>"
        }
        return #"<dl class="reasons">\#(rows.joined(separator: "\n"))</dl>"#
    }

    private func timeline(_ entry: TestReport.Entry) -> String? {
        guard let timeline = entry.timeline else { return nil }
        let drawing = TimelineDrawing(timeline)
        return """
            <figure class="lanes"><figcaption>What happened when <span class="quiet">(time runs down; point at \
            something for more)</span></figcaption>
            <div class="scroll tall" tabindex="0" role="region" aria-label="Timeline of \(entry.id.xmlEscaped)">
            <div class="heads">\(drawing.inlineHeads)</div>
            \(drawing.inline)
            </div></figure>
            """
    }

    // MARK: Frames

    private func frames(_ entry: TestReport.Entry) -> String? {
        guard !entry.frames.isEmpty else { return nil }
        let times = TimelineDrawing.words(of: entry.frames.map(\.at))
        let items = entry.frames.enumerated().map { index, frame in
            Self.frame(frame, at: times[index], isOpen: index >= entry.frames.count - 2)
        }
        let count = entry.frames.count == 1 ? "The last frame" : "The last \(entry.frames.count) frames"
        return """
            <div class="frames"><h4>\(count), decoded</h4>
            \(items.joined(separator: "\n"))
            </div>
            """
    }

    private static func frame(_ frame: DecodedFrame, at words: String?, isOpen: Bool) -> String {
        let time = words.map { #"<span class="time">\#($0)</span> "# } ?? ""
        let isAir = frame.way == .heard || frame.way == .transmitted
        let remarks = frame.remarks.map { #"<p class="remark">\#($0.xmlEscaped)</p>"# }
        return """
            <details class="frame"\(isOpen ? " open" : "")><summary>\(time)<span class="way\(isAir ? " air" : "")">\
            \(frame.way.rawValue)</span> <code>\(frame.name.xmlEscaped)</code></summary>
            \(table(frame))
            \(remarks.joined())
            <pre class="hex">\(hex(frame.bytes))</pre></details>
            """
    }

    private static func table(_ frame: DecodedFrame) -> String {
        guard !frame.fields.isEmpty else { return "" }
        let rows = frame.fields.map { ("\($0.offset)", $0) } + frame.plaintext.map { ("+\($0.offset)", $0) }
        let lines = rows.map { offset, field in
            """
            <tr><td class="offset">\(offset)</td><th scope="row">\(field.name.xmlEscaped)</th>\
            <td>\(field.valueWithUnit.xmlEscaped)</td></tr>
            """
        }
        return """
            <table class="fields"><thead><tr><th scope="col">byte</th><th scope="col">field</th>\
            <th scope="col">value</th></tr></thead><tbody>\(lines.joined())</tbody></table>
            """
    }

    /// Sixteen bytes a line.
    private static func hex(_ bytes: [UInt8]) -> String {
        stride(from: 0, to: bytes.count, by: 16).map { start in
            FrameText.hex([UInt8](bytes[start..<min(start + 16, bytes.count)]))
        }.joined(separator: "\n")
    }
}
