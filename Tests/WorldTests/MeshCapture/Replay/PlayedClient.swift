import MeshCapture
import MeshTime
import MeshWire

/// A radio that answers a client replayer by a script: the frames that it says to each command, in turn.
struct PlayedClient {
    var client: ClientReplayer
    private(set) var sent: [String] = []
    private var answers: [[String]]
    private var now = Instant.start

    init(
        _ recording: Recording, rules: DifferenceRules = .replay, pace: ClientReplayer.Pace = .asAnswered,
        answers: [[String]]
    ) {
        client = ClientReplayer(recording, rules: rules, pace: pace)
        self.answers = answers
    }

    /// Runs to the end; what was wrong, a line each: the frame's name, then the problem.
    mutating func run() -> [String] {
        var effects: [ClientReplayer.Effect] = []
        client.begin(at: now, into: &effects)
        while !client.hasEnded {
            guard !effects.isEmpty else {
                now = max(now, client.nextWake)
                client.handle(.woke, at: now, into: &effects)
                continue
            }
            switch effects.removeFirst() {
            case .connect: client.handle(.connected, at: now, into: &effects)
            case .disconnect, .hear, .cutPower: break
            case .send(let frame):
                sent.append(frame.hex)
                for answer in answers.isEmpty ? [] : answers.removeFirst() {
                    if answer == "-" {
                        client.handle(.disconnected, at: now, into: &effects)
                    } else if answer.hasPrefix("+") {
                        now += .seconds(Int(answer.dropFirst()) ?? 0)
                        client.handle(.woke, at: now, into: &effects)
                    } else {
                        client.handle(.frame([UInt8](hex: answer) ?? []), at: now, into: &effects)
                    }
                }
            }
        }
        return client.checks.flatMap { check in check.problems.map { "\(check.title): \($0)" } }
    }
}
