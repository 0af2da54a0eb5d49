import MeshCompanion
import MeshCrypto
import MeshWire

// Channels and flood scopes (CompanionStatements, CMP-074 to CMP-081 and CMP-152 to CMP-158).
extension CompanionRadio {
    /// The name is copied up to its NUL; what stands behind it in the transmit buffer goes along.
    mutating func handle(_ frame: GetChannel) {
        guard let channel = channels[Int(frame.channelIndex)] else { return refuse(.notFound) }
        var name = channel.name
        if core.quirks.contains(.transmitBufferResidue) {
            let end = name.text.count
            for index in (end + 1)..<max(end + 1, name.count) { name[index] = transmitBuffer[2 + index] }
        }
        send(
            Resp.ChannelInfo(
                channelIndex: frame.channelIndex, name: name, secret: FixedBytes(channel.secret.prefix(16))))
    }

    mutating func handle(_ frame: SetChannel) {
        let channel = GroupChannel(name: frame.name.text, secret: SharedSecret(channel: frame.secret))
        guard channels.set(channel, at: Int(frame.channelIndex)) else { return refuse(.notFound) }
        saveChannels()
        ok()
    }

    mutating func handle(_ frame: SetFloodScopeKey) {
        if frame.sub == 0 {
            floodScope.session = frame.key ?? FixedBytes()
            floodScope.isUnscoped = false
        } else if !core.switches.hasUnscopedFloods {
            return refuse(.unsupportedCmd)
        } else {
            floodScope.isUnscoped = true
        }
        ok()
    }

    mutating func handle(_ frame: SetDefaultFloodScope) {
        guard let scope = frame.scope else {
            preferences.scopeName = FixedBytes()
            preferences.scopeKey = FixedBytes()
            savePreferences()
            return ok()
        }
        // A name without a NUL in its field runs on into the key and is too long in any case.
        let name = scope.name.text
        let longest = core.quirks.contains(.scopeNameRunsOn) ? 30 : 31
        guard 1...longest ~= name.count else { return refuse(.illegalArg) }
        for index in 0..<name.count { preferences.scopeName[index] = name.bytes[index] }
        if name.count < preferences.scopeName.count { preferences.scopeName[name.count] = 0 }
        preferences.scopeKey = scope.key
        savePreferences()
        ok()
    }

    mutating func handle(_ frame: GetDefaultFloodScope) {
        guard preferences.scopeName[0] != 0 else { return send(Resp.DefaultFloodScope()) }
        let name =
            core.quirks.contains(.transmitBufferResidue)
            ? preferences.scopeName : FixedBytes(text: preferences.scopeName.text)
        send(Resp.DefaultFloodScope(scope: FloodScope(name: name, key: preferences.scopeKey)))
    }
}
