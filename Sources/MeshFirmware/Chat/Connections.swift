package import MeshCrypto
import MeshWire

/// The keep-alive connections that servers asked for at login.
///
/// Release 1.17.1 neither pings nor expires them: entries live until LOGOUT or reboot (CMP-175).
package struct Connections: Sendable {
    /// `MAX_CONNECTIONS`.
    static let capacity = 16

    private struct Entry {
        var server = PublicKey()
        /// 0 marks a free entry.
        var keepAliveSeconds: UInt32 = 0
    }

    private var entries: [Entry] = []

    package init() {}

    /// Starts a connection or renews it; without effect when the table is full.
    mutating func start(_ server: PublicKey, keepAliveSeconds: UInt32) {
        if entries.isEmpty { entries = Array(repeating: Entry(), count: Self.capacity) }
        var chosen: Int?
        for index in entries.indices {
            if entries[index].keepAliveSeconds == 0 {
                chosen = index
            } else if entries[index].server == server {
                chosen = index
                break
            }
        }
        if let chosen { entries[chosen] = Entry(server: server, keepAliveSeconds: keepAliveSeconds) }
    }

    /// Forgets the first entry of this server, free or not.
    mutating func stop(_ server: PublicKey) {
        guard let index = entries.firstIndex(where: { $0.server == server }) else { return }
        entries[index].keepAliveSeconds = 0
    }

    package func contains(_ server: PublicKey) -> Bool {
        entries.contains { $0.keepAliveSeconds > 0 && $0.server == server }
    }
}
