import Testing

/// No conversion stops the program.
@Suite struct WholeNumberRuleTests {
    private func findings(_ text: String) -> [Finding] {
        WholeNumberRule.check(SourceText(path: "Sources/MeshWorlds/Sample.swift", text: text))
    }

    @Test func `floating point becomes whole numbers through one door`() throws {
        let findings = try Repository.sources().flatMap(WholeNumberRule.check)

        #expect(findings.isEmpty, "\(findings.report)")
        #expect(try Repository.text(WholeNumberRule.door).contains("init(nearest value: Double"))
    }

    @Test(arguments: [
        "let a = Int64((x * 100).rounded())", "Int(kilohertz / 2 + 0.01)", "UInt32(min(product, Float(1 << 29)))",
        "Int64((now - start) / .microseconds(1))", "Int64(day.timeIntervalSince1970)", "Int64(min(wait, 4e18))",
        "func f(perHour: Double) { g(Int64(3_600_000 / perHour)) }", "let rest = 0.5\nlet a = UInt8(rest)",
        "UInt32(0x1p24 * part)", "var side: Float = 1\nlet a = Int(self.side)",
    ])
    func `a conversion past it is found once`(text: String) {
        #expect(findings(text).count == 1)
    }

    @Test(arguments: [
        "Int64(nearest: x * 0.5)", "Int(exactly: x.rounded())", "UInt32(clamping: count / 2)", "Int(bytes.count)",
        "let x: Double = 1\nlet x = 3\nlet a = Int(x)", "let x: Double = 1\nlet a = Int(x.bitPattern)",
        "let side: Int = 1\nlet a = Int64(side)", "// Int(0.5)", #"let a = "Int(0.5)""#, "UInt8(ascii: \"1\")",
    ])
    func `what is fine is not found`(text: String) {
        #expect(findings(text) == [])
    }
}
