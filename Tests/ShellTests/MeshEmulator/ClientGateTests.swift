import MeshTime
import Testing

@testable import MeshEmulator

/// The passing of time that waits for clients, drawn on virtual time: the gate has no clock.
@Suite struct ClientGateTests {
    private static func rules(clients: Int = 1) -> ClientGate.Rules {
        var rules = ClientGate.Rules()
        rules.quiet = .milliseconds(50)
        rules.patience = .seconds(5)
        rules.clients = clients
        return rules
    }

    /// A gate with so many clients that have come at 0 and been heard.
    private func gate(_ ports: Int, clients: Int = 1) -> ClientGate {
        var gate = ClientGate(Self.rules(clients: clients), ports: ports)
        for port in 0..<ports {
            gate.look(port, isPresent: true, hasInput: true, isBehind: false, at: .zero)
            gate.took(port, at: .zero)
        }
        return gate
    }

    @Test func `time stands still until a client is there, and has been quiet`() {
        var gate = ClientGate(Self.rules(), ports: 1)
        #expect(!gate.letsTimePass(at: .seconds(100)))
        #expect(gate.deadline(after: .seconds(100)) == nil)

        gate.look(0, isPresent: true, hasInput: false, isBehind: false, at: .seconds(100))

        #expect(!gate.letsTimePass(at: .seconds(100) + .milliseconds(49)))
        #expect(gate.deadline(after: .seconds(100)) == .seconds(100) + .milliseconds(50))
        #expect(gate.letsTimePass(at: .seconds(100) + .milliseconds(50)))
    }

    @Test func `a client that its board cannot take is not waited for until the board is back`() {
        var gate = gate(1)
        let gone = TimeSpan.seconds(1)
        gate.look(0, isPresent: false, hasInput: false, isBehind: false, at: gone)
        #expect(!gate.letsTimePass(at: .seconds(100)))

        // Only time switches it on again.
        gate.look(0, isPresent: false, hasInput: false, isBehind: false, isDown: true, at: .seconds(100))
        #expect(gate.letsTimePass(at: .seconds(100)))

        gate.look(0, isPresent: false, hasInput: false, isBehind: false, at: .seconds(101))
        #expect(!gate.letsTimePass(at: .seconds(200)))
    }

    @Test func `a world that needs no client runs without one, and waits for one that comes`() {
        var gate = ClientGate(Self.rules(clients: 0), ports: 1)
        #expect(gate.letsTimePass(at: .zero))

        gate.look(0, isPresent: true, hasInput: true, isBehind: false, at: .seconds(1))

        #expect(!gate.letsTimePass(at: .seconds(1)))
        #expect(gate.takesInputs(at: .seconds(1)))
    }

    @Test func `the input of the only client is taken at once, and each byte of either side delays time`() {
        var gate = gate(1)

        gate.look(0, isPresent: true, hasInput: true, isBehind: false, at: .milliseconds(30))
        #expect(gate.takesInputs(at: .milliseconds(30)))
        gate.took(0, at: .milliseconds(30))
        gate.sent(0, at: .milliseconds(70))

        #expect(!gate.takesInputs(at: .milliseconds(71)))
        #expect(!gate.letsTimePass(at: .milliseconds(80)))
        #expect(!gate.letsTimePass(at: .milliseconds(119)))
        #expect(gate.letsTimePass(at: .milliseconds(120)))
    }

    @Test func `what two clients answer goes in together, when both have answered`() {
        var gate = gate(2)
        gate.sent(0, at: .milliseconds(100))
        gate.sent(1, at: .milliseconds(100))

        gate.look(1, isPresent: true, hasInput: true, isBehind: false, at: .milliseconds(103))
        #expect(!gate.takesInputs(at: .milliseconds(103)))
        gate.look(0, isPresent: true, hasInput: true, isBehind: false, at: .milliseconds(109))

        #expect(gate.takesInputs(at: .milliseconds(109)))
    }

    @Test func `who has nothing to answer delays the others until the quiet time is over, and no longer`() {
        var gate = gate(2)
        gate.sent(0, at: .milliseconds(100))
        gate.sent(1, at: .milliseconds(100))

        gate.look(1, isPresent: true, hasInput: true, isBehind: false, at: .milliseconds(103))

        #expect(!gate.takesInputs(at: .milliseconds(149)))
        #expect(gate.deadline(after: .milliseconds(103)) == .milliseconds(150))
        #expect(gate.takesInputs(at: .milliseconds(150)))
        gate.took(1, at: .milliseconds(150))
        gate.sent(1, at: .milliseconds(150))
        gate.look(1, isPresent: true, hasInput: true, isBehind: false, at: .milliseconds(152))
        #expect(gate.takesInputs(at: .milliseconds(152)))
    }

    @Test func `a client that does not read stops time for its patience, and then no more`() {
        var gate = gate(1)
        gate.sent(0, at: .seconds(1))
        gate.look(0, isPresent: true, hasInput: false, isBehind: true, at: .seconds(1))

        #expect(!gate.letsTimePass(at: .seconds(5)))
        #expect(!gate.allHaveBytes(at: .seconds(5)))
        #expect(!gate.isGivenUp(0, at: .seconds(5)))
        #expect(gate.deadline(after: .seconds(5)) == .seconds(6))
        #expect(gate.isGivenUp(0, at: .seconds(6)))
        #expect(gate.letsTimePass(at: .seconds(6)))
        #expect(gate.allHaveBytes(at: .seconds(6)))

        gate.look(0, isPresent: true, hasInput: false, isBehind: false, at: .seconds(8))
        #expect(!gate.isGivenUp(0, at: .seconds(8)))
    }

    @Test func `a client that has gone is waited for no more, whatever it left unread`() {
        var gate = gate(2)
        gate.sent(0, at: .seconds(1))
        gate.look(0, isPresent: true, hasInput: false, isBehind: true, at: .seconds(1))

        gate.look(0, isPresent: false, hasInput: true, isBehind: true, at: .seconds(2))
        #expect(gate.takesInputs(at: .seconds(2)))
        gate.took(0, at: .seconds(2))

        #expect(gate.letsTimePass(at: .seconds(2)))
    }

    @Test func `an answer within the quiet time is prompted, and a word while time passes is not`() {
        var gate = gate(1)
        gate.timePassed()
        gate.sent(0, at: .seconds(1))
        gate.look(0, isPresent: true, hasInput: true, isBehind: false, at: .seconds(1) + .milliseconds(20))
        gate.took(0, at: .seconds(1) + .milliseconds(20))
        #expect(gate.unpromptedInputs == 0)

        gate.timePassed()
        gate.look(0, isPresent: true, hasInput: true, isBehind: false, at: .seconds(2))

        #expect(gate.unpromptedInputs == 1)
    }

    @Test func `what a node has no room for does not stop time, and is prompted when there is room`() {
        var gate = gate(1)
        gate.look(0, isPresent: true, hasInput: true, hasRoom: false, isBehind: false, at: .milliseconds(10))

        #expect(!gate.takesInputs(at: .milliseconds(10)))
        #expect(gate.letsTimePass(at: .milliseconds(50)))
        gate.timePassed()
        gate.look(0, isPresent: true, hasInput: true, hasRoom: true, isBehind: false, at: .milliseconds(51))

        #expect(gate.takesInputs(at: .milliseconds(51)))
        #expect(!gate.letsTimePass(at: .milliseconds(51)))
        #expect(gate.unpromptedInputs == 0)
    }

    @Test func `who comes, speaks or goes while time stands still does so at a known moment`() {
        var gate = gate(2, clients: 2)
        gate.timePassed()
        gate.standStill()
        gate.look(0, isPresent: true, hasInput: true, isBehind: false, at: .seconds(1))
        gate.took(0, at: .seconds(1))
        #expect(gate.unpromptedInputs == 0)

        gate.timePassed()
        gate.look(1, isPresent: false, hasInput: true, isBehind: false, at: .seconds(2))
        gate.took(1, at: .seconds(2))
        #expect(gate.unpromptedInputs == 1)

        // One of two that have to be there is missing: time stands still until it is back.
        gate.look(1, isPresent: true, hasInput: true, isBehind: false, at: .seconds(9))
        #expect(gate.unpromptedInputs == 1)
    }
}
