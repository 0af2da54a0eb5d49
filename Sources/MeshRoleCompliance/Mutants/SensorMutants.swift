import MeshCompliance
import MeshFirmware
import MeshPacket
import MeshTime
import MeshWire

extension RoleMutant {
    /// The mutants of sensors.
    static let sensor: [RoleMutant] = [
        RoleMutant(
            "sensor-alerts-off", .reply, of: .sensor, ["INF-042"], "A new administrator gets no alerts.",
            .answer { if $0.count == 14 { $0[7] = 3 } }),
        RoleMutant(
            "sensor-login-direct", .air, of: .sensor, ["INF-053"], "A direct login is answered direct.",
            .packet(.response) { if $0.isFlood { $0.header = $0.header & 0xFC | 2 } }),
        RoleMutant(
            "sensor-scoped", .air, of: .sensor, ["INF-011"], "Adverts of a sensor are scoped.",
            .packet(.advert) {
                guard $0.header & 3 == 1 else { return }
                $0.header &= 0xFC
                $0.codes = [1, 2, 0, 0]
            }),
        RoleMutant(
            "sensor-regions-saved", .lax, of: .sensor, ["INF-021"], "A sensor saves its regions.",
            .answers("region save") { $0 = "OK" }),
        RoleMutant(
            "sensor-any-password", .lax, of: .sensor, ["INF-048", "INF-043"], "Every password lets in.",
            .misread(.anonReq) { plaintext in
                guard plaintext.count > 4, plaintext[4] == 0 || plaintext[4] >= 0x20 else { return }
                plaintext = [UInt8](plaintext.prefix(4)) + [UInt8]("password".utf8)
            }),
        RoleMutant(
            "sensor-status", .lax, of: .sensor, ["INF-076"], "A sensor answers requests for a status.",
            .misread(.req) { if $0.count > 4, $0[4] == 1 { $0[4] = 3 } }),
        RoleMutant(
            "sensor-questions", .lax, of: .sensor, ["INF-065"], "Questions are read as logins.",
            .misread(.anonReq) { plaintext in
                guard plaintext.count > 4, 1...31 ~= plaintext[4] else { return }
                plaintext = [UInt8](plaintext.prefix(4)) + [UInt8]("password".utf8)
            }),
        RoleMutant(
            "sensor-uniform-delay", .limit, of: .sensor, ["INF-136"], "The delay of floods has half steps.",
            .late({ $0.type == .grpTxt && $0.payload[2] & 1 == 1 }, .milliseconds(77))),
        RoleMutant(
            "sensor-limits-adverts", .limit, of: .sensor, ["INF-137"], "A sensor limits the hops of adverts.",
            .lost { $0.type == .advert && $0.pathLength & 63 > 8 }),
        RoleMutant(
            "sensor-filters-loops", .strict, of: .sensor, ["INF-135"], "A sensor forwards no loops.",
            .lost { $0.type == .grpTxt && $0.pathLength & 63 == 4 }),
        RoleMutant(
            "sensor-found-rarely", .limit, of: .sensor, ["INF-150"], "A sensor is found four times.",
            .hearing { frame, _, context in
                let count = context.heard.count { SentBytes($0)?.type == .control }
                if SentBytes(frame)?.type == .control, count >= 4 { frame = [] }
            }),
        RoleMutant(
            "series-wrong-type", .reply, of: .sensor, ["INF-094"], "Extremes have another type.",
            .sealed([.response]) { if $0.count == 16, $0[9] == 116 { $0[9] = 115 } }),
        RoleMutant(
            "series-reserved-ignored", .lax, of: .sensor, ["INF-095"], "Reserved bytes of a series are not looked at.",
            .misread(.req) { if $0.count > 14, $0[4] == 4 { ($0[13], $0[14]) = (0, 0) } }),
        RoleMutant(
            "series-skips-zeros", .stale, of: .sensor, ["INF-096"], "Slots without a value do not count.",
            .sealed([.response]) { if $0.count == 16, $0[9] == 116 { ($0[10], $0[11]) = (1, 0xA3) } }),
        RoleMutant(
            "alert-texts", .reply, of: .sensor, ["INF-180", "INF-182"], "Alerts have other words.",
            .sealed([.txtMsg]) { if $0.count > 12, $0[5] == UInt8(ascii: "B") { $0[5] = UInt8(ascii: "b") } }),
        RoleMutant(
            "alert-attempts", .offByOne, of: .sensor, ["INF-181", "INF-184"], "Attempts of alerts count from 1.",
            .sealed([.txtMsg]) { if $0.count > 12, $0[5] == UInt8(ascii: "B") { $0[4] = ($0[4] + 1) & 3 } }),
        RoleMutant(
            "alert-low-as-first", .reply, of: .sensor, ["INF-182"], "A low alert is attempt 0.",
            .sealed([.txtMsg]) {
                if $0.count > 16, $0.dropFirst(5).starts(with: "Battery is l".utf8) { $0[4] = 0 }
            }),
        RoleMutant(
            "alert-acks-ignored", .kept, of: .sensor, ["INF-183"], "Acknowledgements of alerts are not read.",
            .hearing { frame, _, _ in if SentBytes(frame)?.type == .ack { frame = [] } }),
        RoleMutant(
            "alert-path-ignored", .lost, of: .sensor, ["INF-184", "INF-032"], "Paths of clients are not stored.",
            .hearing { frame, _, _ in if SentBytes(frame)?.type == .path { frame = [] } }),
        RoleMutant(
            "sensor-plain-command", .lax, of: .sensor, ["INF-186"], "Plain texts are commands.",
            .misread(.txtMsg) { if $0.count > 5, $0[4] == 0 { $0[4] = 4 } }),
        RoleMutant(
            "sensor-retry-answered", .lax, of: .sensor, ["INF-187"], "A command with the time of the last is answered.",
            .misread(.txtMsg) { if $0.count > 5, $0[4] == 5 { $0[0] &+= 1 } }),
        RoleMutant(
            "outputs-not-reset", .lost, of: .sensor, ["INF-188"], "Bits of the outputs are not reset.",
            .typed { line, _ in if line == "io r1" { line = "io" } }),
        RoleMutant(
            "sensor-reply-late", .late, of: .sensor, ["INF-189"], "A sensor answers commands a second late.",
            .late({ $0.type == .txtMsg }, .seconds(1))),
    ]
}
