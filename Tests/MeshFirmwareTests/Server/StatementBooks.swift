import MeshTestSupport
import Testing

/// The numbered statements of the infrastructure document; none waits.
@Suite struct StatementBooks {
    @Test func `every statement of the infrastructure document is proven by a test`() throws {
        let findings = try StatementBook("INF-", 1...215).findings()

        #expect(findings == .init(provenCount: 215))
    }
}
