import MeshCompanion
import MeshFirmware
import MeshPacket
import MeshWire

// Section L: raw and control data, traces, the receive log.
extension Mutant {
    static let rawData: [Mutant] = rawPackets + traces + receiveLog

    private static let rawPackets: [Mutant] = [
        Mutant(
            "raw-data-flooded", .air, [180], "Raw data is flooded.",
            .packet(.rawCustom) { $0.header = $0.header & ~3 | 1 }
        ),
        Mutant(
            "raw-data-of-three", .offByOne, [181], "Raw data may have three bytes.",
            .error(of: .sendRawData) { bytes, context in
                let frame = context.radio.receiveBuffer[..<context.radio.frameLength]
                if frame.count == 2 + Int(frame[1]) + 3 { bytes = Resp.OK().encoded() }
            }),
        Mutant(
            "raw-data-flood-illegal", .errorCode, [181], "Raw data without path is refused as ILLEGAL_ARG.",
            .refuses(.sendRawData, with: .illegalArg) { $0.count > 5 && $0[1] == 0xFF }),
        Mutant(
            "raw-data-reserved-zero", .reply, [182, 183], "The reserved byte of RAW_DATA is 0.",
            .reply(Push.RawData.self) { $0.reserved = 0 }),
        Mutant(
            "raw-data-rssi-positive", .reply, [182], "The RSSI of RAW_DATA has no sign.",
            .reply(Push.RawData.self) { $0.rssi = 0 &- $0.rssi }),
        Mutant(
            "raw-data-of-171", .offByOne, [183], "RAW_DATA has at most 171 bytes of payload.",
            .bytes(of: Push.RawData.self) { bytes, _ in if bytes.count > 4 + 171 { bytes = [] } }),
        Mutant(
            "control-data-cut", .limit, [183], "CONTROL_DATA is cut at 172 bytes.",
            .bytes(of: Push.ControlData.self) { bytes, _ in bytes = [UInt8](bytes.prefix(172)) }),
        Mutant(
            "control-data-without-top-bit", .lax, [184], "Control data without the top bit is answered with OK.",
            .error(of: .sendControlData) { bytes, _ in bytes = Resp.OK().encoded() },
            .command(.sendControlData) { frame, _ in
                frame.count > 1 && frame[1] < 0x80 ? .answeredOK : .executed
            }),
        Mutant(
            "control-data-flooded", .air, [184], "Control data is flooded.",
            .packet(.control) { $0.header = $0.header & ~3 | 1 }),
        Mutant(
            "control-data-from-afar", .lax, [185], "Control packets that came over repeaters are pushed.",
            .hearing { bytes, _, _ in
                guard var sent = SentBytes(bytes), sent.type == .control else { return }
                sent.pathLength = 0
                sent.path = []
                bytes = sent.bytes
            }),
        Mutant(
            "control-data-without-path", .length, [183, 185], "CONTROL_DATA has no path length.",
            .bytes(of: Push.ControlData.self) { bytes, _ in bytes.remove(at: 3) }),
        Mutant(
            "raw-packet-unparsed", .lax, [190], "A raw packet that cannot be parsed is answered with OK.",
            .error(of: .sendRawPacket) { bytes, _ in bytes = Resp.OK().encoded() }),
        Mutant(
            "raw-packet-without-codes", .air, [189], "A raw packet loses its transport codes.",
            .packet { bytes in
                guard var sent = SentBytes(bytes), sent.codes.count == 4, sent.header & 3 == 0 else { return }
                sent.header = sent.header & ~3 | 1
                sent.codes = []
                bytes = sent.bytes
            }),
    ]

    private static let traces: [Mutant] = [
        Mutant(
            "trace-sent-auth", .reply, [186, 187], "SENT of a trace carries the authentication code.",
            .seenReply(Resp.Sent.self) { frame, context in
                guard context.radio.command == .sendTracePath else { return }
                frame.tag = context.radio.receiveBuffer[5..<9].reversed().reduce(0) { $0 << 8 | UInt32($1) }
            }),
        Mutant(
            "trace-swapped-on-air", .byteOrder, [186], "A trace is sent with its code before its tag.",
            .packet(.trace) { sent in
                if sent.payload.count > 8 {
                    sent.payload = Array(sent.payload[4..<8]) + sent.payload[..<4] + sent.payload[8...]
                }
            }),
        Mutant(
            "trace-timeout-of-one-hop", .reply, [186], "The time-out of a trace is that of a neighbour.",
            .seenReply(Resp.Sent.self) { if $1.radio.command == .sendTracePath { $0.timeout = 500 + 1828 } }),
        Mutant(
            "trace-of-63", .offByOne, [187], "A trace has at most 63 entries.",
            .refuses(.sendTracePath, with: .illegalArg) { $0.count > 10 + 63 }),
        Mutant(
            "trace-of-part-entries", .lax, [187], "An entry that is cut off is left out of a trace.",
            .misread(.sendTracePath) { frame in
                guard frame.count > 10 else { return }
                let size = 1 << Int(frame[9] & 3)
                let rest = (frame.count - 10) % size
                if frame.count - 10 > size { frame.removeLast(rest) }
            }),
        Mutant(
            "trace-without-final-snr", .length, [188], "TRACE_DATA has no final SNR.",
            .bytes(of: Push.TraceData.self) { bytes, _ in bytes.removeLast() }),
        Mutant(
            "trace-snrs-backwards", .order, [188], "The SNRs of TRACE_DATA stand backwards.",
            .reply(Push.TraceData.self) { $0.pathSNRs.reverse() }),
        Mutant(
            "trace-length-in-hops", .reply, [188], "TRACE_DATA counts entries where bytes belong.",
            .bytes(of: Push.TraceData.self) { bytes, _ in bytes[2] >>= bytes[3] & 3 }),
    ]

    private static let receiveLog: [Mutant] = [
        Mutant(
            "log-behind-effect", .order, [192], "LOG_RX_DATA comes behind what the packet causes.",
            .overtaken(Push.LogRxData.self)),
        Mutant(
            "log-of-172", .offByOne, [192], "Packets of 173 bytes are not logged.",
            .bytes(of: Push.LogRxData.self) { bytes, _ in if bytes.count > 3 + 172 { bytes = [] } }),
        Mutant(
            "log-of-packets-only", .missing, [193], "What cannot be decoded is not logged.",
            .bytes(of: Push.LogRxData.self) { bytes, _ in
                if PacketView(radioFrame: [UInt8](bytes.dropFirst(3))) == nil { bytes = [] }
            }),
        Mutant(
            "log-rssi-clamped", .limit, [193], "An RSSI below −128 dBm is reported as −128.",
            .reply(Push.LogRxData.self) { if $0.rssi > 0 { $0.rssi = -128 } }),
        Mutant(
            "log-without-signal", .length, [192, 193], "LOG_RX_DATA has no SNR.",
            .bytes(of: Push.LogRxData.self) { bytes, _ in bytes.remove(at: 1) }),
        Mutant(
            "log-needs-buffer", .missing, [237], "A packet that finds no free buffer is not logged.",
            .bytes(of: Push.LogRxData.self) { bytes, context in if context.radio.freePackets == 0 { bytes = [] } }),
    ]
}

extension PacketView {
    /// The packet of a received frame, if it is one.
    fileprivate init?(radioFrame bytes: [UInt8]) {
        guard let packet = bytes.withUnsafeBytes({ PacketView(radio: $0) }) else { return nil }
        self = packet
    }
}
