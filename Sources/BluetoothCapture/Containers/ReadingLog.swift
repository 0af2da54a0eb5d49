import MeshCapture

/// The counters of a container's parser, and its reports to the loop that feeds it.
struct ReadingLog: Sendable {
    /// Damage all over a file must not fill the memory with sentences.
    static let mostProblems = 1000

    /// Records so far, those that could not be read included.
    private(set) var records = 0
    private var problems = 0

    /// Counts a record; returns its number, from 1 on.
    mutating func next() -> Int {
        records += 1
        return records
    }

    /// Names a problem; after a thousand of them, only that there are more.
    mutating func note(
        _ offset: UInt64, number: Int? = nil, _ reason: @autoclosure () -> String, into sink: inout some RecordSink
    ) {
        problems += 1
        guard problems <= Self.mostProblems else {
            if problems == Self.mostProblems + 1 {
                sink.note(CaptureProblem(offset: offset, "there are more problems than the \(Self.mostProblems) named"))
            }
            return
        }
        sink.note(CaptureProblem(offset: offset, number: number, reason()))
    }
}

/// The progress of a parser with the bytes from the reader's place on.
enum ReadingStep {
    /// As many bytes must be there in one piece; more than there are.
    case need(Int)
    /// These bytes are read.
    case took(Int)
    /// These bytes have no content, wherever they end.
    case skip(UInt64)
    /// Nothing that follows can be read.
    case end
}
