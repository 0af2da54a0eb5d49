import MeshEmulator
import MeshSimulator
import MeshTransports
import Testing

@testable import MeshBoards
@testable import MeshCompliance
@testable import MeshScenarios

/// Radios asked for by label, as a package of another author does.
@Suite(.serialized) struct BenchTests {
    private let bench = Bench {
        Radio("heltec", "serial:/dev/ttyUSB0", near: ["desk"], allowing: .destructive)
        Radio("desk", "tcp://192.0.2.7", rig: .tcp(host: "192.0.2.7", port: 5999))
        Radio("roof", "tcp://[2001:db8::1]:5001", allowing: .restart)
        for label in ["north", "south"] { Radio(label, Target(.serial(path: "/dev/" + label, baud: 9600))) }
        Radio("twin", .emulator)
        Radio("typo", "tcp://192.0.2.7:99999")
        Radio("twice", .emulator)
        Radio("twice", "emulator+tcp")
    }

    @Test func `a radio is had by its label`() throws {
        #expect(try bench["heltec"].addresses == [.serial(path: "/dev/ttyUSB0", baud: 115_200)])
        #expect(try bench["desk"].addresses == [.tcp(host: "192.0.2.7", port: 5000)])
        #expect(try bench["roof"].addresses == [.tcp(host: "2001:db8::1", port: 5001)])
        #expect(try bench["south"].addresses == [.serial(path: "/dev/south", baud: 9600)])
    }

    @Test func `a label that nobody has is answered with those that exist`() {
        let problem = #expect(throws: Bench.Problem.self) { try bench["attic"] }
        let empty = #expect(throws: Bench.Problem.self) { try Bench {}["attic"] }

        #expect(
            problem?.description == "there is no radio \"attic\" on the bench; "
                + "there are heltec, desk, roof, north, south, twin, typo, twice, twice")
        #expect(empty?.description == "there is no radio \"attic\" on the bench; it is empty")
    }

    @Test func `a label that two radios have, and an address that is none, are refused`() {
        #expect(throws: Bench.Problem.ambiguous("twice")) { try bench["twice"] }
        let typo = #expect(throws: Bench.Problem.self) { try bench["typo"] }
        #expect(
            typo?.description
                == "radio \"typo\": address \"tcp://192.0.2.7:99999\": the port is not a number from 1 to 65535")
    }

    @Test func `a radio says what can be done with it`() throws {
        #expect(try bench.abilities(of: "heltec") == [.destructive, .emptyContacts, .secondRadio])
        let desk = Abilities.all.subtracting([.mesh, .bluetooth, .console, .secondInterface])
        #expect(try bench.abilities(of: "desk") == desk)
        #expect(try bench.abilities(of: "roof") == [.restart, .link, .secondClient])
        #expect(try bench.abilities(of: "north") == [])
        #expect(try bench.abilities(of: "twin") == Abilities.all.subtracting([.mesh, .secondRadio, .console]))
    }

    @Test func `a run takes labels for target and peer`() throws {
        let run = try bench.complianceRun(target: "heltec", peer: "desk", only: Selection("136"))

        #expect(run.target.arguments == ["--target", "serial:/dev/ttyUSB0"])
        #expect(run.peer?.arguments == ["--target", "tcp://192.0.2.7:5000", "--rig", "tcp://192.0.2.7:5999"])
        #expect(run.target.allowed == .destructive)
        #expect(try bench.complianceRun(target: "roof", peer: "serial:/dev/other").target.allowed == .restart)
        #expect(try bench.complianceRun(target: "emulator").target == .emulator)
    }

    @Test(
        arguments: [
            ("attic", nil, "there is no radio \"attic\" on the bench"),
            ("heltec", "attic", "there is no radio \"attic\""),
            ("twice", nil, "several radios"), ("twin", "heltec", "radio \"twin\" hears no other radio"),
            ("heltec", "twin", "radio \"twin\" is heard by nobody"), ("heltec", "heltec", "is the target itself"),
            ("heltec", "north", "radio \"heltec\" is not said to be near \"north\"; say so with near:"),
        ] as [(String, String?, String)])
    func `words that make no run say why`(target: String, peer: String?, reason: String) {
        let problem = #expect(throws: Bench.Problem.self) { try bench.complianceRun(target: target, peer: peer) }

        #expect(problem?.description.contains(reason) == true, "\(problem?.description ?? "")")
    }

    @Test func `people of a scenario get the radios that labels name`() throws {
        #expect(try bench.target(words: ["twin"]) == .emulator)
        #expect(
            try bench.target(words: ["south", "roof", "serial:/dev/other"]).description
                == "serial:/dev/south?baud=9600 tcp://[2001:db8::1]:5001 serial:/dev/other")
        let problem = #expect(throws: Bench.Problem.self) { try bench.target(words: ["roof", "twin"]) }
        #expect(problem?.description.contains("\"twin\" is in a world of its own") == true)
        #expect(throws: Bench.Problem.self) { try bench.target(words: ["attic"]) }
    }

    @Test func `a radio that cannot do what is needed is refused with the reason`() throws {
        #expect(try bench.target("roof", able: [.restart, .link]).label == "roof")
        let time = #expect(throws: Bench.Problem.self) { try bench.target("roof", able: .time) }
        let link = #expect(throws: Bench.Problem.self) { try bench.target("north", able: [.link, .restart]) }

        #expect(
            time?.description
                == "radio \"roof\" is not on a rig: nothing steers its time, air, power and storage")
        #expect(link?.description == "radio \"north\" has a link that a client cannot drop: a serial line")
    }

    @Test func `what an owner allows is asked of the radio, and no more`() throws {
        let restarted = ComplianceRun(target: try bench["roof"])
        let erased = ComplianceRun(target: try bench["heltec"])
        let neither = ComplianceRun(target: try bench["north"])

        #expect(try restarted.opened().abilities.contains(.restart))
        #expect(try !restarted.opened().abilities.contains(.identity))
        #expect(try erased.opened().abilities == [.destructive, .emptyContacts])
        #expect(try neither.opened().abilities == [])
    }

    @Test func `what repeats a check on a radio of a bench names where it is`() throws {
        let words = try bench.labels.prefix(6).map {
            try bench[$0].arguments.joined(separator: " ")
        }

        #expect(
            words == [
                "--target serial:/dev/ttyUSB0", "--target tcp://192.0.2.7:5000 --rig tcp://192.0.2.7:5999",
                "--target tcp://[2001:db8::1]:5001", "--target serial:/dev/north?baud=9600",
                "--target serial:/dev/south?baud=9600", "--target emulator",
            ])
        for text in [
            "emulator", "emulator+tcp", "emulator+pty", "emulator+ble-esp32", "emulator+ble-nrf52", "tcp://host:5000",
            "serial:/dev/ttyS1?baud=9600",
        ] {
            #expect(try Target(text).arguments == ["--target", text])
        }
    }

    @Test func `the speed of a line may stand in its address`() throws {
        #expect(try Target("serial:/dev/ttyS1?baud=9600") == Target(.serial(path: "/dev/ttyS1", baud: 9600)))
        #expect(try Target("serial:/dev/ttyS1") == Target(.serial(path: "/dev/ttyS1", baud: 115_200)))
        for text in ["serial:?baud=9600", "serial:/dev/ttyS1?baud=fast", "serial:"] {
            #expect(throws: LinkError.self) { try Target(text) }
        }
    }

    @Test(
        arguments: [
            (["emulators"], "expected \(Target.forms)"),
            (["tcp://host:0"], "the port is not a number from 1 to 65535"),
            (["emulator", "tcp://host"], "several targets are real radios"), ([], "several targets are real radios"),
        ] as [([String], String)])
    func `words that are no target say why`(words: [String], reason: String) {
        let error = #expect(throws: LinkError.self) { try Target(words: words) }

        #expect(error?.reason == reason)
    }

    @Test func `one radio is checked, not two`() throws {
        let two = try Target(words: ["tcp://127.0.0.1:1", "tcp://127.0.0.1:2"])

        let problem = #expect(throws: ComplianceRun.Problem.self) { try ComplianceRun(target: two).perform() }

        #expect(problem?.description == "this target cannot be checked: it is 2 radios, not one")
    }

    @Test func `what a target lacks is named with advice, or all of it in one phrase`() {
        let radio = Target(.tcp(host: "127.0.0.1", port: 1)).abilities

        #expect(
            radio.reasonAgainst([.power, .restart])
                == "needs control over power: a cut at a given moment; run it with --target emulator")
        #expect(
            radio.lack(for: [.power, .restart, .mesh])
                == "needs nodes of its own, control over power, restarts the radio")
        #expect(radio.lack(for: .link) == nil)
        #expect(Abilities.rows.reduce(into: Abilities()) { $0.formUnion($1.ability) } == Abilities.all)
    }
}
