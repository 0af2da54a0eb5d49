import MeshCompanion
import MeshFirmware

/// Tells failures of the protocol from differences that a missing quirk of firmware 1.17.1 explains.
///
/// No list says which bytes are a quirk's: the check runs on emulators without one. A radio that fails at the same
/// step, with the same answer, does what the firmware would do without that quirk. Silence is no answer: it stays
/// broken, and so does an answer that contains the time.
enum AbsentQuirk {
    /// The quirks whose absence explains a failure; `nil` when none does. `lines` are those of the failure.
    static func quirks(behind check: Check, _ lines: [String], in version: FirmwareVersion) -> [Quirk]? {
        let named = Quirk.allCases.filter { quirk in
            Mutant.oddities.contains { $0.name == "no-" + quirk.rawValue && $0.statementIDs.contains(check.id) }
        }
        // Conversations and the matrix name none; any may show there.
        let suspects = named.isEmpty ? Quirk.allCases.filter { $0.place == .companion } : named
        guard !lines.contains("got       nothing") else { return nil }
        let seen = essence(lines)
        if let quirk = suspects.first(where: { essence(failure(of: check, without: [$0], version)) == seen }) {
            return [quirk]
        }
        guard named.count > 1, essence(failure(of: check, without: named, version)) == seen else { return nil }
        return named
    }

    /// The lines of the failure of an emulator without these quirks; empty when it does not fail.
    private static func failure(of check: Check, without quirks: [Quirk], _ version: FirmwareVersion) -> [String] {
        let emulator = EmulatorTarget(quirks: quirks.reduce(.all) { $0.removing($1) }, firmware: version)
        let probe = Probe(emulator)
        probe.version = version
        defer { emulator.close() }
        do {
            try probe.prepare(check.setup)
            probe.begin()
            try check.body(probe)
            try probe.expectNothingLeft()
        } catch let failure as Failure {
            return failure.lines
        } catch {
            return []
        }
        return []
    }

    /// Returns the place and kind of a failure, without the bytes sent, which have their own keys and times.
    private static func essence(_ lines: [String]) -> [String]? {
        let lines = lines.filter { !$0.hasPrefix("sent ") }
        return lines.isEmpty ? nil : lines
    }
}
