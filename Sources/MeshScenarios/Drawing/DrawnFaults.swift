/// A kind of fault that a scenario may draw.
public enum DrawnFaultKind: Hashable, Sendable, CaseIterable {
    /// A share of all frames.
    case loss
    case partition
    case deafPerson
    case deafRepeater
    case repeaterWithoutPower
    case repeaterRestart
    case personRestart
    /// An app loses its radio.
    case linkLoss
    case clockJump
    /// A repeater comes back with an empty flash.
    case erasedRepeater
    case roomRestart
    case roomWithoutPower
    /// The link between an app and its radio holds everything back for the whole time.
    case stalledLink
    /// Every frame is late.
    case slowLink
    /// Frames come twice.
    case doubledLink
    /// Frames to the app come in two pieces.
    case fragmentedLink
    /// The link ends after some frames.
    case cutLink
    /// The flash of a board refuses all writes.
    case flashFailure
    /// A board loses its power while it writes a file.
    case tornWrite
}

extension Draw {
    /// Troubles at moments of the span; all are over when twice the span has passed.
    ///
    /// A drawn fault may find nothing to disturb, so none of them must take effect. A soak says how many did.
    public mutating func faults(
        _ number: ClosedRange<Int>, of kinds: [DrawnFaultKind], in mesh: DrawnMesh, over span: Duration
    ) -> [Step] {
        (0..<count("troubles", in: number)).compactMap { _ in
            let begin = moment("trouble", span)
            let length = self.span("trouble", in: .seconds(2)...max(.seconds(3), span / 2))
            return fault(pick("kind of trouble", from: kinds), in: mesh, for: length).map {
                .at(begin, [$0.mayNotFire()])
            }
        }
    }

    /// `nil` where the mesh has nobody whom it could befall.
    private mutating func fault(_ kind: DrawnFaultKind, in mesh: DrawnMesh, for length: Duration) -> Step? {
        let person = pick("unlucky person", from: mesh.people)
        let repeater = mesh.repeaters.isEmpty ? nil : pick("unlucky repeater", from: mesh.repeaters)
        let room = mesh.rooms.isEmpty ? nil : pick("unlucky room", from: mesh.rooms)
        let way = pick("way of the link", from: [LinkFault.Way.toApp, .toRadio])
        switch kind {
        case .loss:
            return .fault(loss(share("lost frames", in: 0.1...0.9), for: length), lasting: nil)
        case .partition:
            let nodes = mesh.people.map(\.member) + mesh.repeaters.map(\.member) + mesh.rooms.map(\.member)
            let island = some("island", count("size of the island", in: 1...max(1, nodes.count / 2)), of: nodes)
            return .fault(partition(of: island, for: length), lasting: nil)
        case .deafPerson: return .fault(person.isDeaf(for: length), lasting: nil)
        case .deafRepeater: return repeater.map { .fault($0.isDeaf(for: length), lasting: nil) }
        case .repeaterWithoutPower: return repeater.map { .fault($0.hasNoPower(for: length), lasting: nil) }
        case .repeaterRestart: return repeater.map { .fault($0.restarts(), lasting: nil) }
        case .erasedRepeater: return repeater.map { .fault($0.restarts(keepingFlash: false), lasting: nil) }
        case .personRestart: return .fault(person.restarts(), lasting: nil)
        case .linkLoss: return .fault(person.losesLink(), lasting: length)
        case .clockJump:
            let seconds = pick("clock jump", from: [-86_400, -3_600, -30, 30, 3_600, 86_400])
            return .fault(person.clockJumps(by: .seconds(seconds)), lasting: nil)
        case .roomRestart: return room.map { .fault($0.restarts(), lasting: nil) }
        case .roomWithoutPower: return room.map { .fault($0.hasNoPower(for: length), lasting: nil) }
        case .stalledLink: return .fault(person.linkFault(.stalls(length), way), lasting: length)
        case .slowLink:
            let delay = self.span("delay", in: .milliseconds(100)...(.seconds(2)))
            return .fault(person.linkFault(.delays(delay), way), lasting: length)
        case .doubledLink:
            let part = share("doubled frames", in: 0.1...1)
            return .fault(person.linkFault(.doubles(part), way), lasting: length)
        case .fragmentedLink:
            // A radio would take the second part for a command of its own: what writes to radios cuts nothing.
            let part = share("cut frames", in: 0.05...0.4)
            return .fault(person.linkFault(.cutsInTwo(part), .toApp), lasting: length)
        case .cutLink:
            let number = count("frames until the cut", in: 1...12)
            return .fault(person.linkFault(.cutsAfter(number), way), lasting: length)
        case .flashFailure:
            return .fault(board(in: mesh).flashFails(for: length), lasting: nil)
        case .tornWrite:
            let bytes = chance("a part is left", 0.7) ? count("bytes that are left", in: 1...600) : nil
            return .fault(board(in: mesh).losesPowerInWrite(keepingBytes: bytes, for: length), lasting: nil)
        }
    }

    /// One whose flash is used.
    private mutating func board(in mesh: DrawnMesh) -> Member {
        pick("board", from: mesh.people.map(\.member) + mesh.repeaters.map(\.member) + mesh.rooms.map(\.member))
    }
}
