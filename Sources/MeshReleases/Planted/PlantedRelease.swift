import MeshCompanion
import MeshCompliance
import MeshRoleCompliance

/// A made-up release with one fault, for the comparison to name.
package struct PlantedRelease: Sendable {
    /// The name in tables.
    package let name: String
    /// One sentence: what the release does wrong.
    package let summary: String
    /// The weight of the difference that must be found.
    package let weight: FindingWeight
    /// Beginnings of the names of findings, one of which must be found.
    let signs: [String]
    /// The release with its fault.
    package let release: ComparedRelease

    private init(
        _ name: String, _ weight: FindingWeight, _ signs: [String], _ summary: String,
        _ change: (inout ComparedRelease) -> Void
    ) {
        (self.name, self.weight, self.signs, self.summary) = (name, weight, signs, summary)
        var release = ComparedRelease(name, saying: .standard)
        change(&release)
        self.release = release
    }

    /// The release that all of them are made from.
    package static let sound = ComparedRelease(.standard)

    /// The statements among the signs.
    package var statements: Set<String> { Set(signs.filter { $0.contains(/^[A-Z]+-[0-9]+$/) }) }

    /// Tells whether a comparison has named the fault.
    package func isNamed(by report: FirmwareComparisonReport) -> Bool {
        report.findings.contains { finding in
            finding.weight == weight && signs.contains { finding.id == $0 || finding.id.hasPrefix($0 + "/") }
        }
    }

    /// Ten releases, two for each kind of fault.
    package static let all: [PlantedRelease] = [
        PlantedRelease(
            "regions-forgotten", .lostState, ["state/repeater/regions"], "The table of regions is not read at a start.",
            { $0.fail(role: "default-not-saved") }),
        PlantedRelease(
            "channels-forgotten", .lostState, ["state/companion-radio/channels"], "A channel is not stored.",
            { $0.companionFault = Mutant.named("channel-not-stored") }),
        PlantedRelease(
            "tuning-swapped", .brokenProtocol, ["CMP-065"], "TUNING_PARAMS has its fields the wrong way round.",
            { $0.companionFault = Mutant.named("tuning-swapped") }),
        PlantedRelease(
            "login-level", .brokenProtocol, ["INF-039"], "A repeater gives another level in answers to logins.",
            { $0.fail(role: "login-level-one") }),
        PlantedRelease(
            "no-hop-limits", .routing, ["INF-107", "INF-108", "OTA-036"],
            "Un-scoped floods and adverts have no limits of hops.", { $0.change { $0.hasHopLimits = false } }),
        PlantedRelease(
            "acks-cut", .routing, ["INF-126", "OTA-042"], "Relays cut acknowledgements to four bytes.",
            { $0.change { $0.relaysWholeAcks = false } }),
        PlantedRelease(
            "login-late", .timing, ["INF-036"], "Logins are answered a tenth of a second late.",
            { $0.fail(role: "login-late") }),
        PlantedRelease(
            "posts-late", .timing, ["INF-153", "INF-154"], "Posts are acknowledged after 300 ms.",
            { $0.fail(role: "post-ack-late") }),
        PlantedRelease(
            "long-preamble", .airtime, ["air"], "Preambles have 64 symbols.", { $0.change { $0.shortPreamble = 64 } }),
        PlantedRelease(
            "adverts-often", .airtime, ["INF-002", "INF-003"], "An unconfigured repeater adverts every four minutes.",
            { $0.fail(role: "adverts-every-four-minutes") }),
    ]
}

extension ComparedRelease {
    /// Gives the nodes of a role the fault of a mutant.
    fileprivate mutating func fail(role name: String) {
        roleFaults += RoleMutant.all.filter { $0.name == name }
    }

    /// Changes what the nodes run, and not what the release says.
    fileprivate mutating func change(_ change: (inout FirmwareSwitches) -> Void) {
        var switches = running.switches
        change(&switches)
        running = FirmwareVersion(
            name: running.name, release: running.release, buildDate: running.buildDate, switches: switches)
    }
}
