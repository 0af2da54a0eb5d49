import Testing

@testable import MeshBluetoothHost

/// The next step of a link that is being secured, for each event in each state.
@Suite struct PairingProgressTests {
    private typealias Next = PairingProgress.Next

    /// The consequences and the next states, in the order of the states.
    private func each(
        _ event: (inout PairingProgress) -> Next
    ) -> (next: [Next], states: [PairingProgress]) {
        let outcomes = PairingProgress.allCases.map { state -> (Next, PairingProgress) in
            var state = state
            let next = event(&state)
            return (next, state)
        }
        return (outcomes.map(\.0), outcomes.map(\.1))
    }

    @Test func `a refusal is followed by pairing, and on a secure link by a pause`() {
        let (next, states) = each { $0.refuse() }

        #expect(next == [.pair, .pair, .pair, .wait, .wait])
        #expect(states == [.unsecured, .unsecured, .subscribed, .refused, .refused])
    }

    @Test func `frames pass once the link is both subscribed and secure, whichever comes first`() {
        let accepted = each { $0.accept() }
        let secured = each { $0.secure() }

        #expect(accepted.next == [.pair, .pair, .pair, .begin, .begin])
        #expect(accepted.states == [.subscribed, .subscribed, .subscribed, .secured, .refused])
        #expect(secured.next == [.nothing, .askAgain, .begin, .nothing, .askAgain])
        #expect(secured.states == [.secured, .secured, .subscribed, .secured, .secured])
    }

    @Test func `to ask again forgets the refusal, and neither the subscription nor the security`() {
        let states = each { state in
            state.askAgain()
            return .nothing
        }.states

        #expect(states == [.asking, .asking, .subscribed, .secured, .secured])
    }

    @Test func `a link is secure in two states`() {
        let secure = PairingProgress.allCases.filter(\.isSecure)

        #expect(secure == [.secured, .refused])
    }
}
