import MeshFirmware
import Testing

@testable import MeshCompliance

/// Figures that statements expect of a board.
struct BoardFigureTests {
    @Test(
        arguments: [(4200, [0x01, 0xA3]), (4100, [0x01, 0x9A]), (0, [0, 0]), (65_535, [0x19, 0x99])]
            as [(UInt16, [UInt8])])
    func `the voltage is cut as the firmware cuts it`(millivolts: UInt16, bytes: [UInt8]) {
        var board = BoardProfile.heltecV3
        board.batteryMillivolts = millivolts

        #expect(board.volts == bytes)
    }
}
