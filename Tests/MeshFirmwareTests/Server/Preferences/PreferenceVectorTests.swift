import MeshCrypto
import MeshTestSupport
import MeshWire
import Testing

@testable import MeshFirmware

/// The statements of the vectors about settings.
@Suite struct PreferenceVectorTests {
    private struct Script: Decodable {
        let script: [Line]

        struct Line: Decodable {
            let command: String
            let reply: String?
            let repeater: String?
            let roomServer: String?
            let sensor: String?

            func reply(_ role: ServerRole) -> String? {
                let own =
                    switch role {
                    case .repeater: repeater
                    case .roomServer: roomServer
                    case .sensor: sensor
                    }
                return own ?? reply
            }
        }
    }

    @Test(arguments: ServerRole.allCases)
    func `every get and set of the recorded script is answered alike`(role: ServerRole) throws {
        let lines = InfrastructureVectors.read("CLI-SCRIPT", as: Script.self).script
            .filter { $0.command.hasPrefix("get ") && $0.command != "get acl" || $0.command.hasPrefix("set ") }
        var bench = PreferenceBench(role)

        for line in lines {
            #expect(bench.type(line.command) == line.reply(role), "\(line.command)")
        }

        #expect(lines.count == 129)
    }

    private struct Files: Decodable {
        let content: [String: String]
    }

    @Test(.proves("INF-018"), arguments: ServerRole.allCases)
    func `the first setting writes the recorded file`(role: ServerRole) throws {
        let files = InfrastructureVectors.read("FILE-PREFS", as: Files.self).content
        var bench = PreferenceBench(role)

        #expect(bench.set("name", "Hill") == "OK")

        #expect(bench.effects == [.save])
        #expect(String(decoding: bench.preferences.fileContent(), as: UTF8.self) == files[role.commandName])
    }

    private struct Texts: Decodable {
        let cases: [Case]

        struct Case: Decodable {
            let value: Double?
            let airtimeFactor: Double?
            let text: String
        }
    }

    @Test(.proves("INF-202")) func `fractions are cut after seven digits`() {
        let cases = InfrastructureVectors.read("FTOA", as: Texts.self).cases
        #expect(cases.count == 16)
        for row in cases {
            #expect(NumberWriting.decimal(Float(row.value ?? -1)) == row.text)
        }
    }

    @Test(.proves("INF-202")) func `bandwidths are rounded to three digits`() {
        let cases = InfrastructureVectors.read("FTOA3", as: Texts.self).cases
        #expect(cases.count == 7)
        for row in cases {
            #expect(NumberWriting.thousandths(Float(row.value ?? -1)) == row.text)
        }
    }

    @Test(.proves("INF-202")) func `duty cycles follow from the airtime factor`() {
        let cases = InfrastructureVectors.read("DUTY", as: Texts.self).cases
        #expect(cases.count == 6)
        for row in cases {
            #expect(NumberWriting.dutyCycle(airtimeFactor: Float(row.airtimeFactor ?? -1)) == row.text)
        }
    }

    @Test(.proves("INF-203"), arguments: ServerRole.allCases)
    func `hop limits count modulo 256`(role: ServerRole) {
        var bench = PreferenceBench(role)

        #expect(bench.set("flood.max", "256") == "OK")
        #expect(bench.get("flood.max") == "> 0")
        #expect(bench.set("flood.max", "65") == "Error, max 64")
        #expect(bench.effects.isEmpty)
        #expect(bench.get("flood.max") == "> 0")
    }

    @Test(.proves("INF-204"), arguments: ServerRole.allCases)
    func `a duty cycle is kept as an airtime factor`(role: ServerRole) {
        var bench = PreferenceBench(role)

        #expect(bench.set("dutycycle", "10") == "OK - 10.0%")
        #expect(bench.effects == [.save])
        #expect(bench.preferences.airtimeFactor == 9)
        #expect(bench.get("af") == "> 9.0")
    }

    @Test(.proves("INF-004"), arguments: ServerRole.allCases)
    func `setting the radio leaves the adverts of a fresh node alone`(role: ServerRole) {
        var bench = PreferenceBench(role)

        #expect(bench.set("radio", "869.525,250,11,5") == "OK - reboot to apply")
        #expect(bench.get("advert.interval") == "> 2")
        #expect(bench.set("tx", "14") == "OK")
        #expect(bench.get("advert.interval") == "> 0")
    }

    @Test(arguments: ServerRole.allCases)
    func `the private key and a lone frequency are for the console only`(role: ServerRole) {
        var bench = PreferenceBench(role, isSerial: false)

        #expect(bench.get("prv.key") == "??: prv.key")
        #expect(bench.set("freq", "868") == "unknown config: freq 868")
        #expect(bench.effects.isEmpty)

        bench.context.isSerial = true
        #expect(bench.get("prv.key") == "> " + InfrastructureVectors.server.privateKey.array.hex.uppercased())
    }
}
