import MeshCompliance
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshTime
import MeshWire

/// A departure of a faulty node from the firmware: the place of it, and the change.
///
/// All of them are outside of the firmware's code: between a sound node and its air, console, files and settings.
enum RoleDefect: Sendable {
    /// Other factory settings, or another board.
    case setup(@Sendable (inout ServerSetup, inout BoardProfile) -> Void)
    /// A frame of the air before the node receives it, with its SNR in hundredths; without bytes it is not received.
    case hearing(@Sendable (_ frame: inout [UInt8], _ snr: inout Int16, FaultContext) -> Void)
    /// A frame that the node sends; without bytes it is not sent.
    case sending(@Sendable (inout [UInt8], FaultContext) -> Void)
    /// Frames that come later than they should.
    case late(@Sendable (SentBytes) -> Bool, TimeSpan)
    /// Frames that should not come at all, each with its delay, upon a frame that the node hears.
    case extra(@Sendable (_ heard: [UInt8], FaultContext) -> [(after: TimeSpan, frame: [UInt8])])
    /// A line of the console before the node reads it.
    case typed(@Sendable (inout String, FaultContext) -> Void)
    /// The answer to a line of the console.
    case answered(@Sendable (_ line: String, _ answer: inout String) -> Void)
    /// The node after a pass; `before` is the node as it was.
    case passed(@Sendable (_ node: inout any InfrastructureNode, _ before: any InfrastructureNode) -> Void)
    /// The files at a restart.
    case restarted(@Sendable (inout Flash) -> Void)
}

/// The state that a fault may read.
struct FaultContext {
    let node: any InfrastructureNode
    /// Frames that the node has received before, oldest first.
    let heard: [[UInt8]]

    var key: [UInt8] { node.publicKey.array }

    /// The type of a client's request; `nil` where it cannot be read.
    func type(ofRequest parts: SentBytes) -> UInt8? {
        guard parts.payload.count > 2 else { return nil }
        return open([UInt8](parts.payload.dropFirst(2)), with: parts.payload[1])?.plaintext[at: 4]
    }

    /// The bytes that were sealed between the node and a client whose key begins with `hash`, and their secret.
    fileprivate func open(_ sealed: [UInt8], with hash: UInt8) -> (plaintext: [UInt8], secret: SharedSecret)? {
        for client in RoleProbe.clients where client.hash == hash {
            let secret = node.core.identity.sharedSecret(with: client.identity.publicKey)
            if let plaintext = Sealing.open(sealed, secret: secret) { return (plaintext, secret) }
        }
        return nil
    }
}

// How the list of mutants speaks of packets.
extension RoleDefect {
    /// Packets of a type are sent with other bytes.
    static func packet(_ type: PayloadType, _ change: @escaping @Sendable (inout SentBytes) -> Void) -> RoleDefect {
        .sending { frame, _ in
            guard var parts = SentBytes(frame), parts.type == type else { return }
            change(&parts)
            frame = parts.bytes
        }
    }

    /// Packets that fit are not sent.
    static func lost(_ fits: @escaping @Sendable (SentBytes) -> Bool) -> RoleDefect {
        .sending { frame, _ in if let parts = SentBytes(frame), fits(parts) { frame = [] } }
    }

    /// The bytes sealed for a client are others; of a returned path, those that it carries behind their type.
    static func sealed(_ types: Set<PayloadType>, _ change: @escaping @Sendable (inout [UInt8]) -> Void) -> RoleDefect {
        .sending { frame, context in
            guard var parts = SentBytes(frame), types.contains(parts.type), let hash = parts.payload.first,
                let opened = context.open([UInt8](parts.payload.dropFirst(2)), with: hash)
            else { return }
            var plaintext = opened.plaintext
            if parts.type == .path {
                let head = 2 + PathLength(rawValue: plaintext[0]).byteCount
                var extra = [UInt8](plaintext.dropFirst(head))
                change(&extra)
                plaintext = [UInt8](plaintext.prefix(head)) + extra
            } else {
                change(&plaintext)
            }
            parts.payload = [UInt8](parts.payload.prefix(2)) + Sealing.seal(plaintext, secret: opened.secret)
            frame = parts.bytes
        }
    }

    /// The answers to logins and requests are others, whatever carries them.
    static func answer(_ change: @escaping @Sendable (inout [UInt8]) -> Void) -> RoleDefect {
        sealed([.response, .path], change)
    }

    /// The bytes that a client sealed are read as others.
    static func misread(_ type: PayloadType, _ change: @escaping @Sendable (inout [UInt8]) -> Void) -> RoleDefect {
        .hearing { frame, _, context in
            guard var parts = SentBytes(frame), parts.type == type, parts.payload.first == context.key[0] else {
                return
            }
            let head = type == .anonReq ? 33 : 2
            let hash = parts.payload.count > head ? parts.payload[1] : 0
            guard let opened = context.open([UInt8](parts.payload.dropFirst(head)), with: hash) else { return }
            var plaintext = opened.plaintext
            change(&plaintext)
            parts.payload = [UInt8](parts.payload.prefix(head)) + Sealing.seal(plaintext, secret: opened.secret)
            frame = parts.bytes
        }
    }

    /// Floods that fit are forwarded although they should not be.
    static func forwards(_ fits: @escaping @Sendable (SentBytes, FaultContext) -> Bool) -> RoleDefect {
        .extra { heard, context in
            guard var parts = SentBytes(heard), parts.isFlood, fits(parts, context) else { return [] }
            let size = Int(parts.pathLength >> 6) + 1
            parts.path += context.key.prefix(size)
            parts.pathLength &+= 1
            return [(.milliseconds(100), parts.bytes)]
        }
    }

    /// A console's answer to lines with this beginning is another one.
    static func answers(_ line: String, _ change: @escaping @Sendable (inout String) -> Void) -> RoleDefect {
        .answered { typed, answer in if typed.hasPrefix(line) { change(&answer) } }
    }
}
