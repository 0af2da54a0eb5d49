import MeshCompanion

/// The checks in which a radio first answered commands by more than UNSUPPORTED_CMD.
struct Witnesses {
    private var before: Set<UInt8>
    private var checks: [UInt8: String] = [:]

    /// - Parameter known: the codes that were answered before the first check.
    init(_ known: Set<UInt8>) { before = known }

    mutating func note(_ known: Set<UInt8>, in check: String) {
        for code in known.subtracting(before).sorted() { checks[code] = check }
        before = known
    }

    func id(of code: CommandCode) -> String? { checks[code.rawValue] }
}
