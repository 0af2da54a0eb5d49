import MeshBoards
import MeshEmulator
import MeshSimulator
import MeshTransports
import Testing

@testable import MeshCompliance

/// Radios of a bench behind sockets and terminals, on the time of a rig.
@Suite(.serialized) struct BenchSystemTests {
    @Test(arguments: ["twin", "socket", "terminal"])
    func `a test holds a radio of the bench against the protocol`(_ label: String) throws {
        let bench = Bench {
            Radio("twin", .emulator)
            Radio("socket", "emulator+tcp")
            Radio("terminal", "emulator+pty")
        }

        let report = try ComplianceRun(target: bench[label], only: Selection("50-56")).perform()

        #expect(report.target == label)
        #expect(report.kept == 7)
        #expect(report.exitCode == 0)
    }

    @Test func `a radio on a rig is had through it`() throws {
        let rig = try Rig.start(.init())
        defer { rig.stop() }
        let bench = Bench {
            for endpoint in rig.endpoints {
                Radio("\(endpoint.endpoint)", Target(endpoint.endpoint.dialed), rig: rig.control)
            }
        }

        #expect(bench.labels.count == 2)
        for label in bench.labels {
            let report = try ComplianceRun(target: bench[label], only: Selection("CMP-001,CMP-010,CMP-102")).perform()
            #expect(report.kept == 3, "\(report.text())")
        }
    }

    @Test func `a line at a speed that there is not is out of reach`() throws {
        let problem = #expect(throws: ComplianceRun.Problem.self) {
            try ComplianceRun(target: Target(.serial(path: "/dev/null", baud: 1200))).perform()
        }

        #expect(problem?.description == "cannot reach the radio: /dev/null: 1200 baud is none of \(SerialLine.bauds)")
    }
}
