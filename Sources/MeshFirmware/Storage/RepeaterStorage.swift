import MeshWire

/// What a repeater keeps in flash, judged before a program starts one from it.
public enum RepeaterStorage {
    /// Looks at every file that a repeater reads at boot and throws the first fault.
    ///
    /// The repeater itself boots from what it can make out, as the firmware does, and writes a new identity over one
    /// that is too short; whoever asks here first can keep the file and say what is wrong with it.
    public static func validate(_ flash: Flash) throws(StorageError) {
        if let content = flash[RepeaterFiles.preferences] { try validatePreferences(content) }
        if let content = flash[RepeaterFiles.identity] {
            try CompanionStorage.validateIdentity(content, in: RepeaterFiles.identity)
        }
    }

    private static func validatePreferences(_ content: [UInt8]) throws(StorageError) {
        guard content.first == UInt8(ascii: "{") else {
            throw StorageError(file: RepeaterFiles.preferences, field: "", reason: "'{' is missing at byte 0")
        }
        var line = PreferenceLine(bytes: content)
        var last = ""
        while let (key, value) = line.next() {
            last = key
            guard key == "lat" || key == "lon" else { continue }
            guard Double(String(decoding: value, as: UTF8.self))?.isFinite == true else {
                throw StorageError(
                    file: RepeaterFiles.preferences, field: key, reason: "is no number, before byte \(line.offset)")
            }
        }
        guard line.isAtEnd else {
            throw StorageError(
                file: RepeaterFiles.preferences, field: last,
                reason: "what follows makes no sense, at byte \(line.offset)")
        }
    }
}
