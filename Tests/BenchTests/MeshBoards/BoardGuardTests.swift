import MeshCompanion
import MeshCrypto
import MeshTransports
import Testing

@testable import MeshBoards
@testable import MeshCompliance

/// A real radio that tests of any kind use: as it was found it is put back between them, and at the end.
@Suite struct BoardGuardTests {
    private static let target = Target(.tcp(host: "127.0.0.1", port: 1), allowing: .destructive)

    private static func guarded(_ radio: SomebodysRadio, _ folder: LabFolder) throws -> BoardGuard {
        try BoardGuard(radio, of: target, in: folder.boards)
    }

    /// The changes of somebody's test, which has a link of its own.
    private static func change(_ radio: SomebodysRadio) throws {
        let probe = Probe(radio)
        try probe.ask("08 'Test'", "00")
        try probe.ask("20 01 'Test' 00×28 11×16", "00")
        try probe.ask("0F \(Peer.bob.key)", "00")
        try probe.add(.carol, type: 1, lastmod: 1_640_000_001)
    }

    @Test func `between tests a radio is put back, and its record stays until the end`() throws {
        let (radio, folder) = (try SomebodysRadio.withSettings(), try LabFolder())
        let before = try radio.photograph()

        let keeping = try Self.guarded(radio, folder)
        #expect(keeping.notes == [] && folder.files.count == 1)
        for _ in 0..<2 {
            try Self.change(radio)
            #expect(try radio.photograph() != before)
            try keeping.restore()
            #expect(try radio.photograph() == before)
            #expect(folder.files.count == 1)
        }

        try Self.change(radio)
        #expect(keeping.end() == [])
        #expect(try radio.photograph() == before)
        #expect(folder.files == [])
    }

    @Test func `an identity that a test has replaced is put back`() throws {
        let (radio, folder) = (try SomebodysRadio.withSettings(), try LabFolder())
        let before = try radio.photograph()
        let keeping = try Self.guarded(radio, folder)
        try Probe(radio).ask("18 \(Peer.bob.identity.privateKey)", "00")
        #expect(try radio.photograph() != before)

        try keeping.restore()

        #expect(try radio.photograph() == before)
    }

    @Test func `a radio whose tests were killed is put back by the next that meet it`() throws {
        let (radio, folder) = (try SomebodysRadio.withSettings(), try LabFolder())
        let before = try radio.photograph()
        _ = try Self.guarded(radio, folder)
        try Self.change(radio)

        let next = try Self.guarded(radio, folder)

        #expect(next.notes == ["An earlier run was cut off; what it had changed on \(radio.title) is put back"])
        #expect(try radio.photograph() == before)
        #expect(folder.files.count == 1)
        #expect(next.end() == [] && folder.files == [])
    }

    /// Half a header, a header, half of a frame, and the longest frame.
    @Test(arguments: [[0x3C], [0x3C, 1], [0x3C, 8, 0, 0x16, 3], [0x3C, 0xFF, 0xFF, 0x16]] as [[UInt8]])
    func `a line on which a client was cut off in a frame is usable again`(rest: [UInt8]) throws {
        let radio = EmulatorTarget()
        try radio.prepare(Setup())
        let before = try Probe(radio).remembered().before.selfInfo
        try radio.write(rest)

        let probe = Probe(radio)
        try probe.introduce()

        #expect(probe.greeting == .usual)
        #expect(try probe.remembered().before.selfInfo == before)
    }

    @Test func `what a radio does not take back is named, and its record stays`() throws {
        let (radio, folder) = (try SomebodysRadio.withSettings(), try LabFolder())
        let keeping = try Self.guarded(radio, folder)
        try Self.change(radio)
        radio.fault = { $0.first == SetAdvertName.codeByte ? .refusal(.badState) : nil }

        let left = keeping.end()

        #expect(left.contains { $0.hasPrefix("the setting of CMD_SET_ADVERT_NAME: refused") }, "\(left)")
        #expect(folder.files.count == 1)
    }

    @Test func `a radio that is gone at the end is said to be, and its record stays`() throws {
        let (radio, folder) = (try SomebodysRadio.withSettings(), try LabFolder())
        let before = try radio.photograph()
        let keeping = try Self.guarded(radio, folder)
        try Self.change(radio)
        radio.fault = { _ in .loss(refusals: 1000) }

        let left = keeping.end()

        #expect(left.count == 1 && left[0].hasPrefix("the radio is out of reach: "), "\(left)")
        #expect(folder.files.count == 1)

        for _ in 0..<1000 { try? radio.connect() }
        radio.fault = { _ in nil }
        _ = try Self.guarded(radio, folder)
        #expect(try radio.photograph() == before)
    }

    @Test func `a radio that cannot be put back is not lent again`() throws {
        let (radio, folder) = (try SomebodysRadio.withSettings(), try LabFolder())
        _ = try Self.guarded(radio, folder)
        try Self.change(radio)
        radio.fault = { $0.first == SetAdvertName.codeByte ? .refusal(.badState) : nil }

        let problem = #expect(throws: ComplianceRun.Problem.self) { try Self.guarded(radio, folder) }

        #expect(problem?.description.contains("cannot be put back") == true, "\(problem?.description ?? "")")
    }

    @Test func `power is that of the owner's commands, and the air that of the bench file`() throws {
        let (radio, folder) = (try SomebodysRadio.withSettings(), try LabFolder())
        radio.isSilent = true
        let keeping = try Self.guarded(radio, folder)

        #expect(throws: TargetError.unsupported("cut the power")) { try keeping.cyclePower() }
        radio.power = .cut
        try keeping.cyclePower()

        #expect(!keeping.mayTransmit)
        #expect(keeping.title == radio.title && keeping.abilities == radio.abilities)
    }

    @Test func `several radios are not one that is kept`() throws {
        let folder = try LabFolder()
        let addresses = (1...2).map { LinkAddress.tcp(host: "192.0.2.\($0)", port: 5000) }
        let claim = try BoardClaim(Target(.radios(addresses)), for: "a test", in: folder.boards)

        let problem = #expect(throws: ComplianceRun.Problem.self) { try BoardGuard(claim, in: folder.boards) }

        #expect(problem?.description.hasSuffix("is not one real radio") == true)
    }
}
