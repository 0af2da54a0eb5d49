public import MeshCompanion
package import MeshFirmware

/// A companion radio with one fault that can be switched on, for a suite or an app to notice.
///
/// Each is something that firmware of others, or an emulator, could really get wrong. A mutant that no statement
/// notices shows a hole in the suite. An app that does not cope with one shows its assumptions. A radio has at most
/// one; its other quirks are those of the firmware.
public struct Mutant: Sendable {
    /// The name users pick it by, in lower case with hyphens.
    public let name: String
    /// The family of the fault.
    public let family: Family
    /// One sentence: what the radio does wrong.
    public let summary: String
    /// Numbers of the statements (CMP) that must be broken by it, every one of them.
    public let statements: [Int]
    /// Names of the checks of an app that leaves (`LEAVE-…`) that must be broken, too.
    let leaves: [String]
    /// Rows of the probe table that must be broken, too.
    let probes: [Int]
    /// The version of the firmware that has the fault.
    public let firmware: FirmwareVersion
    let faults: [Defect]
    /// Statements of another suite than that of companion radios; `nil` for a companion radio.
    let ofOtherSuite: (option: String, ids: [String])?

    init(_ name: String, _ family: Family, _ statements: [Int], _ summary: String, _ faults: Defect...) {
        self.name = name
        self.family = family
        self.statements = statements
        self.summary = summary
        leaves = []
        probes = []
        firmware = .standard
        self.faults = faults
        ofOtherSuite = nil
    }

    /// A fault that another suite switches on: the words of the command that choose the suite, and the statements that
    /// must be broken.
    package init(
        _ name: String, _ family: Family, of firmware: FirmwareVersion = .standard, suite option: String,
        breaking ids: [String], _ summary: String
    ) {
        self.name = name
        self.family = family
        self.summary = summary
        statements = []
        leaves = []
        probes = []
        self.firmware = firmware
        faults = []
        ofOtherSuite = (option, ids)
    }

    /// A radio of a version that does one thing as another version does.
    init(
        _ name: String, of firmware: FirmwareVersion, _ statements: [Int], probes: [Int] = [], _ summary: String,
        _ change: @escaping @Sendable (inout FirmwareSwitches) -> Void
    ) {
        self.name = name
        family = .version
        self.summary = summary
        self.statements = statements
        leaves = []
        self.probes = probes
        self.firmware = firmware
        var switches = firmware.switches
        change(&switches)
        let changed = FirmwareVersion(
            name: firmware.name, release: firmware.release, buildDate: firmware.buildDate, switches: switches)
        faults = [.board { $0.firmware = changed }]
        ofOtherSuite = nil
    }

    /// A fault that shows when an app leaves and returns, by the names of the checks behind `LEAVE-`.
    init(_ name: String, _ family: Family, leaving leaves: [String], _ summary: String, _ faults: Defect...) {
        self.name = name
        self.family = family
        self.leaves = leaves
        self.summary = summary
        statements = []
        probes = []
        firmware = .standard
        self.faults = faults
        ofOtherSuite = nil
    }

    /// A radio that runs a version, whichever it is checked against, with the fault of another mutant.
    package init(running firmware: FirmwareVersion, with fault: Mutant? = nil) {
        name = fault?.name ?? "running-\(firmware.name)"
        family = fault?.family ?? .version
        summary = fault?.summary ?? "The radio runs \(firmware.name)."
        statements = fault?.statements ?? []
        leaves = fault?.leaves ?? []
        probes = fault?.probes ?? []
        self.firmware = .standard
        faults = [.board { $0.firmware = firmware }] + (fault?.faults ?? [])
        ofOtherSuite = nil
    }

    /// The kinds of faults.
    public enum Family: String, CaseIterable, Hashable, Sendable {
        /// The stream around the frames: markers, lengths, what is skipped.
        case framing = "wrong framing"
        /// A field of a reply or push has another value.
        case reply = "wrong reply"
        case errorCode = "wrong error code"
        case length = "wrong length"
        /// The bytes of a number stand the wrong way round, or two fields have changed places.
        case byteOrder = "wrong byte order"
        case offByOne = "off by one"
        /// Frames come in another order than they should.
        case order = "wrong order"
        case missing = "missing frame"
        case doubled = "doubled frame"
        /// A frame that should not come at all.
        case unasked = "frame that nobody asked for"
        case late = "late"
        /// Bytes or values of earlier stand where new ones belong.
        case stale = "stale byte"
        /// State that should last is forgotten.
        case lost = "state not kept"
        /// State that should be forgotten lasts.
        case kept = "state kept too long"
        case limit = "wrong limit"
        /// A wrong input is accepted.
        case lax = "takes what is wrong"
        /// A right input is refused.
        case strict = "refuses what is right"
        case air = "wrong packet on the air"
        /// An oddity of the firmware is left out.
        case oddity = "oddity left out"
        /// Behaviour of another version of the firmware.
        case version = "another version's behaviour"
    }

    /// All mutants, by the sections of the suite.
    public static let all: [Mutant] =
        framing + bluetooth + dispatch + session + settings + scopes + contacts + contactFrames + cards + sending
        + channelTexts
        + receiving + acknowledging + channels + logins + requests + rawData + identity + statistics + adverts + corners
        + oddities + versions + leaving

    /// The hooks that give the fault to a radio; ``CompanionRadio/attach(_:)`` builds them in.
    package var hooks: any CompanionHooks { Mutation(self) }

    /// The mutant of this name, if there is one.
    public static func named(_ name: String) -> Mutant? { all.first { $0.name == name } }
}

extension Mutant: Hashable {
    public static func == (a: Mutant, b: Mutant) -> Bool { a.name == b.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension Mutant: CustomStringConvertible {
    public var description: String { name }
}
