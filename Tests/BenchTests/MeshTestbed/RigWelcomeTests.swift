import MeshBoards
import MeshEmulator
import MeshFirmware
import MeshSimulator
import MeshTransports
import Testing

@testable import MeshCompliance

/// The addresses of radios, as rigs name them.
@Suite struct RigWelcomeTests {
    private func welcome(_ addresses: String...) -> RigWelcome {
        RigWelcome(board: .heltecV3, endpoints: addresses.map { RigEndpoint(links: [.wifi], address: $0) })
    }

    @Test func `a rig says where its radio is`() throws {
        #expect(
            try welcome("tcp://127.0.0.1:5000", "pty:./a.tty").addresses() == [
                .tcp(host: "127.0.0.1", port: 5000), .serial(path: "./a.tty"),
            ])
    }

    @Test(arguments: [33, 513])
    func `an answer that is nested too deep makes no sense`(levels: Int) {
        let error = #expect(throws: TargetError.self) {
            try RigConnection.reply(in: [UInt8](repeating: UInt8(ascii: "["), count: levels))
        }

        #expect(error?.description.contains("an answer makes no sense") == true)
    }

    @Test func `an address that cannot be read is an error, not left out`() {
        let error = #expect(throws: TargetError.self) { try welcome("tcp://127.0.0.1:5000", "usb:1").addresses() }

        #expect(
            error?.description
                == "the rig is gone: its address \"usb:1\": expected tcp://HOST:PORT or pty:PATH")
    }
}
