import MeshTime

/// Secrets in texts that were written for people.
enum WrittenSecrets {
    /// Returns the text with an `x` for each character that may be part of a secret.
    ///
    /// Secrets are long runs of hex, Bluetooth addresses, numbers as long as a PIN, and the text behind a word that
    /// names a secret.
    static func masked(_ text: String) -> String { maskedRuns(maskedBehindNames(text)) }

    /// The same text with an `x` for each letter and digit of every word that no recorder writes.
    static func rewritten(_ text: String) -> String {
        mapWords(text) { word in
            isOfRecorders(word) ? word : [Character](repeating: "x", count: word.count)
        }
    }

    /// An `x` for each letter and digit.
    static func hidden(_ text: String) -> String { String(text.map { $0.isLetter || $0.isNumber ? "x" : $0 }) }

    /// The value of a row of a header.
    static func masked(row key: String, _ value: String) -> String {
        // A seed is a long number and no secret: without it the world of the recording could not be made again.
        if key == "seed" { return value }
        // The digits of a time of day look like those of a PIN.
        if key == RecordingHeader.beganRow, TimeSpan(timeOfDay: value) != nil { return value }
        if namesSecret(key) { return hidden(value) }
        return knownRows.contains(key) ? masked(value) : rewritten(value)
    }

    /// Returns whether a word, or one of several, names a PIN, a password or a key.
    static func namesSecret(_ words: String) -> Bool {
        let words = words.lowercased()
        return ["pin", "pass", "pwd", "key", "secret", "token", "login", "psk", "ltk", "irk", "credential"]
            .contains { words.contains($0) }
    }

    /// Rows that recorders of this project write.
    private static let knownRows: Set<String> = ["client", "node", "world", "speed"]

    private static func maskedBehindNames(_ text: String) -> String {
        var isBehind = false
        return mapWords(text) { word in
            defer { if namesSecret(String(word)) { isBehind = true } }
            return isBehind ? [Character](repeating: "x", count: word.count) : word
        }
    }

    static func maskedRuns(_ text: String) -> String {
        var characters = [Character](text)
        var start = 0
        while start < characters.count {
            var end = start
            var digits = 0
            while end < characters.count, characters[end].isHexDigit || (characters[end] == ":" && end > start) {
                if characters[end] != ":" { digits += 1 }
                end += 1
            }
            let isNumber = characters[start..<end].allSatisfy { $0.isWholeNumber || $0 == ":" }
            if digits >= (isNumber ? 6 : 8) {
                for index in start..<end where characters[index] != ":" { characters[index] = "x" }
            }
            start = max(end, start + 1)
        }
        return String(characters)
    }

    private static func mapWords(_ text: String, _ change: ([Character]) -> [Character]) -> String {
        var output: [Character] = []
        var word: [Character] = []
        for character in text {
            if character.isLetter || character.isNumber {
                word.append(character)
            } else {
                output += change(word) + [character]
                word.removeAll(keepingCapacity: true)
            }
        }
        return String(output + change(word))
    }

    private static func isOfRecorders(_ word: [Character]) -> Bool {
        let text = String(word).lowercased()
        if text.allSatisfy(\.isWholeNumber) { return text.count < 5 }
        if text.hasPrefix("0x"), text.count <= 4, text.dropFirst(2).allSatisfy(\.isHexDigit) { return true }
        return recordersWords.contains(text)
    }

    /// The words that recorders, former versions included, use for disconnections and for bytes that are no frame.
    private static let recordersWords: Set<String> = Set(
        """
        a address already an and any app application apps are at att attribute authentication authorization be before
        between board broken by bytes byte cannot capture characteristic check client closed command configuration
        connected connection connections could cut data database did disconnected does encrypted encryption end ends
        error established event failed failure for found frame frames from full gone group handle has have header heard
        here host how improper in insufficient integrity invalid is it its least left length link long longer lost
        message missing more network no not notification notifications of offset on one opcode or other otherwise out
        outside packet packets part pdu peer permitted pipe power prepare procedure progress queue radio range read reason
        recorder recording refused rejected repeated request reset resources restarts service several short side
        signature signed supported sync take than that the this timed timeout to too type unknown unlikely unreachable
        unsupported value was were which whose with without write written
        """.split { $0 == " " || $0 == "\n" }.map(String.init))
}
