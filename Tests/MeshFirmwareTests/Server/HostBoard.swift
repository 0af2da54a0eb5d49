import MeshRadio

@testable import MeshFirmware

extension BoardProfile {
    /// The machine on which `infrastructure.json` was recorded: the reference sources, built for a PC.
    static let hostBoard: BoardProfile = {
        var board = BoardProfile(name: "host", model: "Host Board")
        board.platform = .other
        board.packetPoolSize = 32
        board.maxTxPower = 22
        board.txPower = 20
        board.boostsReceiveGain = false
        board.gpsBuild = .absent
        board.batteryMillivolts = 4100
        board.hasOutputs = true
        board.mcuTemperatureTenths = nil
        return board
    }()
}
