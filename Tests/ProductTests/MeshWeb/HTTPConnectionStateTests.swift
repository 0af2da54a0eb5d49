import Testing

@testable import MeshWeb

/// The events that a connection waits for.
@Suite struct HTTPConnectionStateTests {
    /// The awaited event after each step.
    ///
    /// Steps are `h` head, `e` end of the request, `w` a write begins, `d` it is done, `a` the answer ends, `c` the
    /// connection is closing.
    private func waits(_ steps: String) -> [HTTPConnectionState.Wait?] {
        var state = HTTPConnectionState()
        return [state.wait]
            + steps.map { step in
                switch step {
                case "h": state.headCame()
                case "e": state.requestEnded()
                case "w": state.writeBegan()
                case "d": state.writeEnded()
                case "a": state.answerEnded()
                default: state.close()
                }
                return state.wait
            }
    }

    @Test func `a request is waited for, then carried out, then its answer is read`() {
        #expect(waits("hewad") == [.head, .body, nil, .reading, .reading, .head])
    }

    @Test func `a client that sends requests ahead is not hurried while the first is carried out`() {
        #expect(waits("hehwad") == [.head, .body, nil, nil, .reading, .reading, .body])
        #expect(waits("hehewad").last == .some(nil))
    }

    @Test func `a refusal may be earlier than the end of its request`() {
        #expect(waits("hwade") == [.head, .body, .reading, .reading, .body, .head])
    }

    @Test func `behind the last answer the client's end is waited for`() {
        #expect(waits("hewacd") == [.head, .body, nil, .reading, .reading, .reading, .goodbye])
    }

    @Test func `a request is carried out from its end to the end of its answer`() {
        var state = HTTPConnectionState()
        state.headCame()
        #expect(!state.isCarriedOut)
        state.requestEnded()
        #expect(state.isCarriedOut)
        state.answerEnded()
        #expect(!state.isCarriedOut)
    }
}
