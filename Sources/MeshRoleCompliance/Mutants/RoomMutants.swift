import MeshCompliance
import MeshFirmware
import MeshPacket
import MeshTime
import MeshWire

extension RoleMutant {
    /// The mutants of room servers.
    static let room: [RoleMutant] = [
        RoleMutant(
            "room-type-repeater", .reply, of: .roomServer, ["INF-008"], "A room adverts itself as a repeater.",
            .packet(.advert) { if $0.payload.count > 100 { $0.payload[100] = $0.payload[100] & 0xF0 | 2 } }),
        RoleMutant(
            "room-level-two", .reply, of: .roomServer, ["INF-039"], "The level of a room is 2.",
            .answer { if $0.count == 14 { $0[12] = 2 } }),
        RoleMutant(
            "room-guest-bytes", .reply, of: .roomServer, ["INF-041", "INF-050"], "A reader has the bytes of a member.",
            .answer { if $0.count == 14, $0[6] == 2 { ($0[6], $0[7]) = (0, 2) } }),
        RoleMutant(
            "room-without-password", .lax, of: .roomServer, ["INF-047"], "Everybody is let in without a password.",
            .misread(.anonReq) { plaintext in
                guard plaintext.count > 8, plaintext[8] == 0 else { return }
                plaintext = [UInt8](plaintext.prefix(8)) + [UInt8]("hello".utf8)
            }),
        RoleMutant(
            "room-equal-time-refused", .strict, of: .roomServer, ["INF-071"], "A time stamp cannot be used again.",
            .hearing { frame, _, context in
                guard let parts = SentBytes(frame), parts.type == .req,
                    context.heard.last.flatMap({ SentBytes($0)?.type }) == .req
                else { return }
                frame = []
            }),
        RoleMutant(
            "room-unknown-request-unused", .strict, of: .roomServer, ["INF-073"],
            "A request without an answer leaves its time unused.",
            .hearing { frame, _, context in
                guard let parts = SentBytes(frame), parts.type == .req, context.type(ofRequest: parts) == 0x55 else {
                    return
                }
                frame = []
            }),
        RoleMutant(
            "room-status-long", .length, of: .roomServer, ["INF-075"], "The status of a room has more counters.",
            .sealed([.response]) { if $0.count == 64 { $0[60] = 1 } }),
        RoleMutant(
            "room-lists-members", .lax, of: .roomServer, ["INF-087"], "The access list of a room has members too.",
            .sealed([.response]) { if $0.count > 18, $0[10] == 3 { $0[17] = 2 } }),
        RoleMutant(
            "post-ack-late", .late, of: .roomServer, ["INF-153", "INF-154", "OTA-064"],
            "Posts are acknowledged after 300 ms.",
            .late({ $0.type == .ack || $0.type == .multipart }, .milliseconds(100))),
        RoleMutant(
            "post-ack-wrong", .reply, of: .roomServer, ["INF-153", "INF-155", "OTA-061", "OTA-064"],
            "Acknowledgements have another value.",
            .packet(.ack) { if !$0.payload.isEmpty { $0.payload[0] ^= 1 } }),
        RoleMutant(
            "post-no-copy", .missing, of: .roomServer, ["INF-154", "OTA-064"],
            "There is no copy of an acknowledgement.",
            .lost { $0.type == .multipart }),
        RoleMutant(
            "post-of-guest", .lax, of: .roomServer, ["INF-157"], "Guests may post.",
            .setup { setup, _ in setup.preferences.guestPassword = "nope" }),
        RoleMutant(
            "post-old-accepted", .lax, of: .roomServer, ["INF-156"], "A text older than the last is acknowledged.",
            .extra { heard, context in
                guard SentBytes(heard)?.type == .txtMsg,
                    context.heard.contains(where: { SentBytes($0)?.type == .txtMsg })
                else { return [] }
                return [(.milliseconds(200), [0x0D, 0, 1, 2, 3, 4])]
            }),
        RoleMutant(
            "post-cut-at-140", .limit, of: .roomServer, ["INF-159"], "Posts are cut to 140 bytes.",
            .sealed([.txtMsg]) { if $0.count > 149 { for place in 149..<$0.count { $0[place] = 0 } } }),
        RoleMutant(
            "push-late", .late, of: .roomServer, ["INF-161"], "Pushes come half a second late.",
            .late({ $0.type == .txtMsg }, .milliseconds(500))),
        RoleMutant(
            "push-plain", .reply, of: .roomServer, ["INF-162"], "Pushes are plain texts.",
            .sealed([.txtMsg]) { if $0.count > 8, $0[4] >> 2 == 2 { $0[4] &= 3 } }),
        RoleMutant(
            "push-author-wrong", .reply, of: .roomServer, ["INF-162"], "Pushes name another author.",
            .sealed([.txtMsg]) { if $0.count > 8, $0[4] >> 2 == 2 { $0[5] ^= 1 } }),
        RoleMutant(
            "push-repeated-once", .limit, of: .roomServer, ["INF-166"], "Pushes are given up after two failures.",
            .sending { frame, context in
                guard SentBytes(frame)?.type == .txtMsg,
                    context.node.server.clients.clients.contains(where: { $0.pushFailures >= 2 })
                else { return }
                frame = []
            }),
        RoleMutant(
            "push-acks-ignored", .kept, of: .roomServer,
            ["INF-167", "INF-168", "INF-171", "OTA-045", "OTA-060", "OTA-066"],
            "Acknowledgements of pushes are not read.",
            .hearing { frame, _, _ in
                guard let type = SentBytes(frame)?.type, type == .ack || type == .multipart else { return }
                frame = []
            }),
        RoleMutant(
            "push-passing-ack-ignored", .strict, of: .roomServer, ["OTA-045", "INF-167"],
            "Acknowledgements that pass by are not read.",
            .hearing { frame, _, _ in
                if let parts = SentBytes(frame), parts.type == .ack, !parts.path.isEmpty { frame = [] }
            }),
        RoleMutant(
            "sync-since-ignored", .stale, of: .roomServer, ["INF-170"], "The time in a login is not read.",
            .misread(.anonReq) { if $0.count > 8 { for place in 4..<8 { $0[place] = 0 } } }),
        RoleMutant(
            "keep-alive-silent", .missing, of: .roomServer, ["INF-172", "INF-173", "INF-175"],
            "Keep-alives are not answered.",
            .lost { $0.type == .ack && $0.payload.count == 5 }),
        RoleMutant(
            "keep-alive-count", .offByOne, of: .roomServer, ["INF-172", "INF-173"],
            "A keep-alive counts one post too many.",
            .packet(.ack) { if $0.payload.count == 5 { $0.payload[4] += 1 } }),
        RoleMutant(
            "keep-alive-late", .late, of: .roomServer, ["INF-172"], "Keep-alives are answered after half a second.",
            .late({ $0.type == .ack && $0.payload.count == 5 }, .milliseconds(200))),
        RoleMutant(
            "keep-alive-by-flood", .lax, of: .roomServer, ["INF-175"], "Keep-alives by flood are answered.",
            .hearing { frame, _, _ in
                guard var parts = SentBytes(frame), parts.type == .req, parts.isFlood else { return }
                parts.header = parts.header & 0xFC | 2
                frame = parts.bytes
            }),
        RoleMutant(
            "room-post-refused", .strict, of: .roomServer, ["INF-176"], "The room's own posts are refused.",
            .answers("room.post ") { $0 = "ERR empty message" }),
        RoleMutant(
            "room-found", .lax, of: .roomServer, ["INF-151"], "A room is found.",
            .extra { heard, context in
                guard let parts = SentBytes(heard), parts.type == .control, parts.payload.count >= 6 else { return [] }
                let payload = [0x93, 20] + parts.payload[2..<6] + context.key
                return [(.milliseconds(100), [0x2E, 0] + payload)]
            }),
        RoleMutant(
            "room-filters-regions", .strict, of: .roomServer, ["INF-135"], "A room forwards no unknown regions.",
            .lost { $0.codes.count == 4 && $0.type == .grpTxt }),
        RoleMutant(
            "room-reply-late", .late, of: .roomServer, ["INF-189"], "A room answers commands after 600 ms.",
            .late({ $0.type == .txtMsg }, .milliseconds(300))),
        RoleMutant(
            "posts-kept", .kept, of: .roomServer, ["INF-178"], "Posts survive a restart.",
            .typed { line, _ in if line == "reboot" { line = "ver" } }),
    ]
}
