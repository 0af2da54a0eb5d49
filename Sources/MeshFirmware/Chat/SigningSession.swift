/// What the app has handed in for signing since SIGN_START.
struct SigningSession: Sendable {
    /// `MAX_SIGN_DATA_LEN`.
    static let limit = 8192

    private(set) var data: [UInt8] = []

    /// Appends a chunk; `false`, and nothing appended, when the whole would become too long.
    mutating func append(_ chunk: [UInt8]) -> Bool {
        guard data.count + chunk.count <= Self.limit else { return false }
        data.append(contentsOf: chunk)
        return true
    }
}
