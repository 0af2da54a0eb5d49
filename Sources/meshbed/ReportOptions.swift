import ArgumentParser
import Foundation
import Glibc
import MeshTestbed

/// The files that a command which judges something can write its report to.
struct ReportOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Write the report as JUnit XML.", valueName: "file"))
    var junit: String?

    @Option(help: ArgumentHelp("Write the report as JSON.", valueName: "file"))
    var json: String?

    @Option(help: ArgumentHelp("Write the report as one HTML file, for people.", valueName: "file"))
    var html: String?

    /// Fails with exit status 2 when a file cannot be written, before a run that may take minutes.
    func check(for command: String) throws {
        for path in [junit, json, html].compactMap(\.self) {
            // What is in it stays until there is something new.
            let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else {
                throw Console.failed(command, "cannot write \(path): \(String(cString: strerror(errno)))")
            }
            close(descriptor)
        }
    }

    /// Writes what was asked for; exit status 2 when a file cannot be written.
    func write(_ report: TestReport, for command: String) throws {
        var report = report
        report.version = report.version ?? Meshbed.configuration.version
        if let junit { try write(report.junit, to: junit, for: command) }
        if let json { try write(report.json, to: json, for: command) }
        if let html { try write(HTMLReport(report).html, to: html, for: command) }
    }

    private func write(_ text: String, to path: String, for command: String) throws {
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        } catch {
            throw Console.failed(command, "cannot write \(path): \(error.localizedDescription)")
        }
    }
}
