import Foundation
import MeshCompanion
import MeshCrypto
import MeshFiles
import MeshTransports
import Testing

@testable import MeshBoards
@testable import MeshCompliance

/// Radios that a run has left changed, and the next one that meets them.
@Suite struct LeftRadioTests {
    private static let target = Target(.tcp(host: "127.0.0.1", port: 1), allowing: .destructive)
    private static func photograph(_ radio: SomebodysRadio) throws -> [[UInt8]] { try radio.photograph() }

    private static func radio() throws -> SomebodysRadio { try .withSettings() }

    /// A client of the radio that remembers its state in the folder, and changes some of it.
    private static func cutOff(_ radio: SomebodysRadio, _ folder: LabFolder, isWhole: Bool = false) throws {
        let probe = Probe(radio)
        probe.ledger = RadioLedger(target, in: folder.boards)
        let keeper = try probe.remembered()
        probe.ledger?.begin(keeper, isWhole: isWhole)
        probe.keeper = keeper
        try probe.ask("08 'Test'", "00")
        try probe.ask("20 01 'Mine' 00×28 11×16", "00")
        try probe.ask("0F \(Peer.bob.key)", "00")
        try probe.add(.carol, type: 1, lastmod: 1_640_000_001)
    }

    private static func met(_ radio: SomebodysRadio, _ folder: LabFolder) throws -> [String] {
        let probe = Probe(radio)
        probe.ledger = RadioLedger(target, in: folder.boards)
        return try probe.putBackLeft(of: "heltec")
    }

    @Test func `a record is the frames in which the radio told it`() throws {
        let probe = Probe(try Self.radio())
        let record = try probe.remembered().before

        let again = try RadioRecord(frames: record.frames)

        #expect(again.frames == record.frames)
        #expect(again.settings.map { $0.encoded() } == record.settings.map { $0.encoded() })
        #expect(again.contacts == record.contacts && again.channels == record.channels)
        #expect(again.privateKey != nil && again.privateKey == record.privateKey)
        #expect(throws: (any Error).self) { try RadioRecord(frames: [[0x00]]) }
        #expect(throws: (any Error).self) { try RadioRecord(frames: [[]]) }
    }

    @Test func `a radio that a run has left changed is put back when it is met again`() throws {
        let folder = try LabFolder()
        let radio = try Self.radio()
        let before = try Self.photograph(radio)
        try Self.cutOff(radio, folder)
        #expect(try Self.photograph(radio) != before)
        #expect(folder.files.count == 1)

        let notes = try Self.met(radio, folder)

        #expect(notes == ["An earlier run was cut off; what it had changed on heltec is put back"])
        #expect(try Self.photograph(radio) == before)
        #expect(folder.files == [])
        #expect(try Self.met(radio, folder) == [])
    }

    @Test(arguments: [false, true])
    func `a contact that its owner has added since stays, unless all is the tests'`(isWhole: Bool) throws {
        let folder = try LabFolder()
        let radio = try Self.radio()
        try Self.cutOff(radio, folder, isWhole: isWhole)
        try Probe(radio).add(.room, type: 1, lastmod: 1_640_000_002)

        _ = try Self.met(radio, folder)

        let keys = try Probe(radio).contacts().keys
        #expect(keys.contains(Peer.bob.key) && !keys.contains(Peer.carol.key))
        #expect(keys.contains(Peer.room.key) == !isWhole)
    }

    @Test func `another radio at the place is left alone`() throws {
        let folder = try LabFolder()
        let radio = try Self.radio()
        try Self.cutOff(radio, folder)
        try Probe(radio).ask("18 \(Peer.bob.identity.privateKey)", "00")

        let notes = try Self.met(radio, folder)

        #expect(notes.count == 1 && notes[0].contains("has left another radio here"))
        #expect(try Probe(radio).ask("01 00×7", "…").frame.contains(subsequence: Array("Test".utf8)))
        #expect(folder.files.count == 1)
    }

    @Test func `a radio that cannot be put back keeps its file, and no run begins`() throws {
        let folder = try LabFolder()
        let radio = try Self.radio()
        try Self.cutOff(radio, folder)
        radio.fault = { $0.first == 0x08 ? .refusal(.badState) : nil }

        let problem = #expect(throws: ComplianceRun.Problem.self) { try Self.met(radio, folder) }

        #expect(
            problem?.description.hasPrefix("what an earlier run has changed on heltec cannot be put back: ") == true)
        #expect(folder.files.count == 1)
    }

    @Test(arguments: [
        ("{", "is no JSON"), ("{\"format\": \"meshbed-board/2\"}", "format: must be \"meshbed-board/1\""),
        ("{\"format\": \"meshbed-board/1\", \"frames\": [7]}", "frames: has an entry that is no hex"),
        ("{\"format\": \"meshbed-board/1\", \"frames\": [\"05\"]}", "frames: "),
    ])
    func `a file that makes no sense is one sentence`(text: String, reason: String) throws {
        let folder = try LabFolder()
        let key = try #require(BoardKey(Self.target))
        let place = folder.path + "/boards/" + key.fileName
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        try text.write(toFile: place + "/x.json", atomically: false, encoding: .utf8)

        let problem = #expect(throws: ComplianceRun.Problem.self) { try Self.met(try Self.radio(), folder) }

        let words = "what an earlier run has left on heltec cannot be read: \(place)/x.json:"
        #expect(problem?.description.hasPrefix(words) == true, "\(problem?.description ?? "")")
        #expect(problem?.description.contains(reason) == true, "\(problem?.description ?? "")")
    }

    @Test func `a radio that may not transmit is told nothing that makes it`() throws {
        let radio = try Self.radio()
        radio.isSilent = true
        let probe = Probe(radio)

        try probe.ask("05", "09 time4")
        let refused = #expect(throws: OutOfSight.self) { try probe.ask("07 00", "00") }
        #expect(throws: OutOfSight.self) { try probe.sendRaw("3C 01 00 07") }

        #expect(refused?.reason == "has the radio transmit, which its bench file does not allow")
    }
}

extension [UInt8] {
    fileprivate func contains(subsequence: [UInt8]) -> Bool {
        indices.contains { self[$0...].starts(with: subsequence) }
    }
}
