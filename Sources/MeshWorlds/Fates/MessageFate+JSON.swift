import MeshFiles
import MeshTime
import MeshWire

extension MessageFate {
    /// The fate as JSON with sorted keys; times are microseconds since the run began.
    ///
    /// ```json
    /// {
    ///   "verdict": "delivered | partly delivered | not delivered",
    ///   "standing": "sent | delivered | acknowledged | givenUp", "end": "notOpened", "mayStillArrive": false,
    ///   "packet": "817c641fe68585a8", "type": "grpTxt", "acknowledged": 17250000, "isCut": false,
    ///   "message": {"number": 1, "from": "alice", "to": "#public", "text": "hello", "at": 10000000},
    ///   "recipients": ["bob"], "missing": [{"node": "carol", "reason": "it lost every copy: …"}],
    ///   "paths": [{"to": "bob", "nodes": ["alice", "r1", "bob"], "frames": [0, 1], "at": 11572000}],
    ///   "transmissions": [
    ///     {
    ///       "frame": 1, "sender": "r1", "at": 11094000, "airtime": 467968, "heardIn": 0, "hex": "150011…",
    ///       "heard": [{"node": "bob", "snr": 800}], "delivered": ["bob"],
    ///       "discarded": [{"node": "alice", "reason": "alreadySeen"}], "lost": [
    ///         {"node": "r2", "reason": "collision", "by": {…}, "words": "collision with carol's advert #2"}
    ///       ]
    ///     }
    ///   ],
    ///   "lostAcknowledgements": [
    ///     {
    ///       "at": 13.2, "node": "r1", "reason": "collision", "words": "bob's ack #3 of message 1 lost at r1: …",
    ///       "frame": {
    ///         "number": 3, "sender": "bob", "origin": "bob", "kind": "ack", "message": 1, "words": "bob's ack #3 …"
    ///       },
    ///       "by": {…}
    ///     }
    ///   ]
    /// }
    /// ```
    ///
    /// `by` is the frame that interfered with a lost one. `message` is present where the run's people wrote it.
    /// `acknowledged` and `heardIn` are present where there is one; `snr` is in hundredths of a decibel. `end` is the
    /// end of a message that was not acknowledged (`MessageEnd`). `isCut` is true when the trace ends before the
    /// message did.
    public var json: String { ((try? FateRecord(self).jsonText()) ?? "{}") + "\n" }
}

private struct FateRecord: Encodable {
    struct Message: Encodable {
        let number: Int
        let from: String
        let to: String
        let text: String
        let at: Int64
    }

    struct Loss: Encodable {
        let node: String
        let reason: String
    }

    struct FrameLost: Encodable {
        let node: String
        let reason: String
        let by: FrameRecord?
        let words: String

        init(_ loss: FrameLoss, _ fate: MessageFate) {
            node = fate.label(loss.node)
            reason = loss.reason
            by = loss.by.map { FrameRecord($0, fate.label) }
            words = loss.reasonWords(fate.label)
        }
    }

    struct Reception: Encodable {
        let node: String
        let snr: Int16
    }

    struct Path: Encodable {
        let to: String
        let nodes: [String]
        let frames: [Int]
        let at: Int64
    }

    struct Transmission: Encodable {
        let frame: Int
        let sender: String
        let at: Int64
        let airtime: Int64
        let heardIn: Int?
        let hex: String
        let heard: [Reception]
        let delivered: [String]
        let discarded: [Loss]
        let lost: [FrameLost]
    }

    let verdict: String
    let standing: String
    let end: String?
    let mayStillArrive: Bool
    let packet: String
    let type: String
    let message: Message?
    let acknowledged: Int64?
    let isCut: Bool
    let recipients: [String]
    let missing: [Loss]
    let lostAcknowledgements: [LossRecord]
    let paths: [Path]
    let transmissions: [Transmission]

    init(_ fate: MessageFate) {
        verdict = fate.verdictWord.rawValue
        standing = fate.standing.rawValue
        end = fate.end?.rawValue
        mayStillArrive = fate.mayStillArrive
        packet = fate.packet
        type = "\(fate.type)"
        message = fate.words.map { words in
            Message(
                number: words.number, from: fate.label(words.from), to: words.to, text: words.text,
                at: words.at.microseconds)
        }
        acknowledged = fate.acknowledged?.microseconds
        isCut = fate.isCut
        recipients = fate.recipients.map(fate.label)
        var search = DeathSearch(fate)
        missing = fate.missing.map { Loss(node: fate.label($0), reason: search.reason(for: $0)) }
        lostAcknowledgements = fate.lostAcknowledgements.map { LossRecord($0, fate.label) }
        paths = fate.paths.map { path in
            Path(
                to: fate.label(path.to), nodes: path.nodes.map(fate.label), frames: path.hops.map(\.frame),
                at: path.end.microseconds)
        }
        transmissions = fate.hops.map { hop in
            Transmission(
                frame: hop.frame, sender: fate.label(hop.sender), at: hop.begin.microseconds,
                airtime: hop.airtime.microseconds, heardIn: hop.cause, hex: hop.bytes.hex,
                heard: hop.heard.map { Reception(node: fate.label($0.node), snr: $0.snrHundredths) },
                delivered: hop.delivered.map(fate.label),
                discarded: hop.discarded.map { Loss(node: fate.label($0.node), reason: $0.reason) },
                lost: hop.losses.map { FrameLost($0, fate) })
        }
    }
}
