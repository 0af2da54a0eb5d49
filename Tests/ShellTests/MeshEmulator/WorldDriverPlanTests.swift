import MeshBluetoothHost
import MeshCompanion
import MeshFiles
import MeshSimulator
import MeshTime
import MeshTransports
import MeshWire
import MeshWorlds
import Testing

@testable import MeshEmulator

/// Plans of links in a driven world without a socket: read from a file, armed before the run, and met by a client.
@Suite struct WorldDriverPlanTests {
    /// Frames of an app: APP_START, DEVICE_QUERY, GET_DEVICE_TIME twice, SET_ADVERT_NAME.
    private static let session: [[UInt8]] = [[1, 3, 0, 0, 0, 0, 0, 0, 0x61], [22, 3], [5], [5], [8, 0x62]]

    private struct Outcome: Hashable {
        let count: FaultCount
        let idle: [String]
        /// By the command after which they came.
        let answers: [[[UInt8]]]
        let hangUps: Int
        let digest: Digest
    }

    private static func plans(_ fault: String) throws -> [NodeLinkFaults] {
        try NodeLinkFaults.read(
            Array(#"{"links":[{"node":"alice","faults":[\#(fault)]}]}"#.utf8), endpoints: ["alice", "bob"])
    }

    private static func bench() -> DriverBench {
        DriverBench(.pair, .stepped, clients: ["alice", "bob"]) { $0.hasLinkFaults = true }
    }

    private static func played(_ fault: String?) throws -> Outcome {
        var bench = Self.bench()
        for plan in try fault.map(plans) ?? [] { try bench.steer { try $0.arm(plan) } }
        bench.connect("alice")
        var answers: [[[UInt8]]] = []
        for command in session {
            let place = bench.effects.count
            bench.ask("alice", command)
            #expect(try bench.step(.seconds(1)) == false)
            answers.append(bench.frames(since: place))
        }
        #expect(try bench.step(.seconds(20)) == false)
        let demands = bench.driver.linkFaultDemands(of: bench.node("alice"))
        let count = demands.first?.effects(in: bench.driver.world).first?.count ?? FaultCount()
        return Outcome(
            count: count, idle: bench.driver.idleLinkFaults, answers: answers,
            hangUps: bench.effects.count { if case .shutOut(_, .hungUp) = $0 { true } else { false } },
            digest: bench.driver.world.digest)
    }

    @Test(arguments: [
        #"{"fault":"late","seconds":2,"at":{"answerTo":"GET_DEVICE_TIME"}}"#,
        #"{"fault":"split","after":1,"at":{"answerTo":"GET_DEVICE_TIME"}}"#,
        #"{"fault":"merge","at":{"answerTo":"GET_DEVICE_TIME"}}"#,
        #"{"fault":"cut-bytes","bytes":2,"at":{"frame":"CURR_TIME","number":2}}"#,
        #"{"fault":"lose","at":{"answerTo":"GET_DEVICE_TIME"}}"#,
        #"{"fault":"lose","at":{"frame":"SET_ADVERT_NAME"}}"#,
        #"{"fault":"swap","at":{"answerTo":"GET_DEVICE_TIME"}}"#,
        #"{"fault":"double","at":{"answerTo":"GET_DEVICE_TIME","number":2}}"#,
        #"{"fault":"push","push":"MSG_WAITING","at":{"phase":"clock"}}"#,
        #"{"fault":"error-answer","error":"BAD_STATE","at":{"answerTo":"SET_ADVERT_NAME"}}"#,
        #"{"fault":"stall","seconds":3,"at":{"after":2}}"#,
        #"{"fault":"end-after","at":{"answerTo":"GET_DEVICE_TIME"}}"#,
        #"{"fault":"reboot","at":{"frame":"GET_DEVICE_TIME"}}"#,
        #"{"fault":"board-off","seconds":5,"at":{"phase":"clock"}}"#,
        #"{"fault":"brown-out","seconds":60,"bytes":3,"at":{"frame":"GET_DEVICE_TIME"}}"#,
    ])
    func `a fault of a file fires at its occasion, at a time, and the run is the same every time`(
        fault: String
    ) throws {
        let without = try Self.played(nil)

        let outcome = try Self.played(fault)

        #expect(outcome.count.hasFired, "\(fault)")
        #expect(outcome.count.first != nil && outcome.count.last != nil)
        #expect(outcome.idle.isEmpty)
        #expect(outcome.answers != without.answers || outcome.hangUps > 0)
        #expect(try Self.played(fault) == outcome)
    }

    @Test(arguments: [
        #"{"fault":"lose","at":{"frame":"CONTACT"}}"#, #"{"fault":"lose","at":{"frame":"CURR_TIME","number":3}}"#,
        #"{"fault":"refuse-connection","at":{"connect":2}}"#,
        #"{"fault":"brown-out","seconds":60,"at":{"frame":"SET_CHANNEL"}}"#,
    ])
    func `a fault whose occasion does not come is idle, and changes nothing`(fault: String) throws {
        let without = try Self.played(nil)

        let outcome = try Self.played(fault)

        #expect(!outcome.count.hasFired)
        #expect(outcome.idle.count == 1 && outcome.idle[0].hasPrefix("link fault of alice, "), "\(outcome.idle)")
        #expect(outcome.answers == without.answers && outcome.digest == without.digest)
    }

    @Test func `a brown-out of a plan takes the power in the write`() throws {
        var bench = Self.bench()
        let fault = #"{"fault":"brown-out","seconds":60,"bytes":3,"at":{"frame":"GET_DEVICE_TIME"}}"#
        for plan in try Self.plans(fault) { try bench.steer { try $0.arm(plan) } }
        bench.connect("alice")
        let alice = bench.node("alice")

        bench.ask("alice", [5])
        #expect(try bench.step(.seconds(1)) == false)
        #expect(bench.driver.world.isUp(alice), "nothing has been written")
        bench.ask("alice", [8, 0x62])
        #expect(try bench.step(.seconds(1)) == false)

        #expect(!bench.driver.world.isUp(alice))
        let effect = bench.driver.linkFaultDemands(of: alice).first?.effects(in: bench.driver.world).first
        #expect(effect?.count.times == 1)
    }

    @Test func `a file that names another node is refused with the nodes that have links`() {
        let problem = #expect(throws: FileProblem.self) {
            try NodeLinkFaults.read(
                Array(#"{"links":[{"node":"carol","faults":[{"fault":"lose"}]}]}"#.utf8), endpoints: ["alice"])
        }

        #expect(problem?.field == "links[0].node")
        #expect(problem?.reason == "there is no link of a node \"carol\" without a plan; there are links of alice")
    }

    // MARK: Refusals

    private static let mixed = LinkFaultPlan([
        PlannedLinkFault(.lose, at: .frame(.contact)), PlannedLinkFault(.bluetooth(BluetoothFault(.mtu(64)))),
        PlannedLinkFault(.bluetooth(BluetoothFault(.mtuLie(told: 517, used: 64)))),
    ])

    @Test func `a plan that is refused arms nothing, and no run is invalid by it`() throws {
        var bench = DriverBench(.pair, .stepped, clients: ["alice"], link: .bluetoothESP32) {
            $0.hasLinkFaults = true
        }
        bench.connect("alice")
        let alice = bench.node("alice")

        let problem = #expect(throws: FileProblem.self) {
            try bench.steer { _ = try $0.give(LinkFaultWish(plan: Self.mixed), to: alice) }
        }

        #expect(problem?.field == "faults[2].fault")
        #expect(bench.driver.bluetoothFaults(of: alice).isEmpty)
        #expect(bench.driver.linkFaultDemands(of: alice).isEmpty && bench.driver.idleLinkFaults.isEmpty)
    }

    @Test func `a fault that was taken back before it fired did nothing, in frames as below them`() throws {
        var bench = DriverBench(.pair, .stepped, clients: ["alice"], link: .bluetoothESP32) {
            $0.hasLinkFaults = true
        }
        bench.connect("alice")
        let alice = bench.node("alice")
        let plan = LinkFaultPlan(Array(Self.mixed.faults.prefix(2)))

        #expect(try bench.steer { try $0.give(LinkFaultWish(plan: plan), to: alice) })
        bench.steer { $0.clearLinkFaults(of: alice) }

        #expect(bench.driver.idleLinkFaults.count == 2)
    }

    @Test func `a refusal names the place that the fault has in the whole plan`() {
        var bench = DriverBench(.pair, .stepped, clients: ["alice"], link: .bluetoothESP32) {
            $0.hasLinkFaults = true
        }
        bench.connect("alice")
        let alice = bench.node("alice")
        let plan = LinkFaultPlan([Self.mixed.faults[1], PlannedLinkFault(.wrongLength(by: 1))])

        let problem = #expect(throws: FileProblem.self) {
            try bench.steer { _ = try $0.give(LinkFaultWish(plan: plan), to: alice) }
        }

        #expect(problem?.field == "faults[1].fault")
        #expect(bench.driver.linkFaultDemands(of: alice).isEmpty)
    }
}
