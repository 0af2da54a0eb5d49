import MeshCompanion
import MeshPacket
import MeshWire
import Testing

@testable import MeshFirmware

/// A version that does not exist, with one new command: what adding one costs.
///
/// The version is a row of its own, made from the newest one. Its command is implemented by hooks, as for any other
/// module that changes a radio. Nothing of the cores, the table of commands or another version is touched. A
/// permanent command has one case more in `CommandCode`, for which the compiler then asks everywhere. Its row has
/// its first release, and no switch is needed for it.
@Suite struct MadeUpVersionTests {
    /// 1.19: level 15, and whatever 1.18 does.
    private static let madeUp: FirmwareVersion = {
        var switches = FirmwareVersion.v1_18.switches
        switches.level = 15
        return FirmwareVersion(name: "1.19", release: "1.19.0", buildDate: "1 Jan 2027", switches: switches)
    }()

    private func bench(_ version: FirmwareVersion) -> CompanionBench {
        var bench = CompanionBench.running(version)
        bench.withRadio { $0.attach(EchoCommand()) }
        return bench
    }

    @Test func `its new command is there, and older versions do not know it`() {
        for version in FirmwareVersion.all {
            var old = bench(version)
            #expect(old.ask([EchoCommand.code, 1, 2, 3]) == Answer.unsupported)
        }
        var new = bench(Self.madeUp)
        #expect(new.ask([EchoCommand.code, 1, 2, 3]) == [[0x1D, 1, 2, 3]])
    }

    @Test func `it says what it is, and keeps every command that there was`() throws {
        var new = bench(Self.madeUp)
        let answer = try #require(new.ask([0x16, 3]).first)
        let info = try Resp.DeviceInfo(decoding: answer)

        #expect(info.firmwareVersionCode == 15)
        #expect(info.version.text.string == "v1.19.0")
        #expect(info.buildDate.text.string == "1 Jan 2027")
        #expect(CommandCode.allCases.allSatisfy { Self.madeUp.has(since: $0.row.since) })
        #expect(new.ask(RunCliCommand("board")) == [[0x1D] + [UInt8](BoardProfile.vectors.model.utf8)])
    }

    @Test func `it answers the probes like the version that it is made from`() throws {
        for probe in Probe.all where !["P1", "P17"].contains(probe.name) {
            #expect(try probe.ask(Self.madeUp) == probe.answers.last, "\(probe.name)")
        }
    }
}

/// The made-up command: gives back what follows its code, since 1.19.
private struct EchoCommand: CompanionHooks {
    static let code: UInt8 = 0x43
    static let since: Release = "1.19"

    func execute(
        _ frame: [UInt8], on radio: inout CompanionRadio, execute: (inout CompanionRadio, [UInt8]) -> Void
    ) {
        guard frame.first == Self.code, radio.core.board.firmware.has(since: Self.since) else {
            return execute(&radio, frame)
        }
        radio.interface.write([0x1D] + frame.dropFirst(), into: &radio.core.effects)
    }

    func prepare(_ board: inout BoardProfile, _ quirks: inout QuirkSet) {}
    func booted(_ radio: inout CompanionRadio) {}
    func pass(
        _ input: NodeInput, of radio: inout CompanionRadio, link: (inout CompanionRadio, NodeInput) -> Void,
        mesh: (inout CompanionRadio, NodeInput) -> Void
    ) {
        link(&radio, input)
        mesh(&radio, input)
    }
    func endPass(of radio: inout CompanionRadio, _ effects: inout [NodeEffect], from first: Int) {}
    func write(_ frame: [UInt8], of radio: inout CompanionRadio) {
        radio.interface.write(frame, into: &radio.core.effects)
    }
    func sealed(_ plaintext: [UInt8], as type: PayloadType, by radio: CompanionRadio) -> [UInt8] { plaintext }
}
