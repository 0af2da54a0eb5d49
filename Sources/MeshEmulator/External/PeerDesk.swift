package import MeshFirmware
package import MeshTime

/// Decides whether a world whose nodes run in other processes goes on, and in which order their answers go in.
///
/// It has neither a clock nor sockets: whoever has them says what the clock shows and what the programs have done. No
/// time passes before all programs are there, nor while one of them has not answered. All answers of a moment are
/// waited for, and go into the world in the order of its nodes: which program was faster makes no difference.
///
/// ```
///   absent ──connected──▶ there ──asked──▶ owes an answer
///                           ▲                  │ line
///                           └────handed in─────┘
/// ```
package struct PeerDesk: Hashable, Sendable {
    /// Limits of waiting, on the clock.
    package struct Rules: Hashable, Sendable {
        /// The time that a program has for one answer; a run whose program is slower ends. For the programs to come
        /// there is no limit.
        package var answerLimit = TimeSpan.seconds(10)

        package init() {}
    }

    /// Next act of the world's driver.
    enum Turn: Hashable, Sendable {
        /// No program is waited for.
        case goOn
        /// Lets no time pass, and looks again when a program has done something or at `deadline`.
        case wait
        /// Hands these in, in their order, and asks again.
        case hand([Entry])
    }

    /// Something for the node of one program.
    package struct Entry: Hashable, Sendable {
        /// The program's place, in the order of the nodes.
        package let place: Int
        /// Bytes of a line without its end; `nil`: the program is there, and the node may begin.
        package let line: [UInt8]?
    }

    private struct Seat: Hashable {
        var isThere = false
        /// Tells whether it has closed its connection.
        var hasGone = false
        /// The clock at the request that it has not answered.
        var askedAt: TimeSpan?
        /// The bytes of its answer so far.
        var line: [UInt8] = []
        var hasAnswered = false
        /// Tells whether its node starts and has to be told that the program is there.
        var mustBegin = true
        /// Tells whether its node has switched itself off.
        var hasLeft = false

        var isOwing: Bool { askedAt != nil && !hasAnswered }
        /// Tells whether the world need not wait for it to come.
        var hasCome: Bool { isThere || hasGone || hasLeft }

        /// The same after its answer was handed in.
        var answered: Self {
            var seat = self
            (seat.askedAt, seat.line, seat.hasAnswered) = (nil, [], false)
            return seat
        }
    }

    /// A program has failed, and the run with it.
    package struct Failure: Error, Hashable, Sendable {
        package let place: Int
        package let problem: PeerProblem
    }

    private let rules: Rules
    private var seats: [Seat]

    /// For so many programs, in the order of their nodes.
    package init(_ rules: Rules = Rules(), peers: Int = 0) {
        self.rules = rules
        seats = Array(repeating: Seat(), count: peers)
    }

    /// A program more, at its place among the others.
    package mutating func addPeer(at place: Int) { seats.insert(Seat(), at: place) }

    // MARK: What happens

    /// Bytes that a program may say now: those of one answer, and one byte more by which it is known to say too much.
    package func window(_ place: Int) -> Int { PeerAnswer.longest + 1 - seats[place].line.count }

    /// A program has done something. What it must not do ends the run.
    package mutating func take(_ input: NodeInput, from place: Int) throws(PeerProblem) {
        switch input {
        case .appConnected:
            guard !seats[place].isThere, !seats[place].hasGone else {
                throw PeerProblem("another one has taken its place")
            }
            seats[place].isThere = true
        case .appBytes(let bytes): try take(bytes, from: place)
        case .appDisconnected:
            seats[place].isThere = false
            seats[place].hasGone = true
        case .heard, .heardPacket, .receiveError, .transmitDone, .bridge, .atInterface, .woke: break
        }
    }

    private mutating func take(_ bytes: [UInt8], from place: Int) throws(PeerProblem) {
        guard !seats[place].hasLeft else { return }
        guard seats[place].isOwing else { throw PeerProblem("it speaks although it was not asked") }
        seats[place].line += bytes
        guard let end = seats[place].line.firstIndex(of: UInt8(ascii: "\n")) else {
            guard seats[place].line.count <= PeerAnswer.longest else {
                throw PeerProblem("its answer is longer than \(PeerAnswer.longest) bytes")
            }
            return
        }
        guard end == seats[place].line.count - 1 else { throw PeerProblem("it says more than one line") }
        seats[place].line.removeLast()
        seats[place].hasAnswered = true
    }

    /// A program was asked.
    package mutating func asked(_ place: Int, at clock: TimeSpan) { seats[place].askedAt = clock }

    /// The node of a program starts again.
    package mutating func booted(_ place: Int) { seats[place].mustBegin = true }

    /// The node of a program has switched itself off.
    package mutating func left(_ place: Int) { seats[place].hasLeft = true }

    // MARK: What follows

    /// Tells whether no time may pass.
    package var isWaiting: Bool { !seats.allSatisfy(\.hasCome) || seats.contains(where: \.isOwing) }

    /// Returns the next act.
    mutating func turn(at clock: TimeSpan) throws(Failure) -> Turn {
        for (place, seat) in seats.enumerated() {
            // Whoever leaves says so before it goes.
            if seat.hasGone, !seat.hasLeft, !seat.hasAnswered {
                throw Failure(place: place, problem: PeerProblem("it has closed the connection"))
            }
            if let limit = limit(of: seat), limit <= clock {
                let problem = PeerProblem("it has not answered within \(rules.answerLimit.milliseconds) ms")
                throw Failure(place: place, problem: problem)
            }
        }
        guard !isWaiting else { return .wait }
        let entries = seats.indices.compactMap { takeEntry($0) }
        return entries.isEmpty ? .goOn : .hand(entries)
    }

    private mutating func takeEntry(_ place: Int) -> Entry? {
        if seats[place].hasAnswered {
            defer { seats[place] = seats[place].answered }
            return Entry(place: place, line: seats[place].line)
        }
        guard seats[place].mustBegin, !seats[place].hasLeft else { return nil }
        seats[place].mustBegin = false
        return Entry(place: place, line: nil)
    }

    /// The clock at which to look again although no answer came.
    package var deadline: TimeSpan? { seats.compactMap { limit(of: $0) }.min() }

    private func limit(of seat: Seat) -> TimeSpan? { seat.isOwing ? seat.askedAt.map { $0 + rules.answerLimit } : nil }
}
