/// The effect of findings on the exit status: which of them stop a build is the user's choice.
package enum ExitPolicy: String, Hashable, Sendable, CaseIterable {
    /// Something broken ends with 1.
    case fail
    /// Something broken ends with 0, and stands in the reports alone.
    case flag

    /// The exit status in place of the one that a report has. A run that was not possible stays 2.
    package func exitCode(of code: Int32) -> Int32 { self == .flag && code == 1 ? 0 : code }

    /// The kind of annotation that something broken has.
    package var level: WorkflowCommand.Level { self == .fail ? .error : .warning }
}
