import MeshCore
import PocketMeshServices
import PocketMeshUI

/// Prints the number of conversations of an app that was never connected.
@main
struct ChatCount {
    /// Links of an app that has none.
    private struct NoLinks: TransportMaking {
        func transport(to endpoint: RadioEndpoint) async throws -> any MeshTransport {
            throw MeshTransportError.deviceNotFound("\(endpoint)")
        }
    }

    static func main() async throws {
        let app = try AppState.open(AppState.Setup(transports: NoLinks(), dependencies: .real()))
        try await app.initialize()
        let chats = ChatListViewModel()
        chats.configure(appState: app)
        await chats.load()
        print(chats.rows.count)
    }
}
