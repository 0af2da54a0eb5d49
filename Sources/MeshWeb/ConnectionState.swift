/// What a connection waits for, by what passed on it.
///
/// It governs which time limit runs. It does not know clocks, nor what requests and answers say.
///
/// ```
///   open ──> head ──> body ──> (nothing: the request is carried out) ──> reading ──> head …
///                                                                           └──> goodbye ──> closed
/// ```
///
/// Requests may come one behind the other before the first is answered; the later ones wait, and no limit runs for them.
struct ConnectionState {
    enum Wait: Hashable, Sendable {
        /// The head of the next request.
        case head
        /// The rest of a request.
        case body
        /// That the client reads what was sent.
        case reading
        /// That the client closes its end.
        case goodbye
    }

    private var heads = 0
    private var ends = 0
    private var answers = 0
    private var writes = 0
    /// Whether nothing that comes is taken any more.
    private(set) var isClosing = false

    mutating func headCame() { heads += 1 }
    mutating func requestEnded() { ends += 1 }
    mutating func answerEnded() { answers += 1 }
    mutating func writeBegan() { writes += 1 }
    mutating func writeEnded() { writes -= 1 }
    mutating func close() { isClosing = true }

    /// Whether a request is there whose answer has not ended.
    var isCarriedOut: Bool { ends > answers }

    /// What is waited for; nothing while the service has the word.
    var wait: Wait? {
        if writes > 0 { return .reading }
        if isClosing { return .goodbye }
        // An answer may be earlier than the end of its request: a refusal of a body that is too long.
        guard answers >= ends else { return nil }
        return heads > ends ? .body : .head
    }
}
