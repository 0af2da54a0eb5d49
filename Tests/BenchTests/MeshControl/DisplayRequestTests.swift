import Foundation
import MeshControl
import MeshTestSupport
import Testing

/// Displays and buttons by requests.
@Suite struct DisplayRequestTests {
    @Test func `a click lights a display, and a held button switches a repeater off`() async throws {
        try await SteeredBench.with { bench async throws in
            try await bench.ask("POST", "/advance", #"{"seconds":100}"#)
            let dark = try await bench.ask("GET", "/nodes/rep1/display")
            #expect(dark["isOn"] as? Bool == false && (dark["lines"] as? [String])?.isEmpty == true)

            let lit = try await bench.ask("POST", "/nodes/rep1/button", #"{"press":"click"}"#)
            #expect(lit["node"] as? String == "rep1" && lit["isOn"] as? Bool == true)
            #expect((lit["lines"] as? [String])?.last?.hasPrefix("BW: ") == true)

            let held = try await bench.ask("POST", "/nodes/rep1/button", #"{"press":"long"}"#)
            #expect(held["lines"] as? [String] == ["https://meshcore.io", "Turning OFF"])
            #expect(try await bench.isMet(#"{"isDown":{"node":"rep1"}}"#, within: 5))
        }
    }
}
