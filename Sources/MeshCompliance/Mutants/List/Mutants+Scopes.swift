import MeshCompanion
import MeshFirmware
import MeshWire

// Flood scopes, in section F of the suite.
extension Mutant {
    static let scopes: [Mutant] = [
        Mutant(
            "no-scope-in-48-bytes", .length, [74], "Without a default scope 48 bytes come, 47 of them zero.",
            .reply(Resp.DefaultFloodScope.self) {
                if $0.scope == nil { $0.scope = FloodScope(name: FixedBytes(), key: FixedBytes()) }
            }),
        Mutant(
            "scope-without-name", .lax, [75], "A default scope without a name is answered with OK.",
            .error(of: .setDefaultFloodScope) { bytes, _ in bytes = Resp.OK().encoded() }),
        Mutant(
            "short-scope-refused", .strict, [76], "A SET_DEFAULT_FLOOD_SCOPE that is too short is refused.",
            .refuses(.setDefaultFloodScope, with: .unsupportedCmd) { 2..<48 ~= $0.count }),
        Mutant(
            "default-scope-uncleared", .kept, [76], "The default scope cannot be cleared.",
            .executed(.setDefaultFloodScope) { radio, before in
                guard radio.preferences.scopeKey.isZero else { return }
                radio.preferences = before.preferences
            }),
        Mutant(
            "unscoped-means-default", .stale, [78], "Un-scoped floods carry the default scope.",
            .executed(.setFloodScopeKey) { radio, _ in
                if radio.floodScope.isUnscoped { radio.floodScope = FloodScopeRule() }
            }),
        Mutant(
            "unscoped-stays", .kept, [78], "A session scope does not end un-scoped floods.",
            .executed(.setFloodScopeKey) { radio, before in
                if before.floodScope.isUnscoped { radio.floodScope.isUnscoped = true }
            }),
        Mutant(
            "scope-code-swapped", .byteOrder, [78, 80], "Transport codes are sent with their high byte first.",
            .packet { bytes in
                guard var sent = SentBytes(bytes), sent.codes.count == 4 else { return }
                sent.codes.swapAt(0, 1)
                bytes = sent.bytes
            }),
        Mutant(
            "scope-subtype-two", .lax, [79], "Scope sub-type 2 is taken for un-scoped.",
            .misread(.setFloodScopeKey) { frame in if frame.count > 1, frame[1] == 2 { frame[1] = 1 } }),
        Mutant(
            "short-session-key", .lax, [79], "A session key of 15 bytes is padded.",
            .misread(.setFloodScopeKey) { frame in if frame.count == 17 { frame.append(0) } }),
        Mutant(
            "advert-in-session-scope", .air, [80], "A self advert carries the session scope.",
            .command(.sendSelfAdvert) { _, radio in
                if !radio.floodScope.session.isZero { radio.preferences.scopeKey = radio.floodScope.session }
                return .executed
            },
            .executed(.sendSelfAdvert) { radio, before in radio.preferences = before.preferences }),
        Mutant(
            "session-scope-lost-at-reconnect", .lost, [81], "A new connection ends the session scope.",
            .linkChanged { radio, _, _ in radio.floodScope = FloodScopeRule() }),
    ]
}
