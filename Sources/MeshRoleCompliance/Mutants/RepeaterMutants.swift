import MeshCompanion
import MeshCompliance
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshTime
import MeshWire

// Long because it is one table: the faults of repeaters, in the order of the statements.
extension RoleMutant {
    /// The mutants of repeaters.
    static let repeater: [RoleMutant] =
        adverts + clients + logins + questions + requests + forwarding + delays + direct + discovery + commands
        + bytesOfRepeaters

    private static let adverts: [RoleMutant] = [
        RoleMutant(
            "boot-advert-late", .late, ["INF-001"], "The advert at boot comes two seconds late.",
            .late({ $0.type == .advert }, .seconds(2))),
        RoleMutant(
            "boot-advert-missing", .missing, ["INF-001", "INF-002"], "There is no advert at boot.",
            .setup { setup, _ in setup.advertsOnBoot = false }),
        RoleMutant(
            "adverts-every-four-minutes", .limit, ["INF-002", "INF-003", "INF-004"],
            "An unconfigured node adverts every four minutes.",
            .setup { setup, _ in setup.preferences.advertInterval = 2 }
        ),
        RoleMutant(
            "zero-hop-advert-floods", .air, ["INF-001", "INF-002", "INF-009"], "Zero-hop adverts are sent as floods.",
            .packet(.advert) { if $0.header & 3 == 2 { $0.header = $0.header & 0xFC | 1 } }),
        RoleMutant(
            "advert-without-place", .reply, ["INF-005"], "Adverts of a node at 0, 0 have no place.",
            .setup { setup, _ in setup.preferences.advertLocation = .none }),
        RoleMutant(
            "advert-place-flag", .kept, ["INF-007"], "Adverts without a place have its flag.",
            .packet(.advert) { if $0.payload.count > 100 { $0.payload[100] |= 0x10 } }),
        RoleMutant(
            "advert-type-room", .reply, ["INF-008"], "A repeater adverts itself as a room server.",
            .packet(.advert) { if $0.payload.count > 100 { $0.payload[100] = $0.payload[100] & 0xF0 | 3 } }),
        RoleMutant(
            "advert-hash-size-one", .stale, ["INF-009"], "Flooded adverts ignore the hash size that is set.",
            .packet(.advert) { $0.pathLength &= 0x3F }),
        RoleMutant(
            "commanded-advert-late", .late, ["INF-009"], "Adverts on command leave two seconds late.",
            .late({ $0.type == .advert && $0.isFlood }, .seconds(2))),
        RoleMutant(
            "advert-second-code", .air, ["INF-010"], "Scoped adverts have a second transport code.",
            .packet(.advert) { if $0.codes.count == 4 { $0.codes[2] = 1 } }),
        RoleMutant(
            "advert-unscoped", .air, ["INF-010"], "Adverts are flooded without the default region.",
            .packet(.advert) {
                guard $0.codes.count == 4 else { return }
                $0.codes = []
                $0.header = $0.header & 0xFC | 1
            }),
        RoleMutant(
            "name-cut-shorter", .offByOne, ["INF-006"], "Names in adverts are cut to 22 bytes.",
            .packet(.advert) { if $0.payload.count == 132 { $0.payload.removeLast() } }),
        RoleMutant(
            "clock-at-2000", .reply, ["INF-001", "INF-022"], "The clock begins in the year 2000 at power-on.",
            .setup { _, board in board.clockAtPowerOn = 946_684_800 }),
    ]

    private static let clients: [RoleMutant] = [
        RoleMutant(
            "clients-ten", .limit, ["INF-023", "INF-024", "INF-025"], "The table holds ten clients.",
            .setup { _, board in board.firmware = board.firmware.changed { $0.serverClients = 10 } }),
        RoleMutant(
            "setperm-needs-half-a-key", .lax, ["INF-030"], "Permissions are granted to part of a key.",
            .answers("setperm aabb 3") { $0 = "OK" }),
        RoleMutant(
            "setperm-odd-digits", .errorCode, ["INF-031"], "Half a byte in a key is called a bad number.",
            .answers("setperm abc 1") { $0 = "Err - bad params" }),
        RoleMutant(
            "setperm-keeps-alerts", .lax, ["INF-029"], "Permissions of 192 keep a client.",
            .typed { line, _ in if line.hasSuffix(" 192") { line = String(line.dropLast(3)) + "193" } }),
        RoleMutant(
            "setperm-never-deletes", .kept, ["INF-028"], "Permissions of 0 are not set.",
            .typed { line, _ in if line.hasPrefix("setperm"), line.hasSuffix(" 0") { line = "ver" } }),
        RoleMutant(
            "setperm-forgotten", .lost, ["INF-027", "INF-086", "INF-189"], "Granted permissions are forgotten at once.",
            .typed { line, _ in if line.hasPrefix("setperm"), line.hasSuffix(" 3") { line = "get name" } },
            .answers("setperm") { $0 = "OK" }),
        RoleMutant(
            "path-not-stored", .lost, ["INF-032", "INF-034", "INF-052"], "The path of a client is not stored.",
            .hearing { frame, _, _ in if SentBytes(frame)?.type == .path { frame = [] } }),
        RoleMutant(
            "path-answered", .unasked, ["INF-035"], "A returned path is answered by one.",
            .extra { heard, _ in
                guard let parts = SentBytes(heard), parts.type == .path, parts.isFlood else { return [] }
                return [(.milliseconds(500), parts.bytes)]
            }),
        RoleMutant(
            "guest-written", .kept, ["INF-015"], "A file of clients is written for guests.",
            .passed { node, before in
                guard node.server.clients.count > before.server.clients.count else { return }
                _ = node.flash.write([0], to: "/s_contacts")
            }),
        RoleMutant(
            "clients-not-written", .lost, ["INF-014"], "Clients are never written.",
            .passed { node, _ in _ = node.flash.remove("/s_contacts") }),
    ]

    private static let logins: [RoleMutant] = [
        RoleMutant(
            "login-late", .late, ["INF-036"], "Logins are answered a tenth of a second late.",
            .late({ $0.type == .path }, .milliseconds(100))),
        RoleMutant(
            "login-path-empty", .stale, ["INF-037"], "A returned path is empty.",
            .hearing { frame, _, _ in
                guard var parts = SentBytes(frame), parts.type == .anonReq, parts.isFlood else { return }
                parts.path = []
                parts.pathLength &= 0xC0
                frame = parts.bytes
            }),
        RoleMutant(
            "login-hash-size-one", .stale, ["INF-038"], "Flooded answers have hashes of one byte.",
            .packet(.path) { $0.pathLength &= 0x3F }),
        RoleMutant("login-level-one", .reply, ["INF-039"], "The level of a repeater is 1.", .answer { $0[at: 12] = 1 }),
        RoleMutant(
            "login-interval", .stale, ["INF-039"], "The byte of a keep-alive interval is not 0.",
            .answer { $0[at: 5] = 2 }
        ),
        RoleMutant(
            "login-always-admin", .reply, ["INF-040", "INF-046"], "Guests are called administrators.",
            .answer { if $0.count == 14 { $0[6] = 1 } }),
        RoleMutant(
            "login-time-stands", .stale, ["INF-054"], "The time in answers is that of the first one.",
            .answer { if $0.count == 14 { $0[0] = 0 } }),
        RoleMutant(
            "any-password", .lax, ["INF-043", "INF-119"], "Every password is the administrator's.",
            .misread(.anonReq) { plaintext in
                guard plaintext.count > 4, plaintext[4] >= 0x20 else { return }
                plaintext = [UInt8](plaintext.prefix(4)) + [UInt8]("password".utf8)
            }),
        RoleMutant(
            "password-without-case", .lax, ["INF-043"], "Passwords are compared without regard to case.",
            .misread(.anonReq) { if $0.count > 4, $0[4] == UInt8(ascii: "P") { $0[4] = UInt8(ascii: "p") } }),
        RoleMutant(
            "blank-refused", .strict, ["INF-045", "INF-046"], "Logins without a password are refused.",
            .misread(.anonReq) { if $0.count > 4, $0[4] == 0 { $0[4] = UInt8(ascii: "?") } }),
        RoleMutant(
            "guest-keeps-admin", .lax, ["INF-049"], "An administrator who logs in as a guest stays one.",
            .misread(.anonReq) { plaintext in
                guard plaintext.dropFirst(4).starts(with: "guest".utf8) else { return }
                plaintext = [UInt8](plaintext.prefix(4)) + [UInt8]("password".utf8)
            }),
        RoleMutant(
            "login-replayed", .lax, ["INF-055"], "The same login is answered again.",
            .extra { heard, context in
                guard let parts = SentBytes(heard), parts.type == .anonReq,
                    context.heard.contains(where: { SentBytes($0)?.payload == parts.payload })
                else { return [] }
                return [(.milliseconds(300), parts.bytes)]
            }),
        RoleMutant(
            "login-needs-repeat", .strict, ["INF-056"], "Logins are not answered while nothing is repeated.",
            .hearing { frame, _, context in
                if context.node.server.preferences.isForwardingDisabled { frame = [] }
            }),
        RoleMutant(
            "direct-login-without-path", .air, ["INF-052"],
            "A direct login is answered by a direct packet without path.",
            .packet(.response) {
                guard $0.header & 3 == 1 else { return }
                $0.header = $0.header & 0xFC | 2
            }),
    ]

    private static let questions: [RoleMutant] = [
        RoleMutant(
            "question-path-lost", .lost, ["INF-057"], "Answers to questions go without the path.",
            .packet(.response) {
                guard $0.header & 3 == 2 else { return }
                $0.path = []
                $0.pathLength = 0
            }),
        RoleMutant(
            "question-flood-answered", .lax, ["INF-058"], "Questions by flood are answered.",
            .hearing { frame, _, _ in
                guard var parts = SentBytes(frame), parts.type == .anonReq, parts.isFlood else { return }
                parts.header = parts.header & 0xFC | 2
                frame = parts.bytes
            }),
        RoleMutant(
            "question-limit-three", .limit, ["INF-058", "INF-059", "INF-060", "INF-064"],
            "Three questions are answered in 180 s.",
            .hearing { frame, _, context in
                guard SentBytes(frame)?.type == .anonReq, SentBytes(frame)?.isFlood == false,
                    context.heard.count(where: { SentBytes($0)?.type == .anonReq }) == 3
                else { return }
                frame = []
            }),
        RoleMutant(
            "questions-of-any-kind", .lax, ["INF-064"], "Every kind of question is answered with the features.",
            .misread(.anonReq) { if $0.count > 4, 4...31 ~= $0[4] { $0[4] = 3 } }),
        RoleMutant(
            "regions-with-hash", .reply, ["INF-062"], "Names of regions have their #.",
            .answer { answer in
                guard let place = answer.firstRange(of: [UInt8]("uk".utf8))?.lowerBound else { return }
                answer.insert(UInt8(ascii: "#"), at: place)
            }),
        RoleMutant(
            "features-never-off", .stale, ["INF-063"], "The features do not tell that nothing is repeated.",
            .answer { if $0[at: 8] == 0x80 { $0[8] = 0 } }),
        RoleMutant(
            "invalid-path-answered", .lax, ["INF-061"], "A path length that cannot be counts as none.",
            .misread(.anonReq) { if $0.count > 5, $0[4] == 1, $0[5] == 0xC1 { $0[5] = 0 } }),
    ]

    private static let requests: [RoleMutant] = [
        RoleMutant(
            "tag-of-zero", .stale, ["INF-067"], "Answers begin with a time stamp of 0.",
            .sealed([.response]) { for index in 0..<4 { $0[at: index] = 0 } }),
        RoleMutant(
            "flood-request-answered-direct", .air, ["INF-068"], "A request by flood is answered as a direct one.",
            .hearing { frame, _, _ in
                guard var parts = SentBytes(frame), parts.type == .req, parts.isFlood else { return }
                (parts.path, parts.pathLength) = ([], 0)
                parts.header = parts.header & 0xFC | 2
                frame = parts.bytes
            }),
        RoleMutant(
            "response-direct", .air, ["INF-033", "INF-069", "INF-052"], "Answers without a path go direct.",
            .packet(.response) { if $0.isFlood { $0.header = $0.header & 0xFC | 2 } }),
        RoleMutant(
            "status-short", .length, ["INF-074"], "A status ends before the counters of receptions.",
            .sealed([.response]) { if $0.count == 64 { $0.removeLast(16) } }),
        RoleMutant(
            "status-swapped", .byteOrder, ["INF-074"], "Packets received by flood and direct are swapped.",
            .sealed([.response]) { if $0.count == 64 { $0.swapAt(36, 40) } }),
        RoleMutant(
            "status-for-admins", .strict, ["INF-077"], "A guest may not read the status.",
            .misread(.req) { if $0.count > 4, $0[4] == 1 { $0[4] = 0x55 } }),
        RoleMutant(
            "telemetry-wrong-type", .reply, ["INF-078", "INF-083"], "The voltage has the type of a pressure.",
            .sealed([.response]) { if $0[at: 4] == 1, $0[at: 5] == 116 { $0[5] = 115 } }),
        RoleMutant(
            "telemetry-mask-ignored", .lax, ["INF-079"], "The mask of a request for telemetry is not read.",
            .misread(.req) { if $0.count > 5, $0[4] == 3 { $0[5] = 0 } }),
        RoleMutant(
            "currents-unsigned", .reply, ["INF-084"], "Negative currents lose their sign.",
            .sealed([.response]) { answer in
                let current: [UInt8] = [2, 117, 0xFF, 0x06]
                guard let place = answer.firstRange(of: current)?.lowerBound else { return }
                (answer[place + 2], answer[place + 3]) = (0x00, 0xFA)
            }),
        RoleMutant(
            "error-flags-empty", .missing, ["INF-213", "OTA-096", "OTA-101"], "The error flags of a status are 0.",
            .sealed([.response]) { if $0.count == 64 { $0[44] = 0 } }),
        RoleMutant(
            "telemetry-no-processor", .missing, ["INF-080", "INF-081"], "The temperature of the processor is missing.",
            .setup { setup, board in
                board.mcuTemperatureTenths = nil
                setup.environment.processorTemperature = nil
            }),
        RoleMutant(
            "voltage-rounded", .reply, ["INF-083"], "Voltages are rounded instead of cut.",
            .sealed([.response]) { if $0[at: 6] == 0x01, $0[at: 7] == 0xA3 { $0[7] = 0xA4 } }),
        RoleMutant(
            "access-list-reserved", .lax, ["INF-085"], "The reserved bytes of an access list are not looked at.",
            .misread(.req) {
                guard $0.count > 6, $0[4] == 5 else { return }
                ($0[5], $0[6]) = (0, 0)
            }),
        RoleMutant(
            "access-list-reversed", .order, ["INF-086"], "The access list is in reverse order.",
            .sealed([.response]) { answer in
                guard answer.count > 25, answer.dropFirst(10).first == 3 else { return }
                let entries = [18, 11, 4].flatMap { [UInt8](answer[$0..<($0 + 7)]) }
                answer.replaceSubrange(4..<25, with: entries)
            }),
        RoleMutant(
            "owner-without-version", .missing, ["INF-092"], "The owner's answer has no version.",
            .sealed([.response]) { answer in
                guard answer.dropFirst(4).first == UInt8(ascii: "v") else { return }
                answer.removeSubrange(4..<8)
            }),
        RoleMutant(
            "owner-truncated", .limit, ["INF-093"], "The longest owner is not answered.",
            .lost { $0.type == .response && $0.payload.count > 160 }),
        RoleMutant(
            "scope-second-code", .air, ["INF-097", "OTA-089"], "Scoped answers have a second code.",
            .sending { frame, _ in
                guard var parts = SentBytes(frame), parts.codes.count == 4, parts.type != .advert else { return }
                parts.codes[2] = 0x34
                frame = parts.bytes
            }),
        RoleMutant(
            "answers-unscoped", .air, ["INF-097", "INF-099", "OTA-089"], "Answers are flooded without a region.",
            .sending { frame, _ in
                guard var parts = SentBytes(frame), parts.codes.count == 4 else { return }
                parts.codes = []
                parts.header = parts.header & 0xFC | 1
                frame = parts.bytes
            }),
        RoleMutant(
            "default-region-for-all", .air, ["INF-098"], "Answers to un-scoped floods are scoped.",
            .packet(.path) {
                guard $0.header & 3 == 1 else { return }
                $0.header &= 0xFC
                $0.codes = [1, 2, 0, 0]
            }),
    ]

    private static let forwarding: [RoleMutant] = [
        RoleMutant(
            "hash-one-byte", .length, ["INF-102", "OTA-030"], "Of the own hash in a path one byte is right.",
            .packet(.grpTxt) { if $0.isFlood, $0.pathLength >> 6 > 0 { $0.path[$0.path.count - 1] ^= 1 } }),
        RoleMutant(
            "hop-not-counted", .offByOne, ["INF-102", "OTA-030"], "A forwarded flood keeps its number of hops.",
            .packet(.grpTxt) { if $0.isFlood, $0.pathLength & 63 > 0 { $0.pathLength -= 1 } }),
        RoleMutant(
            "duplicates-forwarded", .doubled, ["INF-105", "OTA-020"], "A copy of a flood is forwarded again.",
            .forwards { parts, context in
                context.heard.contains { SentBytes($0)?.payload == parts.payload }
            }),
        RoleMutant(
            "own-advert-forwarded", .doubled, ["INF-110", "OTA-022"], "The own advert is forwarded.",
            .forwards { parts, context in
                parts.type == .advert && parts.payload.prefix(32).elementsEqual(context.key)
            }),
        RoleMutant(
            "path-overflows", .limit, ["INF-106", "OTA-031"], "A full path grows beyond 64 bytes.",
            .forwards { parts, _ in
                parts.path.count + Int(parts.pathLength >> 6) + 1 > 64 && parts.pathLength >> 6 > 0
            }),
        RoleMutant(
            "no-hop-limit-of-adverts", .limit, ["INF-107", "INF-108", "OTA-036"],
            "Adverts are forwarded after any hop.",
            .forwards { parts, _ in parts.type == .advert && parts.pathLength & 63 == 8 }),
        RoleMutant(
            "advert-limit-seven", .offByOne, ["INF-107", "INF-108", "OTA-036"],
            "Adverts are not forwarded after seven hops.", .lost { $0.type == .advert && $0.pathLength & 63 == 8 }),
        RoleMutant(
            "forged-advert-forwarded", .lax, ["INF-109", "OTA-024"], "An advert with a wrong signature is forwarded.",
            .forwards { parts, _ in
                guard parts.type == .advert, parts.payload.count > 100 else { return false }
                let message = [UInt8](parts.payload.prefix(36) + parts.payload.dropFirst(100).prefix(32))
                let signature = Signature(parts.payload.dropFirst(36).prefix(64))
                return !Ed25519.verify(signature, of: message, by: PublicKey(parts.payload.prefix(32)))
            }),
        RoleMutant(
            "unknown-region-forwarded", .lax, ["INF-111", "INF-114", "OTA-037"],
            "Floods of regions that are not allowed are forwarded.",
            .forwards { parts, context in
                parts.codes.count == 4 && !parts.isIn(context.node.server.regions)
            }),
        RoleMutant(
            "codes-dropped", .lost, ["INF-112", "OTA-007"], "The second code of a forwarded flood is 0.",
            .packet(.grpTxt) { if $0.codes.count == 4 { ($0.codes[2], $0.codes[3]) = (0, 0) } }),
        RoleMutant(
            "wildcard-never-denies", .lax, ["INF-113", "OTA-038"], "Floods without a region are forwarded in any case.",
            .forwards { parts, context in
                parts.codes.isEmpty && parts.type == .grpTxt && !context.node.server.regions.allowsUnscopedFloods
            }),
        RoleMutant(
            "loops-not-noticed", .lax, ["INF-115", "OTA-039"], "Own hashes in a path do not stop a flood.",
            .setup { setup, _ in setup.preferences.loopDetection = .off },
            .typed { line, _ in if line.hasPrefix("set loop.detect") { line = "set loop.detect off" } }),
        RoleMutant(
            "loop-limit-plus-one", .offByOne, ["INF-115", "OTA-039"], "A flood passes with one own hash more.",
            .forwards { parts, context in
                let size = Int(parts.pathLength >> 6) + 1
                let own = stride(from: 0, to: parts.path.count, by: size).count {
                    parts.path[$0..<($0 + size)].elementsEqual(context.key.prefix(size))
                }
                return own == 1 && context.node.server.preferences.loopDetection == .strict
            }),
        RoleMutant(
            "all-types-forwarded", .lax, ["INF-116", "OTA-034"], "Raw and reserved packets are forwarded as floods.",
            .forwards { parts, _ in parts.type.rawValue > 8 }),
        RoleMutant(
            "repeat-never-off", .lax, ["INF-117", "INF-063"], "Forwarding cannot be switched off.",
            .typed { line, _ in if line == "set repeat off" { line = "set repeat on" } }),
        RoleMutant(
            "foreign-dropped", .strict, ["INF-118", "OTA-013"], "What seems to be for the node is never forwarded.",
            .lost { $0.type == .req && $0.isFlood }),
        RoleMutant(
            "own-forwarded", .lax, ["INF-119", "OTA-033"], "What the node could open is forwarded too.",
            .forwards { parts, context in parts.type == .anonReq && parts.payload.first == context.key[0] }),
        RoleMutant(
            "versions-ignored", .lax, ["OTA-001"], "The version of a packet is not looked at.",
            .hearing { frame, _, _ in if !frame.isEmpty { frame[0] &= 0x3F } }),
        RoleMutant(
            "payload-limit-larger", .limit, ["OTA-004"], "Payloads of 185 bytes are forwarded.",
            .forwards { parts, _ in parts.payload.count == 185 }),
        RoleMutant(
            "empty-payload-dropped", .strict, ["OTA-005"], "Packets without payload are dropped.",
            .lost { $0.payload.isEmpty }),
        RoleMutant(
            "seen-table-small", .limit, ["OTA-021"], "A hundred packets are remembered.",
            .setup { _, board in board.firmware = board.firmware.changed { $0.seenPackets = 100 } }),
        RoleMutant(
            "seen-for-ever", .kept, ["OTA-021"], "Packets that were seen are never forgotten.",
            .hearing { frame, _, context in
                guard let payload = SentBytes(frame)?.payload,
                    context.heard.contains(where: { SentBytes($0)?.payload == payload })
                else { return }
                frame = []
            }),
        RoleMutant(
            "long-adverts-cut", .length, ["OTA-077"], "Application data beyond 32 bytes is cut.",
            .packet(.advert) { if $0.payload.count > 132 { $0.payload.removeLast($0.payload.count - 132) } }),
        RoleMutant(
            "nameless-dropped", .strict, ["OTA-078"], "Adverts without a name are not forwarded.",
            .lost { $0.type == .advert && $0.payload.count == 101 }),
        RoleMutant(
            "overflow-guarded", .oddity, ["INF-134", "OTA-032"], "A flood ends after 63 hops.",
            .lost { $0.type == .grpTxt && $0.isFlood && $0.pathLength == 0x40 }),
    ]

    private static let delays: [RoleMutant] = [
        RoleMutant(
            "no-flood-delay", .limit, ["INF-103", "OTA-035"], "Floods are forwarded at once.",
            .setup { setup, _ in setup.preferences.floodDelayFactor = 0 }),
        RoleMutant(
            "flood-delay-double", .limit, ["INF-103", "OTA-035"], "Floods wait twice as long.",
            .setup { setup, _ in setup.preferences.floodDelayFactor = 1 }),
        RoleMutant(
            "txdelay-ignored", .kept, ["INF-104"], "txdelay 0 changes nothing.",
            .typed { line, _ in if line == "set txdelay 0" { line = "set txdelay 0.5" } }),
        RoleMutant(
            "rxdelay-ignored", .kept, ["INF-121", "OTA-100"], "rxdelay changes nothing.",
            .typed { line, _ in if line == "set rxdelay 10" { line = "set rxdelay 0" } }),
        RoleMutant(
            "rxdelay-direct", .lax, ["INF-122"], "rxdelay delays direct packets too.",
            .late({ $0.type == .grpTxt && $0.header & 3 == 2 }, .milliseconds(300))),
        RoleMutant(
            "busy-never-talked-over", .limit, ["INF-213", "OTA-096"], "A busy channel is waited for a second longer.",
            .late({ $0.type == .advert }, .seconds(1))),
    ]

    private static let direct: [RoleMutant] = [
        RoleMutant(
            "own-hash-stays", .kept, ["INF-123", "OTA-040", "INF-124"], "The own hash stays in a direct path.",
            .sending { frame, context in
                guard var parts = SentBytes(frame), parts.type == .grpTxt, !parts.isFlood else { return }
                let size = Int(parts.pathLength >> 6) + 1
                parts.path = [UInt8](context.key.prefix(size)) + parts.path
                parts.pathLength += 1
                frame = parts.bytes
            }),
        RoleMutant(
            "hash-first-byte-only", .lax, ["OTA-041"], "Of a hash of two bytes the first one counts.",
            .hearing { frame, _, context in
                guard var parts = SentBytes(frame), !parts.isFlood, parts.pathLength >> 6 == 1,
                    parts.path.count >= 2, parts.path[0] == context.key[0]
                else { return }
                parts.path[1] = context.key[1]
                frame = parts.bytes
            }),
        RoleMutant(
            "size-bits-lost", .stale, ["INF-124"], "The last hop leaves a path length of 0.",
            .packet(.grpTxt) { if $0.pathLength & 63 == 0 { $0.pathLength = 0 } }),
        RoleMutant(
            "direct-codes-lost", .lost, ["INF-125"], "Direct packets lose their codes.",
            .packet(.grpTxt) {
                guard $0.header & 3 == 3 else { return }
                $0.codes = []
                $0.header = $0.header & 0xFC | 2
            }),
        RoleMutant(
            "ack-cut", .length, ["INF-126", "OTA-042"], "Acknowledgements are cut to four bytes.",
            .packet(.ack) { if $0.payload.count > 4 { $0.payload.removeLast($0.payload.count - 4) } }),
        RoleMutant(
            "ack-delayed", .late, ["INF-126", "OTA-042"], "Direct acknowledgements wait for half a second.",
            .late({ $0.type == .ack }, .milliseconds(500))),
        RoleMutant(
            "no-extra-ack", .missing, ["INF-127", "OTA-043"], "There are no copies of acknowledgements.",
            .lost { $0.type == .multipart }),
        RoleMutant(
            "multipart-late", .late, ["INF-128", "OTA-044"], "Copies of acknowledgements wait another 300 ms.",
            .late({ $0.type == .ack }, .milliseconds(300))),
        RoleMutant(
            "ack-after-copy-lost", .missing, ["INF-129"], "The acknowledgement behind its copy is taken for it.",
            .hearing { frame, _, context in
                guard let parts = SentBytes(frame), parts.type == .ack,
                    context.heard.contains(where: { SentBytes($0)?.type == .multipart })
                else { return }
                frame = []
            }),
        RoleMutant(
            "raw-not-forwarded", .strict, ["OTA-046"], "Raw packets go no further.",
            .lost { $0.type == .rawCustom && !$0.isFlood }),
        RoleMutant(
            "control-forwarded", .lax, ["OTA-047"], "Control packets go on along a path.",
            .extra { heard, _ in
                guard var parts = SentBytes(heard), parts.type == .control, parts.path.count > 1 else { return [] }
                parts.path.removeFirst()
                parts.pathLength -= 1
                return [(.milliseconds(50), parts.bytes)]
            }),
        RoleMutant(
            "others-remembered", .kept, ["OTA-023"], "Packets for another next hop are remembered as seen.",
            .hearing { frame, _, context in
                guard let parts = SentBytes(frame), parts.type == .grpTxt,
                    context.heard.contains(where: { SentBytes($0)?.payload == parts.payload })
                else { return }
                frame = []
            }),
        RoleMutant(
            "trace-snr-whole", .reply, ["INF-130", "OTA-050"], "A trace gains the SNR in whole decibels.",
            .packet(.trace) { if let last = $0.path.last { $0.path[$0.path.count - 1] = last / 4 } }),
        RoleMutant(
            "trace-not-counted", .offByOne, ["INF-130", "OTA-050", "INF-131", "OTA-053"],
            "A trace keeps its number of hops.",
            .packet(.trace) {
                $0.path.removeLast()
                $0.pathLength -= 1
            }),
        RoleMutant(
            "trace-ended-sent", .lax, ["INF-132"], "A trace that has ended goes on.",
            .extra { heard, _ in
                guard let parts = SentBytes(heard), parts.type == .trace, parts.payload.count == 10 else { return [] }
                return [(.milliseconds(50), parts.bytes)]
            }),
        RoleMutant(
            "trace-once", .strict, ["INF-133", "OTA-051"], "A trace is forwarded once.",
            .lost { $0.type == .trace && $0.pathLength > 1 }),
    ]

    private static let discovery: [RoleMutant] = [
        RoleMutant(
            "neighbour-snr-whole", .reply, ["INF-138", "INF-141"], "Neighbours are listed with whole decibels.",
            .answers("neighbors") { answer in
                let lines = answer.split(separator: "\n").map { line in
                    let parts = line.split(separator: ":")
                    return parts.count == 3 ? "\(parts[0]):\(parts[1]):\((Int(parts[2]) ?? 0) / 4)" : String(line)
                }
                answer = lines.joined(separator: "\n")
            }),
        RoleMutant(
            "neighbours-oldest-first", .order, ["INF-141"], "Neighbours are listed oldest first.",
            .answers("neighbors") { $0 = $0.split(separator: "\n").reversed().joined(separator: "\n") }),
        RoleMutant(
            "far-neighbours", .lax, ["INF-139"], "Adverts with hops enter the table of neighbours.",
            .hearing { frame, _, _ in
                guard var parts = SentBytes(frame), parts.type == .advert, parts.isFlood else { return }
                (parts.path, parts.pathLength) = ([], 0)
                frame = parts.bytes
            }),
        RoleMutant(
            "shared-neighbours", .lax, ["INF-139", "OTA-079"], "A shared repeater enters the table of neighbours.",
            .hearing { frame, _, _ in
                guard var parts = SentBytes(frame), parts.type == .advert, parts.header & 3 == 3 else { return }
                parts.codes = []
                parts.header = parts.header & 0xFC | 2
                frame = parts.bytes
            }),
        RoleMutant(
            "space-clears-neighbours", .lax, ["INF-142"], "A space for a key clears the table of neighbours.",
            .typed { line, _ in if line == "neighbor.remove  " { line = "neighbor.remove " } }),
        RoleMutant(
            "neighbour-versions-ignored", .lax, ["INF-088"], "Requests for neighbours of any version are answered.",
            .misread(.req) { if $0.count > 5, $0[4] == 6 { $0[5] = 0 } }),
        RoleMutant(
            "neighbours-in-one-order", .order, ["INF-089", "INF-140", "INF-091"],
            "Neighbours come newest first always.",
            .misread(.req) { if $0.count > 9, $0[4] == 6 { $0[9] = 0 } }),
        RoleMutant(
            "neighbour-total-returned", .reply, ["INF-090"], "The total is the number of those returned.",
            .sealed([.response]) { if $0.count > 8, $0[4] == 14 { $0[4] = $0[6] } }),
        RoleMutant(
            "discovery-wrong-bit", .lax, ["INF-143", "INF-145"], "Searches for any type are answered.",
            .hearing { frame, _, _ in
                guard var parts = SentBytes(frame), parts.type == .control, parts.payload.count >= 6,
                    parts.payload[0] >> 4 == 8
                else { return }
                parts.payload[1] |= 4
                frame = parts.bytes
            }),
        RoleMutant(
            "discovery-key-whole", .length, ["INF-144"], "The whole key is sent to those who want eight bytes.",
            .hearing { frame, _, _ in
                guard var parts = SentBytes(frame), parts.type == .control, !parts.payload.isEmpty else { return }
                parts.payload[0] &= 0xFE
                frame = parts.bytes
            }),
        RoleMutant(
            "discovery-snr-of-zero", .stale, ["INF-143", "INF-145", "OTA-091"],
            "Searches are answered with an SNR of 0.",
            .packet(.control) { if $0.payload.count > 1, $0.payload[0] == 0x92 { $0.payload[1] = 0 } }),
        RoleMutant(
            "discovery-since-ignored", .lax, ["INF-146"], "Searches for news are answered in any case.",
            .hearing { frame, _, _ in
                guard var parts = SentBytes(frame), parts.type == .control, parts.payload.count == 10 else { return }
                parts.payload.removeLast(4)
                frame = parts.bytes
            }),
        RoleMutant(
            "discovery-without-repeat", .lax, ["INF-147"], "A repeater that does not repeat is found.",
            .typed { line, _ in if line == "set repeat off" { line = "set repeat on" } },
            .answers("set repeat") { $0 = "OK - repeat is now OFF" }),
        RoleMutant(
            "discovery-at-once", .late, ["INF-149"], "Searches are answered within half a second.",
            .setup { setup, _ in setup.preferences.floodDelayFactor = 0.05 }),
        RoleMutant(
            "discovery-by-flood", .lax, ["INF-148"], "Searches by flood are answered.",
            .hearing { frame, _, _ in
                guard var parts = SentBytes(frame), parts.type == .control, parts.isFlood else { return }
                parts.header = parts.header & 0xFC | 2
                frame = parts.bytes
            }),
        RoleMutant(
            "search-without-since", .length, ["INF-152"], "The node's own searches have six bytes.",
            .packet(.control) { if $0.payload.first == 0x80 { $0.payload.removeLast(4) } }),
    ]

    private static let commands: [RoleMutant] = [
        RoleMutant(
            "reply-plain", .reply, ["INF-189"], "Answers to commands are plain texts.",
            .sealed([.txtMsg]) { $0[at: 4] = 0 }),
        RoleMutant(
            "reply-late", .late, ["INF-189", "INF-192"], "Answers to commands come 400 ms late.",
            .late({ $0.type == .txtMsg }, .milliseconds(400))),
        RoleMutant(
            "prefix-lost", .lost, ["INF-190"], "The prefix of a line does not come back.",
            .answered { line, answer in if line.dropFirst(2).first == "|" { answer = String(answer.dropFirst(3)) } }),
        RoleMutant(
            "plain-not-acknowledged", .missing, ["INF-192"], "Plain commands are not acknowledged.",
            .lost { $0.type == .ack }),
        RoleMutant(
            "clock-sync-minute", .offByOne, ["INF-195"], "clock sync sets a minute more.",
            .sealed([.txtMsg]) { answer in
                // Behind hours and a colon.
                guard let place = answer.firstRange(of: [UInt8]("clock set: ".utf8))?.upperBound else { return }
                if let minute = answer[at: place + 4] { answer[place + 4] = minute ^ 1 }
            }),
        RoleMutant(
            "clock-goes-back", .lax, ["INF-197"], "time sets the clock back.",
            .answers("time 1") { $0 = "OK - clock set: 00:00 - 1/1/1970 UTC" }),
        RoleMutant(
            "password-not-cut", .limit, ["INF-199"], "A password keeps sixteen bytes.",
            .sealed([.txtMsg]) { answer in
                guard let place = answer.firstRange(of: [UInt8]("lmno".utf8))?.upperBound, place < answer.count else {
                    return
                }
                answer[place] = UInt8(ascii: "p")
            }),
        RoleMutant(
            "numbers-rounded", .reply, ["INF-202"], "Decimals are rounded to two digits.",
            .answers("get lat") { $0 = "> -0.13" }),
        RoleMutant(
            "limit-256-refused", .strict, ["INF-203"], "A limit of 256 is refused.",
            .answers("set flood.max 256") { $0 = "Error, max 64" }),
        RoleMutant(
            "dutycycle-echo", .reply, ["INF-204"], "A duty cycle is answered with OK alone.",
            .answers("set dutycycle") { $0 = "OK" }),
        RoleMutant(
            "unknown-silent", .missing, ["INF-210", "INF-190"], "Unknown commands are not answered.",
            .answered { _, answer in if answer.hasSuffix("Unknown command") { answer = "" } }),
        RoleMutant(
            "region-without-home", .reply, ["INF-206", "INF-205"], "The home region has no mark.",
            .answers("region") { $0 = $0.replacing("^", with: "") }),
        RoleMutant(
            "region-get-trimmed", .reply, ["INF-207"], "Answers about regions end without a space.",
            .answers("region get") { if $0.hasSuffix(" ") { $0.removeLast() } }),
        RoleMutant(
            "region-parent-removed", .lax, ["INF-208"], "A region with parts is removed.",
            .answers("region remove a") { $0 = "OK" }),
        RoleMutant(
            "regions-saved-at-once", .kept, ["INF-019"], "Regions are saved without a command.",
            .typed { line, _ in if line == "reboot" { line = "region save" } }),
        RoleMutant(
            "default-not-saved", .lost, ["INF-020"], "The default region does not survive a restart.",
            .restarted { _ = $0.remove("/regions2") }),
        RoleMutant(
            "replays-remembered", .kept, ["INF-017"], "Time stamps of clients survive a restart.",
            .typed { line, _ in if line == "reboot" { line = "ver" } }),
        RoleMutant(
            "stats-not-cleared", .kept, ["INF-215"], "clear stats clears nothing.",
            .typed { line, _ in if line == "clear stats" { line = "ver" } },
            .answers("clear stats") { $0 = "(OK - stats reset)" }),
        RoleMutant(
            "duty-cycle-ignored", .limit, ["INF-211", "INF-212", "OTA-097"], "The airtime factor changes nothing.",
            .typed { line, _ in if line == "set af 9" { line = "set af 1" } }),
    ]
}
