/// Replaces comments and string contents by blanks, byte for byte.
struct CodeBlanker {
    private(set) var bytes: [UInt8]
    private var at = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Blanks the whole text.
    mutating func run() { code(inInterpolation: false) }

    private func peek(_ ahead: Int = 0) -> UInt8? {
        at + ahead < bytes.count ? bytes[at + ahead] : nil
    }

    private mutating func blank(_ count: Int = 1) {
        for _ in 0..<count where at < bytes.count {
            if bytes[at] != Ascii.newline { bytes[at] = Ascii.blank }
            at += 1
        }
    }

    private mutating func code(inInterpolation: Bool) {
        var depth = 0
        while let byte = peek() {
            switch byte {
            case Ascii.slash where peek(1) == Ascii.slash: lineComment()
            case Ascii.slash where peek(1) == Ascii.star: blockComment()
            case Ascii.quote: string(hashes: 0)
            case Ascii.hash: hashes()
            case Ascii.open:
                depth += 1
                at += 1
            case Ascii.close:
                depth -= 1
                at += 1
                if inInterpolation && depth < 0 { return }
            default: at += 1
            }
        }
    }

    /// A raw string begins with hashes; a macro such as `#expect` does too.
    private mutating func hashes() {
        var count = 0
        while peek(count) == Ascii.hash { count += 1 }
        at += count
        if peek() == Ascii.quote { string(hashes: count) }
    }

    private mutating func lineComment() {
        while let byte = peek(), byte != Ascii.newline { blank() }
    }

    private mutating func blockComment() {
        var depth = 0
        repeat {
            if peek() == Ascii.slash && peek(1) == Ascii.star {
                depth += 1
                blank(2)
            } else if peek() == Ascii.star && peek(1) == Ascii.slash {
                depth -= 1
                blank(2)
            } else {
                blank()
            }
        } while depth > 0 && at < bytes.count
    }

    private mutating func string(hashes: Int) {
        let quotes = peek(1) == Ascii.quote && peek(2) == Ascii.quote ? 3 : 1
        at += quotes
        while let byte = peek() {
            if byte == Ascii.quote && closes(quotes: quotes, hashes: hashes) {
                at += quotes + hashes
                return
            }
            if byte == Ascii.newline && quotes == 1 { return }
            if byte == Ascii.backslash && hasHashes(hashes, from: 1) {
                blank(1 + hashes)
                if peek() == Ascii.open {
                    at += 1
                    code(inInterpolation: true)
                } else {
                    blank()
                }
            } else {
                blank()
            }
        }
    }

    private func closes(quotes: Int, hashes: Int) -> Bool {
        (0..<quotes).allSatisfy { peek($0) == Ascii.quote } && hasHashes(hashes, from: quotes)
    }

    private func hasHashes(_ count: Int, from: Int) -> Bool {
        (0..<count).allSatisfy { peek(from + $0) == Ascii.hash }
    }
}
