import MeshCompanion
import MeshSimulator
import MeshTime
import Testing

@testable import MeshCompliance
@testable import MeshReports

/// Cells of the matrix are there for the whole table, and marked by traffic and by nothing else.
struct CoverageMatrixTests {
    @Test func `a matrix has a row for every code that the version has, and nothing in it`() {
        let standard = CoverageMatrix()
        let matrix = CoverageMatrix(firmware: .v1_18)

        #expect(standard.commands.count == 58 && standard.frames.count == 29 + 17)
        #expect(matrix.commands.map(\.code) == CommandCode.allCases.map(\.rawValue))
        #expect(matrix.frames.count == ResponseCode.allCases.count + PushCode.allCases.count)
        #expect((matrix.commands + matrix.frames).allSatisfy { !$0.cells.isEmpty })
        #expect(matrix.seen == 0)
    }

    @Test(arguments: CommandCode.allCases)
    func `cells follow the table`(_ code: CommandCode) throws {
        let row = try #require(CoverageMatrix(firmware: .v1_18).commands.first { $0.code == code.rawValue })

        #expect(row.cells(.reply).count == max(1, code.row.replies.count + code.row.pushReplies.count))
        let errors = row.cells(.error).map(\.name)
        #expect(code.row.errors.allSatisfy { errors.contains("\($0)") })
        #expect(errors.count <= code.row.errors.count + 1)
        #expect(row.cells(.push).count == code.row.later.count)
        #expect(row.cells(.length).count { $0.name.hasSuffix("longest") } >= 1)
    }

    @Test func `lengths are the bounds of what the dispatch lets through`() throws {
        let row = try #require(CoverageMatrix().commands.first { $0.code == 0x20 })

        #expect(row.cells(.length).map(\.name) == ["49 too short", "50 shortest", "65 longest", "66 too long"])
    }

    @Test func `a run that says nothing marks nothing`() {
        var recorder = TrafficRecorder()
        recorder.begin()
        recorder.linkChanged()
        recorder.restarted()

        #expect(recorder.matrix == CoverageMatrix())
    }

    @Test func `a command that nobody answers marks nothing`() throws {
        let report = try ComplianceRun.emulator(tamper: { $0 = [] })

        #expect(report.matrix.seen == 0)
    }

    @Test func `a radio that refuses nothing leaves every error empty`() throws {
        let report = try ComplianceRun.emulator(tamper: { if $0[3] == 1 { $0 = [0x3E, 1, 0, 0] } })

        let errors = report.matrix.commands.flatMap { $0.cells(.error) }
        #expect(!errors.isEmpty && errors.allSatisfy { $0.isEmpty })
    }
}

/// The assignment of answers to commands.
struct TrafficRecorderTests {
    private var recorder = TrafficRecorder()

    private mutating func send(_ pattern: Pattern) throws {
        recorder.wrote(StreamFraming.encode(toRadio: try pattern.bytes()), isWifi: false)
    }

    private mutating func get(_ pattern: Pattern) throws { recorder.received(try pattern.bytes()) }

    private func seen(_ code: CommandCode) -> [String] {
        recorder.matrix.commands.first { $0.code == code.rawValue }?.cells.filter { !$0.isEmpty }.map(\.name) ?? []
    }

    @Test mutating func `an answer marks the command, its length and the answer`() throws {
        try send("06 01020304")
        #expect(seen(.setDeviceTime).isEmpty)
        try get("01 06")

        #expect(seen(.setDeviceTime) == ["ILLEGAL_ARG", "5 shortest"])
    }

    @Test mutating func `answers go to open commands in order`() throws {
        try send("05")
        try send("3B")
        try get("09 01020304")
        try get("19 00 00")

        #expect(seen(.getDeviceTime) == ["CURR_TIME", "1 shortest"])
        #expect(seen(.getAutoaddConfig) == ["AUTOADD_CONFIG", "1 shortest"])
    }

    @Test mutating func `an answer that the table does not foresee marks nothing`() throws {
        try send("05")
        try get("00")

        #expect(seen(.getDeviceTime).isEmpty)
    }

    @Test mutating func `a refused code that does not exist is nobody's`() throws {
        try send("2C")
        try send("06 01020304")
        try get("01 01")
        try get("00")

        #expect(seen(.setDeviceTime) == ["OK", "5 shortest"])
    }

    @Test mutating func `parts of a listing are its own, whatever stands between`() throws {
        let contact = try Pattern("03 11×32 00×115").bytes()
        try send("04")
        try get("02 02000000")
        try send("05")
        recorder.received(contact)
        try get("09 01020304")
        try send("1E 11×32")
        recorder.received(contact)
        try get("04 00000000")

        #expect(seen(.getContacts) == ["CONTACTS_START", "CONTACT", "END_OF_CONTACTS", "1 shortest", "without since"])
        #expect(seen(.getDeviceTime) == ["CURR_TIME", "1 shortest"])
        #expect(seen(.getContactByKey) == ["CONTACT", "33 whole"])
    }

    @Test mutating func `a push belongs to commands before it within the check`() throws {
        try send("1B 11×32")
        try get("06 00 01020304 01020304")
        try get("87 00 11×6 00×20")
        #expect(seen(.sendStatusReq) == ["SENT", "33 shortest", "STATUS_RESPONSE"])

        recorder.begin()
        try get("85 00 11×6")
        #expect(seen(.sendLogin).isEmpty)
    }

    @Test mutating func `a lost link leaves commands without an answer`() throws {
        try send("05")
        recorder.linkChanged()
        try get("09 01020304")

        #expect(seen(.getDeviceTime).isEmpty)
    }

    @Test mutating func `only a restart answers what is not answered`() throws {
        try send("13 'reboot'")
        #expect(seen(.reboot).isEmpty)
        recorder.restarted()

        #expect(seen(.reboot) == ["no answer", "7 whole"])
    }

    @Test mutating func `a tail counts when it is whole or not there at all`() throws {
        try send("04 0000")
        try get("02 00000000")
        #expect(!seen(.getContacts).contains { $0.hasSuffix("since") })
        try get("04 00000000")
        try send("04 00000000")
        try get("02 00000000")

        #expect(seen(.getContacts).contains("with since"))
    }
}
