/// The event that a connection waits for, by the bytes that passed on it.
///
/// It governs which time limit runs. It knows neither clocks nor the content of requests and answers.
///
/// ```
///   open ──> head ──> body ──> (nothing: the request is carried out) ──> reading ──> head …
///                                                                           └──> goodbye ──> closed
/// ```
///
/// Requests may come one behind the other before the first is answered; the later ones wait, and no limit runs for
/// them.
struct HTTPConnectionState {
    enum Wait: Hashable, Sendable {
        /// The head of the next request.
        case head
        /// The rest of a request.
        case body
        /// The client's reading of what was sent.
        case reading
        /// The client's closing of its end.
        case goodbye
    }

    private var heads = 0
    private var ends = 0
    private var answers = 0
    private var writes = 0
    /// True when incoming bytes are ignored.
    private(set) var isClosing = false

    mutating func headCame() { heads += 1 }
    mutating func requestEnded() { ends += 1 }
    mutating func answerEnded() { answers += 1 }
    mutating func writeBegan() { writes += 1 }
    mutating func writeEnded() { writes -= 1 }
    mutating func close() { isClosing = true }

    /// True when there is a request whose answer has not ended.
    var isCarriedOut: Bool { ends > answers }

    /// The event that is waited for; `nil` while the service works on its answer.
    var wait: Wait? {
        if writes > 0 { return .reading }
        if isClosing { return .goodbye }
        // An answer may be earlier than the end of its request: a refusal of a body that is too long.
        guard answers >= ends else { return nil }
        return heads > ends ? .body : .head
    }
}
