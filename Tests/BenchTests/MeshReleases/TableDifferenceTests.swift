import MeshCompanion
import MeshCompliance
import Testing

@testable import MeshReleases

@Suite struct TableDifferenceTests {
    @Test func `every switch of the table has a name of its own`() {
        let names = SwitchRow.all.map(\.name)

        #expect(names.count == Mirror(reflecting: FirmwareVersion.standard.switches).children.count)
        #expect(Set(names).count == names.count)
    }

    @Test func `two versions differ in the switches, commands and statements of the table`() {
        let table = TableDifferences(.v1_16, .v1_17_1)

        let file = table.switches.first { $0.name == "file of settings" }
        #expect(file?.old == "binary, 140 and 293 bytes")
        #expect(file?.new == "JSON")
        #expect(table.statements.contains { $0.id == "INF-176" && $0.words == "there is no `room.post`" })
        #expect(table.statements.contains { $0.id == "VERSION-P13" && $0.words == "02, not 01" })
        #expect(TableDifferences(.v1_17_1, .v1_18).commands.new.contains("CMD_RUN_CLI_COMMAND"))
        #expect(TableDifferences(.v1_18, .v1_17_1).commands.gone.contains("CMD_RUN_CLI_COMMAND"))
    }

    @Test(arguments: FirmwareVersion.all) func `a version does not differ from itself`(_ version: FirmwareVersion) {
        let table = TableDifferences(version, version)

        #expect(table.switches.isEmpty && table.statements.isEmpty)
        #expect(table.commands.gone.isEmpty && table.commands.new.isEmpty)
    }
}
