import Foundation
import MeshVirtualTime
import PocketMeshServices
import Testing

@testable import meshbed

/// The output of `meshbed client watch` about arrivals, and its complaints about lost ones.
@Suite struct ArrivalPrinterTests {
    /// The output where three arrivals may wait, and this many come at once over each of several connections.
    private static func printed(_ counts: [Int]) throws -> (lines: [String], complaints: [String]) {
        try withClient { client, _ in
            try await client.whileConnected(["watch"]) { app, first in
                var (lines, complaints): ([String], [String]) = ([], [])
                let printer = ArrivalPrinter(isJSON: false, bufferSize: 3) {
                    lines.append($0)
                } complain: {
                    complaints.append($0)
                }
                var connection = first
                for (index, count) in counts.enumerated() {
                    if index > 0 {
                        await app.manager.stop()
                        connection = try await app.connect()
                    }
                    printer.listen(to: connection)
                    for number in 0..<count {
                        connection.services.events.emit(.unknownSender(keyPrefix: Data([UInt8(number)])))
                    }
                }
                await printer.end()
                return (lines, complaints)
            }
        }
    }

    @Test func `what comes is printed, and nothing is said of it`() throws {
        let (lines, complaints) = try Self.printed([3])

        #expect(lines.count == 3)
        #expect(lines.first?.contains("a sender who is no contact: 00") == true)
        #expect(complaints == [])
    }

    @Test func `arrivals that came too fast are counted when the printing ends`() throws {
        let (lines, complaints) = try Self.printed([5])

        #expect(lines.count == 3)
        #expect(lines.first?.contains("a sender who is no contact: 02") == true)
        #expect(complaints == ["Arrivals came too fast to print 2 of them; all are stored."])
    }

    @Test func `what was lost before the radio was reached again counts, too`() throws {
        let (lines, complaints) = try Self.printed([5, 4])

        #expect(lines.count == 6)
        #expect(complaints == ["Arrivals came too fast to print 3 of them; all are stored."])
    }
}
