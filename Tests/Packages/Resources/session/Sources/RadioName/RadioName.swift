import MeshCore
import MeshTransports

/// Prints the name of the radio at an address.
@main
struct RadioName {
    static func main() async throws {
        let address = try LinkAddress(radio: CommandLine.arguments.dropFirst().first ?? "tcp://127.0.0.1:5000")
        let session = MeshCoreSession(transport: StreamTransport(address), clock: ContinuousClock())
        try await session.start()
        print(await session.currentSelfInfo?.name ?? "")
        await session.stop()
    }
}
