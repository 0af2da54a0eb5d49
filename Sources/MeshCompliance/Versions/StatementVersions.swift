package import MeshCompanion

/// The versions of the firmware that a statement holds in: one row of section 5.1 of the article FirmwareVersions.
package struct StatementVersions: Hashable, Sendable {
    /// The releases in which it holds as it is written.
    package let holds: ReleaseRange
    /// The behaviour of the other versions, in words that follow a colon.
    package let otherwise: String
    /// Tells whether its check asks the version's switches, and so runs in every version.
    let isFollowed: Bool

    package init(holds: ReleaseRange, otherwise: String, isFollowed: Bool) {
        self.holds = holds
        self.otherwise = otherwise
        self.isFollowed = isFollowed
    }

    package static let always = StatementVersions(holds: .always, otherwise: "", isFollowed: true)

    /// Those of a statement, by its number.
    static func of(_ number: Int) -> StatementVersions { byNumber[number] ?? .always }

    /// Tells whether a check shows something on a radio of this version.
    package func isShown(in version: FirmwareVersion) -> Bool { isFollowed || holds.contains(version) }

    /// Returns the sentence of a report where it is not shown.
    package func absence(in version: FirmwareVersion) -> String {
        "not in version \(version): it holds \(holds); \(version) does this: \(otherwise)"
    }

    /// The paragraph of the article; `nil` for statements that hold in all versions.
    package var paragraph: String? {
        holds == .always ? nil : "As written \(holds). Other versions: \(otherwise)."
    }

    private static let byNumber: [Int: StatementVersions] = {
        let rows =
            links.map { ($0, true) } + figures.map { ($0, true) } + ranges.map { ($0, false) }
        return rows.reduce(into: [:]) { table, row in
            let ((numbers, holds, otherwise), isFollowed) = row
            for number in numbers {
                table[number] = StatementVersions(holds: holds, otherwise: otherwise, isFollowed: isFollowed)
            }
        }
    }()

    private typealias Row = (numbers: [Int], holds: ReleaseRange, otherwise: String)

    // MARK: Statements with figures of the version

    private static let links: [Row] = [
        ([4, 12, 26], .since("1.16"), "the limit is 172 bytes"),
        ([33], ReleaseRange(since: "1.16", until: "1.17.1"), "unknown codes begin at 3E (1.14), 41 (1.15), 43 (1.18)"),
        ([34], .since("1.16"), "SEND_RAW_PACKET, and in 1.14 SEND_CHANNEL_DATA, are unknown"),
        ([38], .until("1.17.1"), "the command line's `reboot`, `poweroff` and `shutdown` give no reply either"),
        ([40], ReleaseRange(since: "1.16", until: "1.17.1"), "the level is 10 (1.14), 11 (1.15), 14 (1.18)"),
    ]

    private static let figures: [Row] = [
        ([56], .until("1.17.1"), "open (FWV-201); taken to be the same"),
        ([58], .since("1.15"), "the lowest frequency is 300000 kHz"),
        ([60, 61, 62], .since("1.16"), "869000 stands in place of 869495"),
        ([79], .since("1.16"), "the same is true of the sub-type 1"),
        ([82], .since("1.16"), "869000 stands in place of 869495"),
        ([114, 115, 186], .since("1.16"), "the time-outs are smaller, as the preamble has 16 symbols"),
        ([122], .since("1.16"), "an acknowledgement of value 0 counts as seen"),
        (
            [104], .since("1.17"),
            "found by key, neither listed nor stored, but counted (1.16); an ordinary contact (until 1.15)"
        ),
        ([117], .until("1.17.1"), "type 3 is accepted too"),
        ([118, 240], .since("1.16"), "159 bytes fit a frame, so TABLE_FULL shows for attempts above 3 only"),
        (
            [133], ReleaseRange(since: "1.16", until: "1.17.1"),
            "above 163 (1.15) or 165 bytes (1.18) ILLEGAL_ARG; 1.14: unknown command"
        ),
        ([145], .since("1.16"), "172 bytes: texts of 156, signed ones of 152, channel texts of 161"),
        ([151, 249], .since("1.16"), "the acknowledgement has 4 bytes"),
        ([183], .since("1.16"), "168 bytes"),
        ([192], .since("1.16"), "169 bytes"),
        ([201], .since("1.16"), "a chunk has at most 171 bytes"),
        ([205], .since("1.17"), "over USB the reply OK comes before the restart"),
        (
            [206], .since("1.17"),
            "over USB and Wi-Fi the radio answers FILE_IO_ERROR and goes on; over Bluetooth it falls silent"
        ),
        ([217], .until("1.17.1"), "open (FWV-202); taken to be the same"),
    ]

    // MARK: Statements that do not hold everywhere

    private static let ranges: [Row] = [
        ([32], .since("1.16"), "the MTU is 172, and frames are cut to 169 bytes"),
        ([18], .since("1.17"), "there is no Ethernet companion"),
        ([74, 75, 76, 77, 246], .since("1.15"), "the command is unknown: `01 01`"),
        ([78], .since("1.16"), "the sub-type 1 is refused: `01 01`"),
        ([80], .since("1.15"), "a self advert is always a plain flood"),
        ([101, 234], .since("1.17"), "the key of zeros is found nowhere: `01 02`"),
        ([130, 131, 132, 140], .since("1.15"), "the command is unknown (`01 01`), and datagrams are not delivered"),
        ([134, 237], .since("1.16"), "there is no SEND_RAW_PACKET that holds all packets"),
        ([141], .since("1.15"), "only channel texts make room, and datagrams are not delivered"),
        (
            [161, 163, 164, 166, 178, 235], .until("1.17.1"), "an answer that nothing waits for is pushed as `8C`"
        ),
        ([146], .since("1.16"), "the limit is 163 (1.15); nothing is delivered (1.14)"),
        ([150, 158], .until("1.17.1"), "slots without a name never receive"),
        ([171], .since("1.16"), "SEND_ANON_REQ needs a contact too: `01 02`"),
        ([172], .since("1.17"), "the contact takes a place and is counted (1.16); `01 02` (until 1.15)"),
        ([173], .since("1.16"), "the same, for stored contacts only"),
        ([174], .since("1.17"), "as many as there are places, the oldest replaced with `8F` (1.16); none (until 1.15)"),
        ([180, 181, 236], .until("1.17.1"), "the path length is an encoded one; a short payload is `01 06`"),
        ([189, 191], .since("1.16"), "the command is unknown: `01 01`"),
        ([190], .since("1.17"), "the same reply, and the buffer is lost (1.16); `01 01` (until 1.15)"),
        ([210, 230], .since("1.17"), "there is no temperature of the processor"),
        ([226], .since("1.17"), "taken over in place, whatever the rules say (1.16); no such contacts (until 1.15)"),
        ([232], .since("1.16"), "171 and 172 bytes"),
        (Array(250...261), .since("1.18"), "a radio has one interface"),
        ([233], .since("1.17"), "no longer listed at once, not stored (1.16); listed and stored (until 1.15)"),
    ]
}
