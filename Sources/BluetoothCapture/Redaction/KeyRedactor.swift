import MeshBluetoothHost

/// Overwrites the keys in packets between hosts and controllers with zeros; lengths stay.
///
/// It does not change frames: scrubbing recordings does. A packet of the security manager that was cut into
/// fragments is followed from one record to the next; otherwise each record stands for itself.
struct KeyRedactor: Sendable {
    /// The rest of a packet with a key: bytes to come, and those of them in front of the key.
    private struct Open {
        var adapter: UInt16
        var handle: UInt16
        var way: HostWay?
        /// The bytes of the packet that the fragments so far had.
        var seen: [UInt8]
        var count: Int
    }

    private var open: [Open] = []
    /// A controller has a handful of links; more are the work of a damaged capture.
    private static let limit = 64

    init() {}

    /// Redacts what stands behind the type byte of a packet, in place. Returns whether it held a key.
    mutating func redact(_ header: HostPacketHeader, _ bytes: inout [UInt8]) -> Bool {
        switch header.kind {
        case .command: Self.redactCommand(&bytes)
        case .event: Self.redactEvent(&bytes)
        case .data: redactData(header, &bytes)
        default: false
        }
    }

    // MARK: Commands and events

    /// A command from its opcode on.
    static func redactCommand(_ bytes: inout [UInt8]) -> Bool {
        guard bytes.count >= 3 else { return false }
        let parameters = 3
        switch bytes.span.word(at: 0) {
        case HCI.CommandCode.enableEncryption: return zero(&bytes, parameters + 12, 16)
        case HCI.CommandCode.longTermKeyReply: return zero(&bytes, parameters + 2, 16)
        // Behind an address: a link key; the length of a PIN and the PIN; a number to type.
        case HCI.CommandCode.linkKeyReply: return zero(&bytes, parameters + 6, 16)
        case HCI.CommandCode.pinCodeReply: return zero(&bytes, parameters + 7, 16)
        case HCI.CommandCode.passkeyReply: return zero(&bytes, parameters + 6, 4)
        case HCI.CommandCode.writeStoredLinkKey: return zeroLinkKeys(&bytes, parameters)
        // A key and what it encrypts, from which a key may follow.
        case HCI.CommandCode.encrypt: return zero(&bytes, parameters, 32)
        // Behind type and address of the peer: its identity key and one's own.
        case HCI.CommandCode.addToResolvingList: return zero(&bytes, parameters + 7, 32)
        default: return false
        }
    }

    /// An event from its code on.
    static func redactEvent(_ bytes: inout [UInt8]) -> Bool {
        guard bytes.count >= 2 else { return false }
        switch bytes[0] {
        case HCI.EventCode.linkKeyNotification: return zero(&bytes, 2 + 6, 16)
        case HCI.EventCode.returnLinkKeys: return zeroLinkKeys(&bytes, 2)
        // The answer to what was encrypted: count of commands, opcode, status, 16 bytes.
        case HCI.EventCode.commandComplete
        where bytes.count >= 6 && bytes.span.word(at: 3) == HCI.CommandCode.encrypt:
            return zero(&bytes, 6, 16)
        default: return false
        }
    }

    /// A count, then as many addresses with their keys.
    private static func zeroLinkKeys(_ bytes: inout [UInt8], _ start: Int) -> Bool {
        var isRedacted = false
        for key in stride(from: start + 1 + 6, to: bytes.count, by: 22) {
            isRedacted = zero(&bytes, key, 16) || isRedacted
        }
        return isRedacted
    }

    /// Zeros what there is of a field.
    static func zero(_ bytes: inout [UInt8], _ start: Int, _ count: Int) -> Bool {
        guard start < bytes.count else { return false }
        for index in start..<min(start + count, bytes.count) { bytes[index] = 0 }
        return true
    }

    // MARK: The security manager

    private mutating func redactData(_ header: HostPacketHeader, _ bytes: inout [UInt8]) -> Bool {
        guard let data = HCI.DataHeader(bytes.span) else { return false }
        let known = open.firstIndex {
            $0.adapter == header.adapter && $0.handle == data.handle && ($0.way == header.way || header.way == nil)
        }
        var packet: Open
        if data.boundary == .continuation {
            guard let known else { return false }
            packet = open.remove(at: known)
        } else {
            if let known { open.remove(at: known) }
            packet = Open(adapter: header.adapter, handle: data.handle, way: header.way, seen: [], count: 0)
        }
        return redactFragment(&packet, wireLength: Int(data.length), &bytes)
    }

    /// A key follows behind some codes, which follow behind the header of a packet.
    private mutating func redactFragment(_ packet: inout Open, wireLength: Int, _ bytes: inout [UInt8]) -> Bool {
        let (data, front) = (HCI.DataHeader.size, L2CAP.Header.size + 1)
        let start = packet.count
        packet.seen += bytes[data...].prefix(max(0, front - packet.seen.count))
        packet.count += max(wireLength, bytes.count - data)
        let head = L2CAP.Header(packet.seen.span)
        let isOther = head.map { $0.channel != L2CAP.Channel.securityManager } ?? false
        let isWhole = head.map { packet.count >= L2CAP.Header.size + Int($0.length) } ?? false
        if !isOther, !isWhole, open.count < Self.limit { open.append(packet) }
        guard !isOther, packet.seen.count == front, Self.codesWithKeys.contains(packet.seen[front - 1]) else {
            return false
        }
        return Self.zero(&bytes, data + max(0, front - start), 16)
    }

    private static let codesWithKeys = [
        SMP.Code.encryptionInformation, SMP.Code.identityInformation, SMP.Code.signingInformation,
    ]
}
