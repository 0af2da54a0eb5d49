import MeshCompanion
import MeshCrypto
package import MeshPacket
import MeshRadio
import MeshWire

/// The route of a sent packet, and the longest time that its answer may need.
struct SentRoute {
    var isFlood: Bool
    var timeoutMilliseconds: UInt32

    /// The SENT frame.
    func report(tag: UInt32) -> Resp.Sent {
        Resp.Sent(route: isFlood ? 1 : 0, tag: tag, timeout: timeoutMilliseconds)
    }
}

// Originating. Source: OverTheAir, "Originating packets", "Texts and their answers", "Send time-outs" and
// "Companion radio on the air".
extension CompanionRadio {
    // MARK: Creating

    mutating func createDatagram(_ type: PayloadType, to index: Int, _ plaintext: [UInt8]) -> PacketView? {
        let secret = contacts.secret(at: index, identity: core.identity)
        let hash = contacts[index].publicKey[0]
        let plaintext = self.plaintext(plaintext, of: type)
        return plaintext.withUnsafeBytes { core.createDatagram(type, toHash: hash, secret: secret, data: $0) }
    }

    mutating func createAnonymous(to key: PublicKey, secret: SharedSecret, _ plaintext: [UInt8]) -> PacketView? {
        let plaintext = self.plaintext(plaintext, of: .anonReq)
        return plaintext.withUnsafeBytes { core.createAnonymous(toHash: key[0], secret: secret, data: $0) }
    }

    mutating func createGroupDatagram(
        _ type: PayloadType, _ channel: GroupChannel, _ plaintext: [UInt8]
    ) -> PacketView? {
        let plaintext = self.plaintext(plaintext, of: type)
        return plaintext.withUnsafeBytes {
            core.createGroupDatagram(type, channelHash: channel.hash, secret: channel.secret, data: $0)
        }
    }

    /// An advert of this node: a chat node with its name and, if the policy permits, its position.
    package mutating func createSelfAdvert() -> PacketView? { core.createAdvert(advertData) }

    /// The bytes that such an advert has now.
    var advertData: AdvertData {
        let location =
            preferences.advertLocationPolicy == 0
            ? nil : AdvertData.Location(latitude: reportedLatitude, longitude: reportedLongitude)
        return AdvertData(
            type: .chat, location: location, name: preferences.name,
            cutsBetweenCharacters: core.switches.cutsNamesBetweenCharacters)
    }

    // MARK: Routing

    /// Sends along the contact's path, or floods when there is none.
    ///
    /// An impossible path counts as one: nothing is transmitted, and no error is reported (CMP-231).
    mutating func route(_ packet: PacketView, to index: Int, flooding: Bool = false, delay: UInt32 = 0) -> SentRoute {
        let airtime = core.estimatedAirtime(bytes: packet.timeoutLength)
        let path = contacts[index].outPathLength
        if flooding || isUnusable(path) {
            floodScoped(packet, delay: delay)
            return SentRoute(isFlood: true, timeoutMilliseconds: SendTimeout.flood(airtimeMilliseconds: airtime))
        }
        sendAlong(packet, pathOf: index, delay: delay)
        return SentRoute(
            isFlood: false,
            timeoutMilliseconds: SendTimeout.direct(airtimeMilliseconds: airtime, hops: path.hopCount))
    }

    private func isUnusable(_ path: PathLength) -> Bool {
        path.isUnknown || (!path.isValid && !core.quirks.contains(.invalidPathSent))
    }

    /// Sends along the stored path of a contact, whatever it is.
    mutating func sendAlong(_ packet: PacketView, pathOf index: Int, delay: UInt32 = 0) {
        let contact = contacts[index]
        contact.outPath.withUnsafeBytes { path in
            _ = core.sendDirect(packet, pathLength: contact.outPathLength, path: path, delayMillis: delay)
        }
    }

    /// Floods by the rules for contacts and channels.
    mutating func floodScoped(_ packet: PacketView, delay: UInt32 = 0) {
        flood(packet, scope: floodScope.key(default: defaultScope), delay: delay)
    }

    /// The key that is stored for floods, zero for none; a version that has no default scopes keeps it and does
    /// nothing.
    var defaultScope: FixedBytes<16> { core.switches.hasDefaultScope ? preferences.scopeKey : FixedBytes() }

    mutating func flood(_ packet: PacketView, scope: FixedBytes<16>?, delay: UInt32 = 0) {
        let codes = scope.map { key in
            packet.withPayload { payload in
                TransportCodes(
                    region: MeshHash.transportCode(key: key, type: packet.type.rawValue, payload: payload))
            }
        }
        core.sendFlood(packet, delayMillis: delay, hashSize: Int(preferences.pathHashMode) + 1, codes: codes)
    }
}
