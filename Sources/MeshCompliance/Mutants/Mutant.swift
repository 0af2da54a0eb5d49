package import MeshFirmware

/// A companion radio with one fault that can be switched on: what a suite or an app has to notice.
///
/// Each is something that firmware of others, or an emulator, could really get wrong. A mutant that no statement notices
/// shows a hole in the suite, and an app that does not cope with one shows what it takes for granted. A radio has at most
/// one; its other oddities are those of the firmware.
public struct Mutant: Sendable {
    /// The name users pick it by, in lower case with hyphens.
    public let name: String
    /// What the fault has to do with.
    public let family: Family
    /// One sentence: what the radio does wrong.
    public let summary: String
    /// Numbers of the statements (CMP) that must be broken by it, every one of them.
    public let statements: [Int]
    let faults: [Defect]

    init(_ name: String, _ family: Family, _ statements: [Int], _ summary: String, _ faults: Defect...) {
        self.name = name
        self.family = family
        self.statements = statements
        self.summary = summary
        self.faults = faults
    }

    /// What kind of fault it is.
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
        /// What should not come at all.
        case unasked = "frame that nobody asked for"
        case late = "late"
        /// Bytes or values of earlier stand where new ones belong.
        case stale = "stale byte"
        /// What should last is forgotten.
        case lost = "state not kept"
        /// What should be forgotten lasts.
        case kept = "state kept too long"
        case limit = "wrong limit"
        /// Something wrong is taken for good.
        case lax = "takes what is wrong"
        /// Something good is refused.
        case strict = "refuses what is right"
        case air = "wrong packet on the air"
        /// An oddity of the firmware is left out.
        case oddity = "oddity left out"
    }

    /// All mutants, by the sections of the suite.
    public static let all: [Mutant] =
        framing + bluetooth + dispatch + session + settings + scopes + contacts + contactFrames + cards + sending
        + channelTexts
        + receiving + acknowledging + channels + logins + requests + rawData + identity + statistics + adverts + corners
        + oddities

    /// What gives the fault to a radio; ``CompanionRadio/attach(_:)`` builds it in.
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
