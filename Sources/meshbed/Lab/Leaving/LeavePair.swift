import MeshCompanion

/// The phases of a connection, in the order in which a synchronisation goes through them.
enum LeavePhase: String, Hashable, Sendable, Codable, CaseIterable {
    case connect
    case appStart = "APP_START"
    case deviceQuery = "DEVICE_QUERY"
    case clock, contacts, channels, messages, idle

    /// The phase after a command of the app; one that begins none leaves it as it was.
    func following(_ code: UInt8) -> LeavePhase {
        switch CommandCode(rawValue: code) {
        case .appStart: .appStart
        case .deviceQuery: .deviceQuery
        // The same question comes before an incremental listing.
        case .getDeviceTime, .setDeviceTime: self == .deviceQuery ? .clock : self
        case .getContacts: .contacts
        case .getChannel: .channels
        case .syncNextMessage: .messages
        default: self
        }
    }
}

/// A place in the conversation between app and radio at which something happens.
enum LeavePlace: Hashable, Sendable {
    /// The side of a frame.
    enum Side: String, Hashable, Sendable, CaseIterable {
        /// The frame does not arrive.
        case before
        /// Half of its bytes arrive: only on the way to a radio that is reached by a stream of bytes.
        ///
        /// An app never sees half a frame of a stream. On the way to it this is the same as `before`.
        case inside
        /// The frame has arrived.
        case after
    }

    /// The link cannot be opened at first.
    case connect
    /// A frame, by its number among all frames of the connection in both directions.
    case frame(Int, FrameDirection, Side)
    /// Some seconds after the synchronisation.
    case idle

    /// Tells whether it is this side of this frame.
    func isAt(_ number: Int, _ direction: FrameDirection, _ side: Side) -> Bool {
        self == .frame(number, direction, side)
    }
}

extension LeavePlace: CustomStringConvertible {
    /// `17.app.after`: a number, the receiver of the frame, the side of it.
    var description: String {
        switch self {
        case .connect: "connect"
        case .idle: "idle"
        case .frame(let number, let direction, let side):
            "\(number).\(direction == .toApp ? "app" : "radio").\(side.rawValue)"
        }
    }
}

/// The return of an app whose link has ended.
enum LeaveReturn: String, Hashable, Sendable, Codable, CaseIterable {
    /// The link does not end: something else happens at the place.
    case stays
    case oneSecond = "1s"
    case fiveSeconds = "5s"
    case thirtyOneSeconds = "31s"
    /// The link can be opened again after two minutes, and the user connects by hand then.
    case byHand = "hand"

    /// Those that end the link.
    static let departures = allCases.filter { $0 != .stays }

    /// The time after which the link can be opened again by itself; `nil` where that is the bench's decision.
    var span: Duration? {
        switch self {
        case .stays, .byHand: nil
        case .oneSecond: .seconds(1)
        case .fiveSeconds: .seconds(5)
        case .thirtyOneSeconds: .seconds(31)
        }
    }
}

/// An event at the radio, at the place.
enum LeaveOccasion: String, Hashable, Sendable, Codable, CaseIterable {
    /// A text on the public channel is received: the radio says that messages wait.
    case message
    /// A new node advertises itself, and becomes a contact.
    case advert
    /// A text that another app has sent is acknowledged.
    case acknowledgement
    /// A new node takes the place of the oldest contact in a full table.
    case removal
    /// The radio restarts. Messages in its queue are in memory alone, and gone.
    case reboot
}

/// One run: a place, the return of the app, and an event at the radio.
struct LeavePair: Hashable, Sendable {
    var place: LeavePlace
    var back: LeaveReturn
    var occasion: LeaveOccasion?

    init(_ place: LeavePlace, _ back: LeaveReturn, _ occasion: LeaveOccasion? = nil) {
        self.place = place
        self.back = back
        self.occasion = occasion
    }
}

extension LeavePair: CustomStringConvertible {
    /// `17.app.after/5s`, with an event `17.app.after/stays/message`.
    var description: String {
        ([place.description, back.rawValue] + [occasion?.rawValue].compactMap(\.self)).joined(separator: "/")
    }
}
