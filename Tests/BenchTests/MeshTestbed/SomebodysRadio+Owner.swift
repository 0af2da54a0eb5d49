import Testing

@testable import MeshCompliance

// The radio as its owner has it, and finds it.
extension SomebodysRadio {
    /// A radio with settings and a contact of its owner.
    static func withSettings() throws -> SomebodysRadio {
        let radio = SomebodysRadio()
        try radio.prepare(Setup())
        let probe = Probe(radio)
        try probe.ask("08 'Mine'", "00")
        try probe.ask("26 01 15 01 02", "00")
        try probe.add(.bob, type: 1, lastmod: 1_640_000_000)
        return radio
    }

    private static let questions: [Pattern] = ["01 00×7", "16 03", "2B", "3B", "40", "1F 00", "1F 01", "1F 02"]

    /// Reads what a test may change; faults end with it.
    func photograph() throws -> [[UInt8]] {
        fault = { _ in nil }
        try connect()
        let probe = Probe(self)
        try probe.resynchronise()
        return try Self.questions.map { try probe.ask($0, "…").frame }
            + probe.contacts().keys.sorted { $0.lexicographicallyPrecedes($1) }.map { try probe.contact($0).frame }
    }
}
