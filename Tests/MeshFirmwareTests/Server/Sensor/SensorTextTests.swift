import MeshCrypto
import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

@testable import MeshFirmware

/// Texts and commands of sensors.
@Suite struct SensorTextTests {
    private typealias Stage = ServerStage
    private let alice = ServerStage.alice

    private func stage(hasOutputs: Bool = true) -> Stage {
        var board = BoardProfile.vectors
        board.hasOutputs = hasOutputs
        var stage = Stage(.sensor, board: board)
        stage.logIn(alice)
        return stage
    }

    @Test(.proves("INF-186")) func `plain text is ignored as if it had not come`() {
        var stage = stage()
        let before = stage.server.clients
        let stamp = stage.nextStamp()

        let sent = stage.hear(alice.text("ver", at: stamp, to: Stage.key), observing: 5000)

        #expect(sent.isEmpty)
        #expect(stage.server.clients == before)
        #expect(stage.command(alice, "magic", at: stamp) == "**Magic now done**", "its time is still free")
    }

    @Test(.proves("INF-187")) func `a command with the time of the last one is ignored`() {
        var stage = stage()
        let stamp = stage.nextStamp()

        #expect(stage.command(alice, "io 5", at: stamp) == "5")
        #expect(stage.command(alice, "io 6", at: stamp) == nil)
        #expect(stage.command(alice, "io 7", at: stamp - 1) == nil)

        #expect(stage.type("io") == "5")
    }

    @Test(.proves("INF-188")) func `a board without outputs takes the command and reads 0`() {
        var stage = stage(hasOutputs: false)

        #expect(["io 1", "io s2", "io"].map { stage.type($0) } == ["0", "0", "0"])
        #expect(BoardProfile.all.allSatisfy { !$0.hasOutputs })
    }

    @Test(.proves("INF-188")) func `outputs are set, and bits of them set, cleared and toggled`() {
        var stage = stage()

        #expect(["io 5", "io s2", "io r1", "io"].map { stage.type($0) } == ["5", "7", "6", "6"])
        #expect(
            ["io tF", "io xyz", "io0", "iota", "io ffffffff"].map { stage.type($0) }
                == ["9", "0", "0", "0", "ffffffff"])
    }
}
