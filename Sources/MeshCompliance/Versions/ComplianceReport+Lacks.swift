import MeshCompanion
import MeshReports

// What a radio may leave out, and what came after the level that it says.
extension ComplianceReport {
    /// Judges broken checks anew whose command the radio has answered with UNSUPPORTED_CMD in the whole run.
    ///
    /// A command above the level that the radio says is none of its own. One at its level may be absent if it is
    /// optional. A radio that knows the command elsewhere in the run does break the protocol.
    ///
    /// - Parameter known: the codes that it answered otherwise.
    mutating func settleRefusals(known: Set<UInt8>) {
        let level = node.level ?? version.switches.level
        for index in entries.indices {
            guard case .broken(let lines, let transcript) = entries[index].verdict,
                let code = entries[index].evidence?.refused, !known.contains(code.rawValue)
            else { continue }
            if code.row.since.level > level {
                entries[index].verdict = .notApplicable(
                    "\(code.wireName) came with level \(code.row.since.level), and the radio says level \(level)")
                entries[index].evidence = nil
            } else if code.isOptional {
                let reason = "has no \(code.wireName), which is optional at its level: it answers UNSUPPORTED_CMD"
                entries[index].verdict = .lacks(reason, lines, transcript: transcript)
            }
        }
    }
}

extension Failure {
    /// The command that was refused as unknown although its frame is one that the command has; `nil` for others.
    var refusedCommand: CommandCode? {
        guard answer == [ResponseCode.err.rawValue, ErrorCode.unsupportedCmd.rawValue], let sent,
            let code = sent.first.flatMap(CommandCode.init), code.row.accepts.admits(sent)
        else { return nil }
        return code
    }
}
