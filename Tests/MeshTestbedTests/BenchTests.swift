import MeshEmulator
import MeshLinks
import MeshSimulator
import Testing

@testable import MeshCompliance
@testable import MeshScenarios

/// Radios asked for by label, as a package of somebody else's does.
@Suite(.serialized) struct BenchTests {
    private let bench = Bench {
        Radio("heltec", .serial("/dev/ttyUSB0"), near: ["desk"], allowing: .destructive)
        Radio("desk", .tcp("192.0.2.7"), rig: .tcp(host: "192.0.2.7", port: 5999))
        Radio("roof", .tcp("[2001:db8::1]:5001"), allowing: .restart)
        for label in ["north", "south"] { Radio(label, .serial("/dev/" + label, baud: 9600)) }
        Radio("twin", .emulator)
        Radio("typo", .tcp("192.0.2.7:99999"))
        Radio("twice", .emulator)
        Radio("twice", .emulatorOverTCP)
    }

    @Test func `a radio is had by its label`() throws {
        #expect(try bench["heltec"].endpoint == .serial("/dev/ttyUSB0", baud: 115_200))
        #expect(try bench["desk"].endpoint == .tcp(host: "192.0.2.7", port: 5000))
        #expect(try bench["roof"].endpoint == .tcp(host: "2001:db8::1", port: 5001))
        #expect(try bench["south"].endpoint == .serial("/dev/south", baud: 9600))
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
        #expect(throws: Bench.Problem.badEndpoint("typo", text: "192.0.2.7:99999")) { try bench["typo"] }
    }

    @Test func `a radio says what can be done with it`() throws {
        let abilities = { (label: String) in bench.abilities(of: try bench[label]) }

        #expect(try abilities("heltec") == [.destructive, .restart, .secondRadio])
        #expect(try abilities("desk") == [.destructive, .restart, .secondRadio, .linkControl, .timeControl])
        #expect(try abilities("roof") == [.restart, .linkControl])
        #expect(try abilities("north") == [])
        #expect(try abilities("twin") == [.destructive, .restart, .linkControl, .timeControl])
    }

    @Test func `a run takes labels for target and peer`() throws {
        let run = try bench.complianceRun(target: "heltec", peer: "desk", only: Selection("136"))

        #expect(run.target.arguments == ["--target", "serial:/dev/ttyUSB0"])
        #expect(run.peer?.arguments == ["--target", "tcp://192.0.2.7:5000", "--rig", "tcp://192.0.2.7:5999"])
        #expect(run.isDestructive && run.mayRestart)
        #expect(try bench.complianceRun(target: "roof", peer: "serial:/dev/other").mayRestart)
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
        #expect(try bench.scenarioTarget(["twin"]) == .emulator)
        #expect(
            try bench.scenarioTarget(["south", "roof", "serial:/dev/other"]).description
                == "serial:/dev/south?baud=9600 tcp://[2001:db8::1]:5001 serial:/dev/other?baud=115200")
        let problem = #expect(throws: Bench.Problem.self) { try bench.scenarioTarget(["roof", "twin"]) }
        #expect(problem?.description.contains("\"twin\" is in a world of its own") == true)
        #expect(throws: Bench.Problem.self) { try bench.scenarioTarget(["attic"]) }
    }

    @Test func `a radio that cannot do what is needed is refused with the reason`() throws {
        #expect(try bench.radio("roof", able: [.restart, .linkControl]).label == "roof")
        let time = #expect(throws: Bench.Problem.self) { try bench.radio("roof", able: .timeControl) }
        let link = #expect(throws: Bench.Problem.self) { try bench.radio("north", able: [.linkControl, .restart]) }

        #expect(
            time?.description
                == "radio \"roof\" is not on a rig: nothing steers its time, air, power and storage")
        #expect(link?.description == "radio \"north\" has a link that a client cannot drop: a serial line")
    }

    @Test func `what an owner allows is asked of the radio, and no more`() throws {
        let restarted = ComplianceRun(target: try bench["roof"])
        let erased = ComplianceRun(target: try bench["heltec"])
        let neither = ComplianceRun(target: try bench["north"])

        #expect(restarted.mayRestart && !restarted.isDestructive)
        #expect(try restarted.opened().capabilities.contains(.reboot))
        #expect(try !restarted.opened().capabilities.contains(.identity))
        #expect(erased.mayRestart && erased.isDestructive)
        #expect(!neither.mayRestart && !neither.isDestructive)
        #expect(try neither.opened().capabilities == [])
    }

    @Test func `what repeats a check on a radio of a bench names where it is`() throws {
        let words = try bench.labels.prefix(6).map {
            ComplianceTargetName(try bench[$0]).arguments.joined(separator: " ")
        }

        #expect(
            words == [
                "--target serial:/dev/ttyUSB0", "--target tcp://192.0.2.7:5000 --rig tcp://192.0.2.7:5999",
                "--target tcp://[2001:db8::1]:5001", "--target serial:/dev/north?baud=9600",
                "--target serial:/dev/south?baud=9600", "--target emulator",
            ])
        for text in ["emulator", "emulator+tcp", "emulator+pty", "tcp://host", "serial:/dev/ttyS1?baud=9600"] {
            #expect(ComplianceTargetName(text)?.arguments == ["--target", text])
        }
    }

    @Test func `the speed of a line may stand in its address`() {
        let name = ComplianceTargetName("serial:/dev/ttyS1?baud=9600")

        #expect(name?.kind == .stream(.serial(path: "/dev/ttyS1", baud: 9600)))
        #expect(ComplianceTargetName("serial:/dev/ttyS1")?.kind == .stream(.serial(path: "/dev/ttyS1", baud: 115_200)))
        for text in ["serial:?baud=9600", "serial:/dev/ttyS1?baud=fast", "serial:"] {
            #expect(ComplianceTargetName(text) == nil)
        }
    }
}
