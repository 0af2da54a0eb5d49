import MeshCompanion
import MeshCrypto

// Keys and signatures (CompanionStatements, CMP-195 to CMP-203).
extension CompanionRadio {
    mutating func handle(_ frame: ExportPrivateKey) {
        guard core.board.allowsPrivateKeyExport else { return sendApart(Resp.Disabled()) }
        sendApart(Resp.PrivateKey(privateKey: core.identity.privateKey))
    }

    /// Sets a new identity.
    ///
    /// Reading the contacts again drops the secrets of the old one, and changes that are not written yet.
    mutating func handle(_ frame: ImportPrivateKey) {
        guard core.board.allowsPrivateKeyImport else { return sendApart(Resp.Disabled()) }
        guard LocalIdentity.isUsable(frame.privateKey) else { return refuse(.illegalArg) }
        let identity = LocalIdentity(privateKey: frame.privateKey)
        guard write(CompanionStorage.fileContent(of: identity), to: CompanionStorage.identityPath) else {
            return refuse(.fileIOError)
        }
        core.identity = identity
        ok()
        CompanionStorage.loadContacts(from: flash, into: &contacts)
    }

    mutating func handle(_ frame: SignStart) {
        send(Resp.SignStart(maxLength: UInt32(SigningSession.limit)))
        signing = SigningSession()
    }

    mutating func handle(_ frame: SignData) {
        guard signing != nil else { return refuse(.badState) }
        if signing?.append(frame.data) == true { ok() } else { refuse(.tableFull) }
    }

    mutating func handle(_ frame: SignFinish) {
        guard let session = signing else { return refuse(.badState) }
        signing = nil
        send(Resp.Signature(signature: core.identity.sign(session.data)))
    }
}
