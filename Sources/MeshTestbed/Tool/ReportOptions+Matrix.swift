package import MeshReports

// Reports of several implementations beside each other: `--json` and `--html` alone.
extension ReportOptions {
    /// An output that one run has, and a matrix has not; `nil` when none was asked for.
    package var strayForMatrix: String? {
        let given = [
            ("--junit", junit != nil), ("--summary", job.summary != nil), ("--annotations", job.annotations),
            ("--badge", job.badge != nil), ("--exit-policy", job.exitPolicy != .fail),
        ]
        return given.first { $0.1 }?.0
    }

    /// Writes what was asked for; exit status 2 when a file cannot be written.
    package func write(_ matrix: ImplementationMatrix, for command: String) throws {
        let voice = CommandVoice("meshbed", command)
        if let json { try voice.write(matrix.json, to: json) }
        if let html { try voice.write(ImplementationPage(matrix, by: .built).html, to: html) }
    }
}
