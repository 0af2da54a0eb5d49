import MeshBoards
import MeshFirmware
import MeshTime
import MeshWire

extension RoleTopic {
    /// Traces on their way.
    static let traces = RoleTopic(
        "Traces",
        [
            Row("INF-130", "OTA-050", about: "A trace gains four times the SNR", needs: .air, afterRestart: true) {
                node in
                try node.type("set repeat on")
                let (own, other) = (try node.key()[0], try node.hop(0))
                for (number, snr, quarters) in [(1, 5.5, 0x16), (2, -3.25, 0xF3), (3, -7.3, 0xE3)]
                    as [(UInt8, Double, UInt8)]
                {
                    let tail = head(number) + [own, other]
                    let sent = try node.one(try node.hear([0x26, 0x00] + tail, snr: snr))
                    try node.require("the packet", sent.bytes, is: [0x26, 0x01, quarters] + tail)
                }
            },
            Row(
                "INF-131", "OTA-053", about: "Entries have 1, 2, 4 or 8 bytes, which match as a whole",
                afterRestart: true
            ) { node in
                try node.type("set repeat on")
                let (key, other) = (try node.key(), try node.hop(0))
                for flags in 0...3 as ClosedRange<UInt8> {
                    let size = 1 << Int(flags)
                    let last = [UInt8](repeating: other, count: size)
                    let tail = head(flags + 10, flags) + key.prefix(size) + last
                    let sent = try node.one(try node.hear([0x26, 0x00] + tail, snr: 5))
                    let quarters = node.quarters(5, reported: sent.bytes.dropFirst(2).first)
                    try node.require("the packet", sent.bytes, is: [0x26, 0x01, quarters] + tail)
                    guard flags > 0 else { continue }
                    let near = key.prefix(size - 1) + [key[size - 1] &+ 1]
                    try node.silence(try node.hear([0x26, 0x00] + head(flags + 20, flags) + near + last))
                }
            },
            Row("INF-132", about: "A trace that has ended is met with silence", of: .repeater) { node in
                let (own, other) = (try node.key()[0], try node.hop(0))
                try node.silence(try node.hear([0x26, 0x01, 0x10] + head(1) + [other]))
                try node.silence(try node.hear([0x26, 0x01, 0x10] + head(2) + [own]))
            },
            Row(
                "INF-133", "OTA-051", about: "A trace that comes twice is forwarded twice", of: .repeater,
                afterRestart: true
            ) { node in
                let (own, other) = (try node.key()[0], try node.hop(0))
                let tail = head(1) + [own, other, own]
                let first = try node.one(try node.hear([0x26, 0x00] + tail, snr: 5))
                let fromOne = node.quarters(5, reported: first.bytes.dropFirst(2).first)
                try node.require("the packet", first.bytes, is: [0x26, 0x01, fromOne] + tail)
                try node.silence(try node.hear([0x26, 0x00] + tail, snr: 5))
                let second = try node.one(try node.hear([0x26, 0x02, 20, 22] + tail, snr: 6))
                let fromTwo = node.quarters(6, reported: second.bytes.dropFirst(4).first)
                try node.require("the packet", second.bytes, is: [0x26, 0x03, 20, 22, fromTwo] + tail)
            },
        ])

    /// Tag, authentication code and flags of a trace.
    private static func head(_ tag: UInt8, _ flags: UInt8 = 0) -> [UInt8] { [tag, 3, 2, 1, 0, 0, 0, 0, flags] }
}
