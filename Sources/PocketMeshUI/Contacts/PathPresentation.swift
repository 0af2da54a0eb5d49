import FoundationEssentials
import MeshPacket
import PocketMeshServices

/// One hop of a path: the beginning of a repeater's key.
public struct PathHop: Codable, Sendable, Hashable {
    /// The bytes of the path, in hex: one, two or three.
    public var key: String
    /// The name of the only repeater or room of the contacts whose key begins so; else `nil`.
    public var name: String?

    /// The hop of these digits.
    public init(key: String, name: String? = nil) {
        self.key = key
        self.name = name
    }

    /// The path of a contact; `nil` while none is known.
    static func split(_ contact: ContactDTO) -> [PathHop]? {
        guard case .path(let size, _) = contact.routing else { return nil }
        return split(contact.outPath, size: size)
    }

    static func split(_ path: Data, size: Int) -> [PathHop] {
        let bytes = Array(path)
        return stride(from: 0, to: bytes.count - bytes.count % max(1, size), by: max(1, size)).map {
            PathHop(key: Measures.hex(bytes[$0..<($0 + max(1, size))]))
        }
    }

    /// Names the hops by the contacts that can relay.
    static func named(_ hops: [PathHop], by contacts: [ContactDTO]) -> [PathHop] {
        let relays = contacts.filter { $0.type == .repeater || $0.type == .room }
        return hops.map { hop in
            PathHop(
                key: hop.key, name: relays.only { Measures.hex($0.publicKey).hasPrefix(hop.key) }?.displayName)
        }
    }
}

/// The result of the search for a path.
public enum PathDiscoveryResult: Codable, Sendable, Hashable {
    /// A path was found, with these numbers of hops there and back.
    case success(outHops: Int, inHops: Int)
    /// The search ended without an answer in time.
    case noPathFound
    /// The request failed.
    case failed(ErrorPresentation)

    /// The text for users.
    public var text: String {
        switch self {
        case .success(let out, let back):
            Texts.string(.pathFound, Texts.counted(out, .routeHops), Texts.counted(back, .routeHops))
        case .noPathFound: Texts.string(.pathNotFound)
        case .failed(let error): error.message
        }
    }
}
