import MeshTime
import MeshWire
import Testing

@testable import MeshBluetoothHost

/// The signalling channel. Source: Bluetooth Core, Vol 3 Part A, 4.
@Suite struct SignalTests {
    @Test func `every signal is read as it was written, and its field is named where it is cut`() throws {
        var stream = Seed(35).stream("signals")
        func fuzzed<G: FieldGroup>(_ type: G.Type = G.self) -> G { G.fuzzed(using: &stream) }
        for _ in 0..<50 {
            for content: L2CAP.Signal.Content in [
                .reject(fuzzed()), .parameterRequest(fuzzed()), .parameterResponse(fuzzed()),
                .other(code: 0x14, data: [1, 2, 3]),
            ] {
                let signal = L2CAP.Signal(identifier: stream.nextByte(), content)
                let bytes = signal.encoded
                #expect(try L2CAP.Signal(decoding: bytes.span) == signal)
                for count in 0..<bytes.count {
                    #expect(throws: FrameError.self) { try L2CAP.Signal(decoding: bytes.span.extracting(first: count)) }
                }
            }
        }
    }

    @Test func `a request for other intervals has its fields where the specification has them`() throws {
        let bytes = try #require([UInt8](hex: "1201080018002800000" + "0a401"))
        guard case .parameterRequest(let request) = try L2CAP.Signal(decoding: bytes.span).content else {
            Issue.record("another signal")
            return
        }

        #expect((request.shortestInterval, request.longestInterval) == (24, 40))
        #expect((request.latency, request.timeout) == (0, 420))
    }
}
