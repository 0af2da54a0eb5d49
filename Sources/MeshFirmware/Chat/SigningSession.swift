/// The data for signing that the app has sent since SIGN_START.
package struct SigningSession: Sendable {
    /// `MAX_SIGN_DATA_LEN`.
    static let limit = 8192

    package private(set) var data: [UInt8] = []

    package init() {}

    /// Appends a chunk; `false`, and nothing appended, when the whole would become too long.
    mutating func append(_ chunk: [UInt8]) -> Bool {
        guard data.count + chunk.count <= Self.limit else { return false }
        data.append(contentsOf: chunk)
        return true
    }
}
