import MeshTestSupport
import MeshTime
import Testing

@testable import MeshBluetoothHost

/// Faults that each end in a stated error, and in a state from which the next attempt works.
@Suite struct LinkFaultTests {
    @Test(arguments: LinkFault.all)
    func `a fault ends in a sentence, and the next attempt works`(fault: LinkFault) throws {
        let outcome = try fault.outcome()

        #expect(outcome.failure != nil)
        #expect(outcome.worksAgain)
        #expect(outcome.after <= .seconds(42))
        let sentence = outcome.failure?.description ?? ""
        #expect(!sentence.hasSuffix(".") && sentence.first?.isLowercase == true && !sentence.contains("123"))
    }

    @Test func `the article of faults is what ran`() throws {
        var rows: [String] = []
        for fault in LinkFault.all {
            let outcome = try fault.outcome()
            let sentence = outcome.failure.map { "\($0)" } ?? "nothing"
            let after = Double(outcome.after.milliseconds) / 1000
            rows.append("| \(fault.what) | \(sentence) | \(after) s | \(outcome.worksAgain ? "works" : "fails") |")
        }
        let printed = """
            # Faults of a Bluetooth link

            What goes wrong between an app and a radio, what the app is told, and what becomes of the next attempt.

            ## Overview

            Each row ran against ``BluetoothHost`` as the radio, on handed-in time, when this page was printed; a test compares them
            with what runs now. The third column is the time from the fault to the error, and the last one what happened when the
            fault was mended, as the sentence says, and ``BluetoothCentral`` was started once more.

            | What happens | What the app is told | After | The next attempt |
            |---|---|---|---|
            \(rows.joined(separator: "\n"))

            """

        let article = StoredArticle(module: "MeshBluetoothHost", name: "BluetoothFaults")
        #expect(try article.difference(from: printed) == nil)
    }
}
