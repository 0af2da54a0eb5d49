package import MeshCrypto
import MeshWire

/// The files that infrastructure nodes of all roles keep. Source: InfrastructureNodes, "Files and preferences".
package enum ServerFiles {
    /// Public key, then private key; on boards with a file system of folders in one of its own.
    static let identity = "/identity/_main.id"
    /// Lines of packets received and sent, while logging is on.
    static let packetLog = "/packet_log"

    static func identityBytes(_ identity: LocalIdentity) -> [UInt8] {
        identity.publicKey.array + identity.privateKey.array
    }

    /// Puts an identity where a node finds it at its next start.
    package static func store(_ identity: LocalIdentity, in flash: inout Flash) {
        _ = flash.write(identityBytes(identity), to: Self.identity)
    }

    /// The identity in a file of 96 bytes; `nil` when there is none or a shorter one.
    static func identity(in flash: Flash) -> LocalIdentity? {
        guard let bytes = flash[identity], bytes.count >= 96 else { return nil }
        return LocalIdentity(privateKey: ExpandedPrivateKey(bytes[32..<96]))
    }
}
