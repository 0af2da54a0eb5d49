import ArgumentParser
import Testing

@testable import meshbed

@Suite struct CompareFirmwareTests {
    @Test(arguments: [
        (["1.16", "9.9"], "no firmware '9.9'"), (["1.16"], "Missing expected argument"),
        (["1.16", "1.17.1", "--seeds", "-1"], "--seeds"),
        (["1.16", "1.17.1", "--seeds", "0", "--network", "line:3"], "does not take --network"),
        (["1.16", "1.17.1", "--json", "-", "--html", "-"], "standard output"),
    ])
    func `bad arguments are refused by name`(_ arguments: [String], _ words: String) {
        do {
            _ = try CompareFirmware.parse(arguments)
            Issue.record("taken: \(arguments)")
        } catch {
            #expect(CompareFirmware.fullMessage(for: error).contains(words))
        }
    }
}
