import MeshCompanion
import MeshPacket
import MeshRadio
import MeshWire

// Adverts, traces and packets of the app's own making (CompanionStatements, CMP-113 and CMP-180 to CMP-191).
extension CompanionRadio {
    /// A flooded advert goes by the stored default scope only.
    mutating func handle(_ frame: SendSelfAdvert) {
        guard let packet = createSelfAdvert() else { return refuse(.tableFull) }
        if frame.type == 1 {
            flood(packet, scope: defaultScope.isZero ? nil : defaultScope)
        } else {
            core.sendZeroHop(packet)
        }
        ok()
    }

    mutating func handle(_ frame: SendRawData) {
        let coded = PathLength(rawValue: frame.pathLength)
        let isEncoded = core.switches.hasEncodedRawPath
        guard frame.pathLength < 0x80 || isEncoded else { return refuse(.unsupportedCmd) }
        // Until 1.17.1 the length byte counts bytes of the frame, and is a coded length in the packet.
        var path = frame.path
        var payload = frame.payload
        if isEncoded || !core.quirks.contains(.literalRawPath) {
            path = [UInt8](receiveBuffer[2..<frameLength])
            guard coded.isValid, !coded.isUnknown, isEncoded || path.count >= coded.byteCount else {
                return refuse(.unsupportedCmd)
            }
            payload = Array(path.dropFirst(coded.byteCount))
        }
        guard payload.count >= 4 else { return refuse(isEncoded ? .illegalArg : .unsupportedCmd) }
        guard let packet = payload.withUnsafeBytes({ core.createRaw($0) }) else { return refuse(.tableFull) }
        core.sendDirect(packet, pathLength: coded, path: path)
        ok()
    }

    mutating func handle(_ frame: SendTracePath) {
        let shift = Int(frame.flags & 3)
        guard frame.path.count >> shift <= PacketLimits.path, frame.path.count.isMultiple(of: 1 << shift) else {
            return refuse(.illegalArg)
        }
        guard let packet = core.createTrace(tag: frame.tag, auth: frame.auth, flags: frame.flags) else {
            return refuse(.tableFull)
        }
        let airtime = core.estimatedAirtime(bytes: packet.payloadCount + frame.path.count + 2)
        core.sendDirect(packet, pathLength: PathLength(rawValue: UInt8(frame.path.count)), path: frame.path)
        // 64 entries count as none.
        let hops = frame.path.count >> shift & 63
        send(
            Resp.Sent(
                route: 0, tag: frame.tag, timeout: SendTimeout.direct(airtimeMilliseconds: airtime, hops: hops)))
    }

    mutating func handle(_ frame: SendControlData) {
        guard let packet = frame.payload.withUnsafeBytes({ core.createControl($0) }) else {
            return refuse(.tableFull)
        }
        core.sendZeroHop(packet)
        ok()
    }

    /// Sends a packet as it is, without entering it as seen.
    mutating func handle(_ frame: SendRawPacket) {
        guard core.takeForSending() else { return refuse(.tableFull) }
        guard let packet = frame.packet.withUnsafeBytes({ PacketView(radio: $0) }) else {
            if !core.board.firmware.switches.losesRefusedPackets { core.release() }
            return refuse(.illegalArg)
        }
        core.release()
        let isStuck = frame.priority == .max && !core.quirks.contains(.lowestPriorityStuck)
        core.sendRawPacket(packet, priority: isStuck ? 254 : frame.priority)
        ok()
    }
}
