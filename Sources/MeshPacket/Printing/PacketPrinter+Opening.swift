import MeshCrypto
import MeshWire

extension PacketPrinter {
    /// Tries the keys whose hashes fit, in the order given, and lists the content.
    func open(_ view: PacketView, in printed: inout PrintedPacket) {
        guard let (opened, name) = firstOpening(view) else { return }
        printed.openedBy = name
        do {
            printed.plaintext = try Self.fields(of: opened.bytes, in: view.type)
        } catch {
            printed.notes.append("the plaintext makes no sense: \(error)")
        }
    }

    private func firstOpening(_ view: PacketView) -> (OpenedPayload, String)? {
        if let hash = view.channelHash {
            for channel in channels where MeshHash.channelHash(secret: channel.secret) == hash {
                if let opened = view.opened(with: channel.secret) { return (opened, channel.name) }
            }
            return nil
        }
        for identity in identities {
            for peer in candidates(for: view, with: identity) {
                guard let opened = view.opened(with: identity.sharedSecret(with: peer)) else { continue }
                return (opened, "\(identity.publicKey.prefix(4).hex) with \(peer.prefix(4).hex)")
            }
        }
        return nil
    }

    /// The nodes that may be at the other end, when this identity is at one.
    private func candidates(for view: PacketView, with identity: LocalIdentity) -> [PublicKey] {
        guard let destination = view.destinationHash else { return [] }
        if view.type == .anonReq {
            guard view.payloadCount >= 33 else { return [] }
            let sender = view.withPayload { PublicKey(UnsafeRawBufferPointer(rebasing: $0[1..<33])) }
            if identity.publicKey[0] == destination { return [sender] }
            return sender == identity.publicKey ? known.filter { $0[0] == destination } : []
        }
        guard let source = view.sourceHash else { return [] }
        var others: [PublicKey] = []
        if identity.publicKey[0] == destination { others += known.filter { $0[0] == source } }
        if identity.publicKey[0] == source { others += known.filter { $0[0] == destination } }
        return others
    }

    private var known: [PublicKey] { peers + identities.map(\.publicKey) }

    private static func fields(of plaintext: [UInt8], in type: PayloadType) throws(FrameError) -> [PrintedField] {
        switch type {
        case .txtMsg:
            let isSigned = plaintext.count > 4 && TextType(rawValue: plaintext[4] >> 2) == .signedPlain
            return try printed(TextPlaintext.self, unpadded(plaintext, keeping: isSigned ? 9 : 5))
        case .grpTxt: return try printed(GroupTextPlaintext.self, unpadded(plaintext, keeping: 5))
        case .grpData: return try printed(GroupDataPlaintext.self, plaintext)
        case .req: return try printed(RequestPlaintext.self, plaintext)
        case .response: return try printed(ResponsePlaintext.self, plaintext)
        case .path: return try printed(PathReturnPlaintext.self, plaintext)
        case .anonReq:
            // The byte behind the time tells a question from a login; whether a login is to a room it does not tell.
            let isQuestion = plaintext.count > 4 && 1...3 ~= plaintext[4]
            return isQuestion
                ? try printed(AnonymousQueryPlaintext.self, plaintext)
                : try printed(LoginPlaintext.self, unpadded(plaintext, keeping: 4))
        default: return []
        }
    }

    private static func printed<G: FieldGroup>(_ type: G.Type, _ bytes: [UInt8]) throws(FrameError) -> [PrintedField] {
        let traced = bytes.withUnsafeBytes { G.traced($0) }
        if let failure = traced.failure { throw failure }
        return traced.fields
    }

    /// Without the zeros of the last block, so that text prints as text.
    private static func unpadded(_ plaintext: [UInt8], keeping count: Int) -> [UInt8] {
        let end = plaintext.lastIndex { $0 != 0 } ?? -1
        return [UInt8](plaintext.prefix(max(count, end + 1)))
    }
}
