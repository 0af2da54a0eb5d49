import Testing

/// Nothing reaches a terminal but through the place that makes it visible.
@Suite struct OutputRuleTests {
    private func findings(_ line: String) -> [Finding] {
        OutputRule.check(SourceText(path: "Sources/meshbed/Sample.swift", text: line))
    }

    @Test func `one file writes to the terminal`() throws {
        let sources = try Repository.sources()

        let findings = sources.flatMap(OutputRule.check)

        #expect(findings.isEmpty, "\(findings.report)")
    }

    @Test func `every place that may write still does`() throws {
        for allowance in OutputRule.allowed {
            let file = SourceText(path: allowance.path, text: try Repository.text(allowance.path))
            #expect(!file.occurrences(of: allowance.mark).isEmpty, "\(allowance.path)")
        }
    }

    @Test(arguments: [
        "print(name)", "debugPrint(name)", "fputs(name, stream)", "let to = stdout", "write(STDERR_FILENO, bytes, 1)",
        "FileHandle.standardError.write(data)", "FileHandle(fileDescriptor: 1)", "puts(name)", "dump(value)",
    ])
    func `a way past it is found`(line: String) {
        #expect(findings(line).count == 1)
    }

    @Test(arguments: [
        "// print(name)", #"let help = "print(name)""#, "printer.print(name)", "func print(_ text: String) {}",
        "Console.out(name)", "process.standardOutput = pipe",
    ])
    func `what is fine is not found`(line: String) {
        #expect(findings(line) == [])
    }
}
