import MeshCompanion
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshWire
import Testing

/// The consequences of another version on one node of a mesh: a row of the article MixedMeshes.
struct MixedMesh: Sendable, CustomTestStringConvertible {
    /// The measurement, as the heading of the row.
    let title: String
    /// The nodes of the row, and the one among them that has the version of the column.
    let setting: String
    /// The meaning for authors of apps and operators of networks.
    let advice: String
    let statements: [String]
    /// The cells that the row must have, for each version from the oldest on.
    let expected: [String]
    let measure: @Sendable (FirmwareVersion) -> String

    var testDescription: String { title }

    static let all = [
        longText, relayedAck, secondAck, farAdvert, datagram, neighbours, remoteCommand, commandText, delay, burst,
    ]

    private static let time: UInt32 = 1_800_000_000

    static let longText = MixedMesh(
        title: "Bytes of a text of 160 that the app shows",
        setting: "A 1.17.1 companion writes to a companion of the version.",
        advice: "Texts of at most 156 bytes are whole everywhere. The sender is told that all of them arrived.",
        statements: ["FWV-178", "FWV-185"], expected: ["156", "156", "160", "160", "160"]
    ) { version in
        var line = MixedLine.pair(.standard, version)
        line.sendText(String(repeating: "x", count: 160), from: 0, to: 1, at: time)
        line.wait(20)
        let isConfirmed = line.frames(of: 0).contains { $0.first == 0x82 }
        let message = line.ask([0x0A], of: 1) ?? []
        return isConfirmed ? "\(message.count { $0 == 0x78 })" : "not confirmed"
    }

    static let relayedAck = MixedMesh(
        title: "Bytes of a direct acknowledgement behind the repeater",
        setting: "Two 1.17.1 companions with a repeater of the version between them.",
        advice: "Compare the first four bytes of an acknowledgement, and nothing else.",
        statements: ["FWV-182"], expected: ["4", "4", "6", "6", "6"]
    ) { version in
        var line = MixedLine.overRelay(version)
        for number in [0, 1] as [UInt32] {
            line.forgetTrace()
            line.sendText("over", from: 0, to: 2, at: time + number)
            line.wait(30)
        }
        // Of the second text, which goes along the path that the first one found.
        guard let ack = line.sent(3, by: 1).first, ack.count > 2 else { return "none" }
        return "\(ack.count - 2 - Int(ack[1] & 63))"
    }

    static let secondAck = MixedMesh(
        title: "Acknowledgements of attempts 0 and 4 that come through",
        setting: "Two 1.17.1 companions with a repeater of the version between them; both attempts arrive.",
        advice: "Old repeaters take the second for the first. Do not wait for one acknowledgement per attempt.",
        statements: ["FWV-183"], expected: ["1 of 2", "1 of 2", "2 of 2", "2 of 2", "2 of 2"]
    ) { version in
        var line = MixedLine.overRelay(version)
        line.sendText("over", from: 0, to: 2, at: time)
        line.wait(30)
        line.forgetTrace()
        for attempt in [0, 4] as [UInt8] {
            line.sendText("again", from: 0, to: 2, attempt: attempt, at: time + 1)
            line.wait(30)
        }
        return "\(line.sent(3, by: 1).count) of \(line.sent(3, by: 2).count)"
    }

    static let farAdvert = MixedMesh(
        title: "An advert after eight hops",
        setting: "It reaches a repeater of the version from a 1.17.1 companion.",
        advice: "Far adverts come over chains of old repeaters alone. Exchange contacts as links or files instead.",
        statements: ["FWV-190"], expected: ["forwarded", "forwarded", "dropped", "dropped", "dropped"]
    ) { version in
        var line = MixedLine([(.companion, .standard), (.companion, .standard), (.repeater, version)])
        line.command([7, 1], to: 0)
        line.wait(10)
        guard var advert = line.sent(4, by: 0).first else { return "no advert" }
        // Its path has eight bytes instead of none; the first companion's own hash is not among them.
        advert.replaceSubrange(1..<2, with: [8, 1, 2, 3, 4, 5, 6, 7, 8])
        line.command([0x41, 0] + advert, to: 1)
        line.wait(20)
        return line.sent(4, by: 2).isEmpty ? "dropped" : "forwarded"
    }

    static let datagram = MixedMesh(
        title: "A channel datagram of 165 bytes",
        setting: "A 1.17.1 companion sends it to a companion of the version.",
        advice: "Datagrams of at most 163 bytes reach every app whose radio has them, which is since 1.15.",
        statements: ["FWV-178", "FWV-191"], expected: ["lost", "lost", "shown", "shown", "shown"]
    ) { version in
        var line = MixedLine.pair(.standard, version)
        line.command([0x3E, 0, 0xFF, 0xFF, 0xFF] + [UInt8](repeating: 0xA1, count: 165), to: 0)
        line.wait(20)
        return line.ask([0x0A], of: 1)?.first == 0x1B ? "shown" : "lost"
    }

    static let neighbours = MixedMesh(
        title: "A neighbour that announces two-byte hashes",
        setting: "A 1.17.1 repeater floods an advert; a repeater of the version hears it first.",
        advice: "A neighbour that is missing in the list of an old repeater may be in reach all the same.",
        statements: ["FWV-194"], expected: ["missing", "missing", "listed", "listed", "listed"]
    ) { version in
        var line = MixedLine([(.repeater, .standard), (.repeater, version)])
        line.type("set path.hash.mode 1", at: 0)
        line.type("advert", at: 0)
        line.wait(20)
        let repeater = line.world.repeater(NodeID(index: 1))
        return repeater?.neighbours.entries.count == 1 ? "listed" : "missing"
    }

    static let remoteCommand = MixedMesh(
        title: "A remote command, text type 3",
        setting: "A 1.18 companion sends `ver` to a companion of the version, which has given it the right.",
        advice: "Silence is all that tells an older radio from one that has not given the right.",
        statements: ["FWV-186"], expected: ["silence", "silence", "silence", "silence", "answered"]
    ) { version in
        var line = MixedLine.pair(.v1_18, version)
        guard let key = line.world.companion(NodeID(index: 0))?.publicKey,
            let other = line.world.companion(NodeID(index: 1))?.publicKey,
            var contact = line.ask([0x1E] + key.prefix(32), of: 1), contact.count > 34
        else { return "no contact" }
        contact[0] = 0x09
        contact[34] |= 0x10
        line.command(contact, to: 1)
        line.wait(10)
        line.command([2, 3, 0] + time.wireBytes + other.prefix(6) + Array("ver".utf8), to: 0)
        line.wait(20)
        return line.ask([0x0A], of: 0)?.first == 0x10 ? "answered" : "silence"
    }

    static let commandText = MixedMesh(
        title: "A flooded command text, type 1",
        setting: "A 1.17.1 companion sends it to a companion of the version.",
        advice: "From 1.18 on a sender learns no path from commands. It learns one from texts that are confirmed.",
        statements: ["FWV-187"], expected: ["path", "path", "path", "path", "no path"]
    ) { version in
        var line = MixedLine.pair(.standard, version)
        guard let other = line.world.companion(NodeID(index: 1))?.publicKey else { return "no contact" }
        line.forgetTrace()
        line.command([2, 1, 0] + time.wireBytes + other.prefix(6) + Array("ver".utf8), to: 0)
        line.wait(20)
        return line.sent(8, by: 1).isEmpty ? "no path" : "path"
    }

    static let delay = MixedMesh(
        title: "Air time of the same short text",
        setting: "A companion of the version sends it at SF 8, 62.5 kHz, coding rate 4/8.",
        advice: "Take the time-out from SENT. Air time depends on the sender's version, which an app does not know.",
        statements: ["FWV-192"], expected: ["312 ms", "312 ms", "377 ms", "377 ms", "377 ms"]
    ) { version in
        var line = MixedLine.pair(version, .standard)
        line.command([0x0B] + UInt32(869_618).wireBytes + UInt32(62_500).wireBytes + [8, 8], to: 0)
        line.wait(1)
        line.forgetTrace()
        line.sendText("x", from: 0, to: 1, at: time)
        line.wait(20)
        for record in line.world.trace.records {
            if case .txBegin(_, _, let airtime) = record.event { return "\(airtime.microseconds / 1000) ms" }
        }
        return "nothing sent"
    }

    static let burst = MixedMesh(
        title: "Bursts of four direct texts that are confirmed whole",
        setting:
            "An app writes four texts at once to a neighbour; both companions have the version. 12 moments in 2 s.",
        advice: "Wait for the confirmation of one text before the next. No version hears all that it waits for.",
        statements: ["FWV-089"], expected: ["4 of 12", "4 of 12", "0 of 12", "6 of 12", "6 of 12"]
    ) { version in
        let bursts = TextBurst.spread(12, TextBurst.Setting(version))
        return "\(bursts.count(where: \.isWhole)) of 12"
    }
}
