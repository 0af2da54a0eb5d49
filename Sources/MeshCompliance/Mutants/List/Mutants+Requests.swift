import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshTime
import MeshWire

// Section K: logins, connections, requests and their answers.
extension Mutant {
    static let logins: [Mutant] = [
        Mutant(
            "login-tag-is-time", .reply, [159, 161], "SENT of a login carries the time.",
            .seenReply(Resp.Sent.self) { frame, context in
                if context.radio.command == .sendLogin { frame.tag = context.radio.core.unixTime }
            }),
        Mutant(
            "password-of-14", .offByOne, [160], "A password is cut at 14 bytes.",
            .misread(.sendLogin) { frame in frame = [UInt8](frame.prefix(1 + 32 + 14)) }),
        Mutant(
            "room-login-without-since", .length, [160], "A login to a room does not say since when.",
            .plaintext(.anonReq) { text, radio in
                guard radio.command == .sendLogin,
                    let index = radio.contacts.index(of: PublicKey(radio.receiveBuffer[1..<33])),
                    radio.contacts[index].type == .room
                else { return }
                text.removeSubrange(4..<8)
            }),
        Mutant(
            "login-success-short", .length, [161], "LOGIN_SUCCESS ends behind the key.",
            .bytes(of: Push.LoginSuccess.self) { bytes, _ in bytes = [UInt8](bytes.prefix(8)) }),
        Mutant(
            "login-success-again", .doubled, [161], "Every answer of a node that let us in is a new LOGIN_SUCCESS.",
            .meshed { radio, before in radio.pending = before.pending }),
        Mutant(
            "login-permissions-swapped", .byteOrder, [161], "LOGIN_SUCCESS has the two permission bytes swapped.",
            .reply(Push.LoginSuccess.self) { frame in
                if let list = frame.aclPermissions {
                    frame.aclPermissions = frame.permissions
                    frame.permissions = list
                }
            }),
        Mutant(
            "login-failure-untold", .missing, [162, 235], "LOGIN_FAIL is not sent.", .lost(Push.LoginFail.self)),
        Mutant(
            "login-failure-as-success", .reply, [162, 235], "A login that failed is reported as LOGIN_SUCCESS.",
            .bytes(of: Push.LoginFail.self) { bytes, _ in bytes[0] = PushCode.loginSuccess.rawValue }),
        Mutant(
            "connection-expires", .lost, [175], "A connection ends after five minutes.",
            .command(.hasConnection) { _, radio in
                if radio.core.uptimeSeconds > 300 { radio.connections = Connections() }
                return .executed
            }),
        Mutant(
            "logout-ignored", .kept, [175], "LOGOUT leaves the connection.",
            .executed(.logout) { radio, before in radio.connections = before.connections }),
        Mutant(
            "logout-of-stranger", .strict, [175], "LOGOUT from a node without connection is NOT_FOUND.",
            .command(.logout) { frame, radio in
                radio.connections.contains(PublicKey(frame.dropFirst().prefix(32))) ? .executed : .refused(.notFound)
            }),
        Mutant(
            "connection-at-login", .kept, [175], "Every contact that is asked for counts as connected.",
            .error(of: .hasConnection) { bytes, _ in bytes = Resp.OK().encoded() }),
    ]

    static let requests: [Mutant] = answers + openRequests + toStrangers

    private static let answers: [Mutant] = [
        Mutant(
            "status-with-tag", .length, [163], "STATUS_RESPONSE begins with four zeros where the tag was.",
            .reply(Push.StatusResponse.self) { $0.data.insert(contentsOf: [0, 0, 0, 0], at: 0) }),
        Mutant(
            "status-as-telemetry", .reply, [163], "A status answer is pushed as telemetry.",
            .bytes(of: Push.StatusResponse.self) { bytes, _ in bytes[0] = PushCode.telemetryResponse.rawValue }),
        Mutant(
            "telemetry-of-own-key", .reply, [164, 170], "TELEMETRY_RESPONSE names the radio itself.",
            .seenReply(Push.TelemetryResponse.self) {
                $0.publicKeyPrefix = FixedBytes($1.radio.core.publicKey.prefix(6))
            }),
        Mutant(
            "binary-without-tag", .reply, [165, 172], "BINARY_RESPONSE carries 0 for the tag.",
            .reply(Push.BinaryResponse.self) { $0.tag = 0 }),
        Mutant(
            "binary-tag-swapped", .byteOrder, [165, 172], "BINARY_RESPONSE has the first byte of the tag last.",
            .reply(Push.BinaryResponse.self) { $0.tag = $0.tag.byteSwapped }),
        Mutant(
            "binary-of-150", .limit, [179], "BINARY_RESPONSE is cut at 150 bytes of data.",
            .reply(Push.BinaryResponse.self) { $0.data = [UInt8]($0.data.prefix(150)) }),
        Mutant(
            "answers-late", .late, [161, 163, 165], "Answers of other nodes reach the app six seconds late.",
            .late(Push.BinaryResponse.self, .seconds(6)), .late(Push.StatusResponse.self, .seconds(6)),
            .late(Push.LoginSuccess.self, .seconds(6))),
        Mutant(
            "request-without-random", .air, [163], "A request ends with zeros where random bytes belong.",
            .plaintext(.req) { data, _ in
                if data.count == 13 { data = [UInt8](data.prefix(9)) + [0, 0, 0, 0] }
            }),
        Mutant(
            "request-type-zero", .air, [163, 164], "A request asks for nothing.",
            .plaintext(.req) { data, _ in if data.count > 4 { data[4] = 0 } }),
        Mutant(
            "discovery-swapped", .byteOrder, [168, 169], "PATH_DISCOVERY_RESPONSE has the way in before the way out.",
            .reply(Push.PathDiscoveryResponse.self) {
                swap(&$0.outPathLength, &$0.inPathLength)
                swap(&$0.outPath, &$0.inPath)
            }),
        Mutant(
            "discovery-stores-path", .kept, [168, 169], "A discovered path becomes the contact's.",
            .executed(.sendPathDiscoveryReq) { radio, _ in radio.mutation.note = [1] },
            .meshed { radio, before in
                guard radio.mutation.note == [1], radio.mutation.history.last?.first == 0x8D else { return }
                radio.changeContacts { contact in
                    contact.outPathLength = PathLength(hashSize: 1, hops: 2)
                    contact.outPath[0] = 0xAA
                }
            }),
        Mutant(
            "discovery-says-direct", .reply, [168, 247], "SENT of a path discovery says direct.",
            .seenReply(Resp.Sent.self) { if $1.radio.command == .sendPathDiscoveryReq { $0.route = 0 } }),
        Mutant(
            "answer-before-path", .order, [170], "PATH_UPDATED comes behind the answer in the same packet.",
            .overtaken(Push.PathUpdated.self)),
    ]

    private static let openRequests: [Mutant] = [
        Mutant(
            "login-keeps-request", .kept, [166], "A login leaves the pending request open.",
            .executed(.sendLogin) { radio, before in radio.pending = before.pending }),
        Mutant(
            "discovery-keeps-request", .kept, [166], "A path discovery leaves the pending request open.",
            .executed(.sendPathDiscoveryReq) { radio, before in radio.pending = before.pending }),
        Mutant(
            "text-cancels-request", .lost, [167], "A text cancels the pending request.",
            .executed(.sendTxtMsg) { radio, _ in radio.pending = PendingRequests() }),
        Mutant(
            "refused-request-cancels", .lost, [167], "A request to an unknown key cancels the pending one.",
            .executed(.sendBinaryReq) { radio, _ in
                let key = PublicKey(radio.receiveBuffer[1..<33])
                if radio.contacts.index(of: key) == nil { radio.pending = PendingRequests() }
            }),
        Mutant(
            "tags-repeat", .stale, [176], "Requests within a second have the same tag.",
            .executed(.sendStatusReq) { radio, before in radio.core.clock = before.core.clock }),
        Mutant(
            "tags-in-steps-of-two", .offByOne, [176, 245], "Each tag is two more than the last.",
            .command(.sendStatusReq) { _, radio in
                _ = radio.core.uniqueTime()
                return .executed
            }),
    ]

    private static let toStrangers: [Mutant] = [
        Mutant(
            "request-to-nobody-ok", .lax, [171], "A status request to an unknown key is answered with SENT.",
            .error(of: .sendStatusReq) { bytes, _ in bytes = Resp.Sent().encoded() }),
        Mutant(
            "anonymous-needs-contact", .strict, [172, 174], "An anonymous request to an unknown key is NOT_FOUND.",
            .command(.sendAnonReq) { frame, radio in
                radio.contacts.index(of: PublicKey(frame.dropFirst().prefix(32))) == nil
                    ? .refused(.notFound) : .executed
            }),
        Mutant(
            "anonymous-becomes-contact", .kept, [172, 226], "A node that is asked anonymously becomes a contact.",
            .executed(.sendAnonReq) { radio, _ in
                let key = PublicKey(radio.receiveBuffer[1..<33])
                guard let index = radio.contacts.index(of: key), index < ContactSlots.transientSlots else { return }
                var contact = radio.contacts[index]
                contact.type = .chat
                if radio.add(contact) != nil { radio.contacts[index] = Contact() }
            }),
        Mutant(
            "anonymous-of-131", .offByOne, [173], "An anonymous request has at most 131 bytes.",
            .refuses(.sendAnonReq, with: .tableFull) { $0.count > 1 + 32 + 131 }),
        Mutant(
            "anonymous-empty", .lax, [173], "An anonymous request may be empty.",
            .misread(.sendAnonReq) { frame in if frame.count == 33 { frame.append(0) } }),
        Mutant(
            "newest-transient-replaced", .order, [174], "A ninth transient contact replaces the newest.",
            .command(.sendAnonReq) { frame, radio in
                let slots = 0..<ContactSlots.transientSlots
                if slots.allSatisfy({ !radio.contacts[$0].publicKey.isZero }),
                    let newest = slots.max(by: { radio.contacts[$0].lastModified < radio.contacts[$1].lastModified })
                {
                    radio.contacts[newest].lastModified = 0
                }
                return .executed
            }),
    ]
}
