public import MeshCompanion

extension LinkFaultKind {
    /// The names of the kinds in files and requests, in the order of the article on link faults.
    public enum Name: String, Hashable, Sendable, CaseIterable {
        case late, split, merge
        case doubleBytes = "double-bytes"
        case cut = "cut-bytes"
        case cutFront = "cut-front"
        case loseBytes = "lose-bytes"
        case garble
        case insert = "insert-bytes"
        case rubbish
        case olderSession = "older-session"
        case lose, swap, double, push
        case otherAnswer = "other-answer"
        case wrongLength = "wrong-length"
        case error = "error-answer"
        case moreContacts = "more-contacts"
        case fewerContacts = "fewer-contacts"
        case endlessListing = "endless-listing"
        case sameMessage = "same-message"
        case unknownCode = "unknown-code"
        case longest = "longest-frame"
        case overlong = "overlong-frame"
        case empty = "empty-frame"
        case stall
        case endBefore = "end-before"
        case endWithin = "end-within"
        case endAfter = "end-after"
        case refuseConnection = "refuse-connection"
        case reboot
        case boardOff = "board-off"
        case brownOut = "brown-out"

        /// The direction without which the kind makes no sense; `nil` for either.
        public var onlyWay: FrameDirection? {
            switch self {
            case .push, .otherAnswer, .error, .moreContacts, .fewerContacts, .endlessListing, .sameMessage: .toApp
            default: nil
            }
        }
    }

    /// The name of the kind, without its parameters; `nil` for a fault of Bluetooth, which has a name of its own.
    public var id: Name? {
        switch self {
        case .late: .late
        case .split: .split
        case .merge: .merge
        case .doubleBytes: .doubleBytes
        case .cut: .cut
        case .cutFront: .cutFront
        case .loseBytes: .loseBytes
        case .garble: .garble
        case .insert: .insert
        case .rubbish: .rubbish
        case .olderSession: .olderSession
        case .lose: .lose
        case .swap: .swap
        case .double: .double
        case .push: .push
        case .otherAnswer: .otherAnswer
        case .wrongLength: .wrongLength
        case .error: .error
        case .moreContacts: .moreContacts
        case .fewerContacts: .fewerContacts
        case .endlessListing: .endlessListing
        case .sameMessage: .sameMessage
        case .unknownCode: .unknownCode
        case .longest: .longest
        case .overlong: .overlong
        case .empty: .empty
        case .stall: .stall
        case .endBefore: .endBefore
        case .endWithin: .endWithin
        case .endAfter: .endAfter
        case .refuseConnection: .refuseConnection
        case .reboot: .reboot
        case .boardOff: .boardOff
        case .brownOut: .brownOut
        case .bluetooth: nil
        }
    }
}
