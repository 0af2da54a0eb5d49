import MeshBoards
import MeshCompanion
import MeshSimulator
import MeshTransports
import Testing

@testable import MeshCompliance

/// The statements on several interfaces of one radio, which were read in source text and not verified.
struct SeveralInterfaceStatementTests {
    private static let numbers = Section.severalInterfaces.statements.map(\.number)

    private func report(_ number: Int, on target: EmulatorTarget, _ version: FirmwareVersion) throws -> ComplianceReport
    {
        var run = ComplianceRun(target: .emulator, only: Selection("\(number)"))
        run.firmware = version
        return try run.perform(on: target)
    }

    @Test(arguments: numbers)
    func `an emulated radio of 1_18 keeps`(_ number: Int) throws {
        for interface in [AppLink.serial, .wifi] {
            let report = try report(number, on: EmulatorTarget(on: interface, firmware: .v1_18), .v1_18)
            #expect(report.broken == 0, "\(report.text(isVerbose: true))")
            #expect(report.kept == 1)
        }
    }

    @Test(arguments: Target.Modelled.allCases)
    func `it keeps them with the first app over modelled Bluetooth`(link: Target.Modelled) throws {
        for number in Self.numbers {
            let target = EmulatorTarget(over: link, firmware: .v1_18)
            let report = try report(number, on: target, .v1_18)
            #expect(report.broken == 0, "\(report.text(isVerbose: true))")
        }
    }

    @Test(arguments: FirmwareVersion.all.dropLast())
    func `older versions are not asked, and the report says why`(version: FirmwareVersion) throws {
        let report = try report(250, on: EmulatorTarget(firmware: version), version)

        #expect(report.entries.map(\.isNotApplicable) == [true])
        #expect(report.text(isVerbose: true).contains("a radio has one interface"))
    }

    /// The suite would notice a radio that does otherwise: here one whose further interface is not there.
    @Test(arguments: numbers)
    func `a radio with one interface breaks them`(_ number: Int) throws {
        let report = try report(number, on: EmulatorTarget(firmware: .v1_17_1), .v1_18)

        #expect(report.entries.map(\.isBroken) == [true], "\(report.text(isVerbose: true))")
    }

    @Test func `what is said of them names that they are not verified, everywhere`() throws {
        let text = try ComplianceRun.explanation(of: Selection("CMP-250"))

        #expect(text.contains("basis     read in source text, not verified"))
        #expect(text.contains("section   Q Several interfaces, not verified"))
        #expect(text.contains("src/helpers/MultiSerialInterface.h"))
        #expect(Rationale.all.filter { !$0.isVerified }.map(\.number) == Self.numbers)
        #expect(Self.numbers == Array(250...261))
    }

    @Test func `a radio elsewhere cannot show them, and is told what can`() {
        let target = StreamTarget(.tcp(host: "127.0.0.1", port: 1))
        for statement in Section.severalInterfaces.statements {
            let check = Check(statement, in: .severalInterfaces)
            guard case .notRun(let reason) = check.verdictUntried(on: target, in: .v1_18) else {
                Issue.record("\(statement.id) can be tried")
                continue
            }
            #expect(reason.hasPrefix("needs"))
        }
    }
}
