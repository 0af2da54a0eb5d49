import MeshPacket
import MeshWire

extension RecordingScrubber {
    /// Returns a LoRa packet without its clear content, and without the content that a public key would open.
    ///
    /// An advert with another name or place has another signature, which does not hold. Bytes that are sealed for
    /// one node stay: its key is not in a scrubbed recording.
    mutating func scrubbed(packet bytes: [UInt8]) -> [UInt8] {
        guard let view = try? PacketView(bytes, as: .blob) else { return unreadable(bytes) }
        var packet = bytes
        let payload = view.payloadOffset..<bytes.count
        switch view.type {
        case .advert: scrubAdvert(payload, in: &packet)
        case .grpTxt, .grpData:
            guard secrets.contains(.texts), payload.count > 1 else { break }
            // The hash of the channel stays: it tells which conversation the packet belongs to.
            let sealed = payload.dropFirst()
            packet.replaceSubrange(sealed, with: substitution.bytes(.bytes, bytes[sealed], count: sealed.count))
            report.closedPackets += 1
        case .rawCustom:
            guard secrets.contains(.texts), !payload.isEmpty else { break }
            packet.replaceSubrange(payload, with: substitution.bytes(.bytes, bytes[payload], count: payload.count))
            count(.texts)
        case .req, .response, .txtMsg, .ack, .anonReq, .path, .trace, .multipart, .control: break
        default:
            // A type of a later release: nobody knows what it says in the clear.
            guard !payload.isEmpty else { break }
            packet.replaceSubrange(payload, with: substitution.bytes(.bytes, bytes[payload], count: payload.count))
            report.unknown += 1
        }
        return packet
    }

    /// Header and path stay, so that it is as unreadable as before.
    private mutating func unreadable(_ bytes: [UInt8]) -> [UInt8] {
        let head = 6
        guard bytes.count > head else { return bytes }
        report.unknown += 1
        return bytes.prefix(head) + substitution.bytes(.bytes, bytes, count: bytes.count - head)
    }

    private mutating func scrubAdvert(_ payload: Range<Int>, in packet: inout [UInt8]) {
        let data = payload.lowerBound + Advert.headSize
        guard data < payload.upperBound else { return }
        let traced = packet.withUnsafeBytes { AdvertData.traced($0, from: data) }
        let original = packet
        for field in traced.fields {
            let range = field.offset..<min(field.offset + field.size, packet.count)
            switch field.name {
            case "lat" where secrets.contains(.positions):
                let place = field.offset..<min(field.offset + 8, packet.count)
                guard place.count == 8, original[place].contains(where: { $0 != 0 }) else { break }
                packet.replaceSubrange(place, with: substitution.position(in: original[place]))
                count(.positions)
            case "name" where secrets.contains(.names):
                let name = original[range].prefix { $0 != 0 }
                guard !name.isEmpty else { break }
                packet.replaceSubrange(name.indices, with: substitution.letters(.name, name))
                count(.names)
            default: break
            }
        }
        if packet != original {
            // The old signature would let anybody find out what was signed by trying.
            let signature = payload.lowerBound + 36..<data
            let new = substitution.bytes(.bytes, original[signature], count: signature.count)
            packet.replaceSubrange(signature, with: new)
            report.unsignedAdverts += 1
        }
    }
}
