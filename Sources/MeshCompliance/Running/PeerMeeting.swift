import MeshRadio
import MeshTime
import MeshWire

/// The test before a run with two radios: whether they hear each other, and how long their packets last.
struct PeerMeeting {
    private let radio: Probe
    private let target: PeeredTarget

    init(_ radio: Probe, _ target: PeeredTarget) {
        self.radio = radio
        self.target = target
    }

    private var peer: PeerRadio { target.peer }

    private func problem(_ text: String) -> ComplianceRun.Problem { .init(description: text) }

    /// Reaches the peer, and refuses what cannot work. Nothing is changed on either radio.
    func compare() throws {
        do {
            try peer.reach()
        } catch let nothing as NoRadio {
            throw problem("\(peer.title) \(nothing)")
        } catch let failure as Failure {
            throw problem("\(peer.title) cannot take part, as it does not tell its settings: \(failure)")
        } catch {
            throw problem("the peer \(peer.title): \(error)")
        }
        let info = try radio.selfInfo()
        if info["key"] == peer.key {
            throw problem("\(target.radio.title) and \(peer.title) are the same radio; a peer is another one")
        }
        let mine = LoRaParameters(info)
        guard mine.hears(peer.parameters) else {
            throw problem(
                "the radios cannot hear each other: \(target.radio.title) is at \(mine.text), "
                    + "\(peer.title) at \(peer.parameters.text); set both alike first")
        }
        target.learn(mine)
    }

    /// Sets the peer up, has both call each other, and empties the radio's queue of messages.
    func begin() throws {
        do {
            try peer.prepare()
        } catch {
            throw problem("the peer \(peer.title): \(error)")
        }
        var took = try call()
        took = min(took, try call())
        // Header and path length come before the data.
        target.learn(peer.parameters, count: Self.dataLength + 2, took: took)
        try answer()
        try fetchWaiting()
    }

    private static let dataLength = 16

    /// Returns random bytes, so that no radio drops a call as a copy of another.
    private func data() -> [UInt8] { (0..<Self.dataLength).map { _ in UInt8.random(in: 0...255) } }

    /// Returns the time in which a packet of the peer reaches the radio; throws when none does.
    private func call() throws -> TimeSpan {
        for _ in 0..<3 {
            let data = data()
            let start = ContinuousClock.now
            do {
                try peer.call(data)
            } catch {
                throw problem("the peer \(peer.title): \(error)")
            }
            let isHeard = try radio.listen(for: target.reach(of: 20)) {
                $0.first == 0x88 && $0.suffix(data.count) == data[...]
            }
            if isHeard { return TimeSpan(ContinuousClock.now - start) }
        }
        throw deafness(of: target.radio.title, to: peer.title)
    }

    /// The radio's packet reaches the peer.
    private func answer() throws {
        for _ in 0..<3 {
            let data = data()
            peer.forget()
            try radio.ask("19 00 \(data)", "00")
            let end = ContinuousClock.now + .microseconds(target.reach(of: 20).microseconds)
            while ContinuousClock.now < end, let frame = try peer.heard(within: target.reach(of: 20)) {
                if frame.suffix(data.count) == data[...] { return }
            }
        }
        throw deafness(of: peer.title, to: target.radio.title)
    }

    private func deafness(of listener: String, to speaker: String) -> ComplianceRun.Problem {
        problem(
            "\(listener) does not hear \(speaker), though both are at \(peer.parameters.text); a peer must be in "
                + "radio range, with no repeater between")
    }

    /// Tells whether SYNC_NEXT_MESSAGE was answered with one.
    static func isMessage(_ frame: [UInt8]) -> Bool {
        [0x07, 0x08, 0x10, 0x11, 0x1B].contains(frame[0])
    }

    /// Statements ask for the next message, which has to be theirs.
    private func fetchWaiting() throws {
        for _ in 0..<1000 {
            let frame = try radio.ask("0A", "…").frame
            guard Self.isMessage(frame) else { return }
            target.fetched.append(frame)
        }
    }
}
