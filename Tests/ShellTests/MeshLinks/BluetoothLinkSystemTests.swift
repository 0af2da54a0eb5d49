import MeshTestSupport
import NIOCore
import NIOPosix
import Testing

@testable import MeshTransports

/// Dialing a radio over Bluetooth, as far as a controller that is none comes. With radios: `Tests/Bluetooth`.
@Suite struct BluetoothLinkSystemTests {
    private static func address(_ server: TestServer) -> LinkAddress {
        .bluetooth(
            BluetoothRadio(.name("MeshCore-alice"), via: .tcp(host: "127.0.0.1", port: UInt16(server.port)), pin: 1))
    }

    private func dial(_ address: LinkAddress) -> EventLoopFuture<any Channel> {
        LinkDialer.channel(to: address, on: MultiThreadedEventLoopGroup.singleton.any()) { _ in }
    }

    @Test func `a controller that is not there is named`() async throws {
        let server = try TestServer(isListening: false)
        let error = await #expect(throws: LinkError.self) { try await dial(Self.address(server)).get() }

        #expect(error?.description == "Bluetooth controller at 127.0.0.1 port \(server.port): Connection refused")
    }

    @Test func `a controller that hangs up, or is none, ends the attempt, and the next one is made`() async throws {
        let server = try TestServer()
        let hasEnded = "the controller is lost (it has ended the connection); check it and try again"
        let isNone = "it sends what is no packet of a Bluetooth controller"
        for (said, reason) in [([], hasEnded), ([9, 9, 9, 9], isNone), ([], hasEnded)] as [([UInt8], String)] {
            let dialed = dial(Self.address(server))
            var controller: TestClient? = try server.accept()
            // HCI_Reset.
            #expect(controller?.receive(4) == [1, 3, 0x0C, 0])
            controller?.send(said)
            if said.isEmpty { controller = nil }

            let error = await #expect(throws: LinkError.self) { try await dialed.get() }

            #expect(error?.reason.contains(reason) == true)
            #expect(error?.description.hasPrefix("MeshCore-alice over Bluetooth: ") == true)
        }
    }
}
