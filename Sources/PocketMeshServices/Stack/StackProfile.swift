public import MeshCore

/// Everything in which the designs and releases of PocketMesh differ, as values.
///
/// A preset is a profile with the values of one of them; each value can be changed alone. Services receive the profile
/// and never ask which preset it is. Source: ServiceStack, "Profiles".
public struct StackProfile: Hashable, Sendable {
    /// Texts.
    public var messages = MessagePolicy()
    /// The contact table.
    public var contacts = ContactPolicy()
    /// Channel slots.
    public var channels = ChannelPolicy()
    /// The order and the patience of a sync.
    public var sync = SyncPolicy()
    /// The life of a connection.
    public var connection = ConnectionPolicy()
    /// Repeaters, rooms and sensors.
    public var remoteNodes = RemoteNodePolicy()
    /// Pictures.
    public var images = ImagePolicy()
    /// Settings of the radio.
    public var settings = SettingsPolicy()

    public init() {}

    /// The second architecture: four attempts, flood after two. The default.
    public static let architectureV2 = StackProfile()

    /// The first architecture: three attempts with a linear pause, unfinished sends fail with the link.
    public static let architectureV1: StackProfile = {
        var profile = StackProfile()
        profile.messages.retry = .architectureV1
        profile.messages.unfinishedSends = .fail
        profile.channels.slotCap = 8
        profile.channels.allowsZeroPublicSecret = true
        return profile
    }()

    /// The product requirements: three direct attempts with a doubling pause, then one flood; ten queued messages.
    public static let prd: StackProfile = {
        var profile = StackProfile()
        profile.messages.retry = .prd
        profile.messages.queueLimit = 10
        profile.channels.slotCap = 8
        profile.images.isEnabled = false
        return profile
    }()

    /// The upstream project's final profile: five attempts, the last by flood.
    public static let upstreamFinal: StackProfile = {
        var profile = StackProfile()
        profile.messages.retry = .upstreamFinal
        profile.messages.directLimit = 150
        profile.messages.channelLimit = 147
        profile.connection.clockTolerance = .seconds(5)
        profile.remoteNodes.login = .upstream
        return profile
    }()

    /// The presets with their names.
    public static let presets: [(name: String, profile: StackProfile)] = [
        ("architectureV2", .architectureV2), ("architectureV1", .architectureV1), ("prd", .prd),
        ("upstreamFinal", .upstreamFinal),
    ]
}

/// The name that apps written for PocketMesh expect.
public typealias MessageServiceConfig = MessagePolicy

/// Texts: attempts, limits, the queue.
public struct MessagePolicy: Hashable, Sendable {
    /// The outcome for a message that was written and not confirmed when the link goes.
    public enum UnfinishedSends: Hashable, Sendable {
        /// The message stays sent until its limit, and is tried again after the reconnection.
        case keep
        case fail
    }

    /// The number of attempts to send a direct text, and their routes.
    public var retry = RetryPolicy.architectureV2
    /// The distance between texts to one contact, as parts of the wait for a confirmation. `nil`: no distance.
    ///
    /// It is drawn each time, and ends when the text before is confirmed sooner. Without a distance each text follows
    /// as soon as the radio has accepted the one before.
    ///
    /// A text and its confirmation occupy the air for a little less than a quarter of the wait. Without a distance the
    /// next text meets the confirmation of the one before. No preset asks for more than an order.
    public var spacing: ClosedRange<Double>? = 0.25...0.4
    /// The outcome for sends that were not confirmed when the link goes.
    public var unfinishedSends = UnfinishedSends.keep
    /// The longest direct text, in bytes of UTF-8.
    public var directLimit = 160
    /// The longest channel text in bytes; `nil`: 160 less the node's name and two.
    public var channelLimit: Int?
    /// Messages that may wait for the radio; 0 is no limit.
    public var queueLimit = 0
    /// The age from which on a queued message receives a fresh timestamp when it is first sent.
    public var queueAge: Duration = .seconds(24 * 3600)
    /// Direct messages on their way at once: the radio keeps eight expected codes.
    public var maxUnconfirmed = 4
    /// Pauses before a send is tried again that the radio had no room for, drawn 20 % up or down.
    public var tableFullPauses: [Duration] = [.milliseconds(500), .seconds(1), .seconds(2)]
    /// The time for which repeats of a delivered message are counted.
    public var repeatWindow: Duration = .seconds(60)
    /// The time for which an unknown confirmation is kept: it may overtake the answer to its send.
    public var earlyConfirmationWindow: Duration = .seconds(10)
    /// The interval of the search for expired sends.
    public var expiryInterval: Duration = .seconds(5)
    /// True when a path is requested after a flood delivered a message.
    public var discoversPathAfterFlood = true
    /// The rule that matches confirmations: by their code, except in a test that plants a defect.
    package var confirmationMatch = ConfirmationMatch.code

    public init() {}
}

/// The contact table.
public struct ContactPolicy: Hashable, Sendable {
    /// The number of seconds before the watermark that are requested again: the radio compares strictly.
    public var overlap: UInt32 = 1
    /// The time after which a sync is a full one.
    public var fullSyncAge: Duration = .seconds(7 * 24 * 3600)
    /// Adverts of unknown nodes within this time cause one sync.
    public var advertCoalescing: Duration = .seconds(2)
    /// The pauses before each look whether the radio has made a contact of a card.
    public var cardPauses: [Duration] = [.milliseconds(100), .milliseconds(400), .seconds(1)]
    /// True when a listing that broke off counts as the whole table: only in a test that plants a defect.
    package var trustsCutListing = false

    public init() {}
}

/// Channel slots.
public struct ChannelPolicy: Hashable, Sendable {
    /// The greatest number of slots that are read, even if the radio reports more.
    public var slotCap = 40
    /// The greatest number of further requests for a slot that failed.
    public var slotRetries = 2
    /// The number of time-outs in a row that end the reading.
    public var maxTimeoutsInARow = 3
    /// True when the public channel may be written with a secret of zeros, as the first architecture had it.
    public var allowsZeroPublicSecret = false

    public init() {}
}

/// The order and the patience of a sync.
public struct SyncPolicy: Hashable, Sendable {
    /// The greatest number of further tries of a synchronisation that failed.
    public var retries = 3
    /// The pause before it is tried again.
    public var retryPause: Duration = .seconds(2)
    /// True when the link is kept after all retries failed.
    public var keepsLinkAfterFailure = true
    /// The time limit of handlers of drained messages.
    public var handlerLimit: Duration = .seconds(30)
    /// The time without a push after which the queue is asked anyway; `nil`: never.
    public var safetyCheck: Duration?
    /// True when the radio's queue is left to another client.
    public var leavesQueue = false
    /// The number of messages that ends a drain: radios hold 256 at most, so one that delivers more has no end.
    public var drainLimit = 10_000
    /// The number of equal messages in a row that ends a drain: the radio does not remove it from its queue.
    ///
    /// A sender that tries again sends the same a few times.
    public var repeatLimit = 16

    public init() {}
}

/// The life of a connection.
public struct ConnectionPolicy: Hashable, Sendable {
    /// The property that distinguishes radios in the store.
    public enum Identity: Hashable, Sendable {
        case publicKey
        case transportAddress
    }

    /// The property that distinguishes radios in the store.
    public var identity = Identity.publicKey
    /// The radio's clock is set when it is off by more.
    public var clockTolerance: Duration = .seconds(60)
    /// Attempts of a connect that a user asked for; ``pairingAttempts`` over Bluetooth.
    public var connectAttempts = 4
    /// The pause after the first attempt, doubled after each.
    public var connectPause: Duration = .milliseconds(300)
    /// The part of themselves by which pauses are lengthened at most.
    public var jitter = 0.1
    /// True when a lost link is opened again.
    public var reconnects = true
    /// The pause before a lost link is opened again, doubled after each failure.
    public var reconnectPause: Duration = .milliseconds(500)
    /// The longest such pause.
    public var maxReconnectPause: Duration = .seconds(30)
    /// The greatest number of reconnections; `nil` for no limit.
    public var maxReconnects: Int?
    /// The number of failed attempts behind an open link after which the pause is the longest at once.
    public var circuitBreaker = 3
    /// The time for which a connection must be ready so that the pauses after its loss begin with the shortest again.
    public var steadyAfter: Duration = .seconds(30)
    /// The time within which a link must open; ``pairingLimit`` over Bluetooth.
    public var connectLimit: Duration = .seconds(10)
    /// The time within which a Bluetooth link must open.
    ///
    /// A radio has to be found, connected to and paired with. Each of these has a limit of its own, which names the
    /// failed step.
    public var pairingLimit: Duration = .seconds(75)
    /// Attempts of a connect over Bluetooth that a user asked for; each of them scans, connects and pairs.
    public var pairingAttempts = 1
    /// The time within which a link must close, or the services on it must end.
    public var closeLimit: Duration = .seconds(2)
    /// The interval of requests on links that do not report the end of a peer; `nil`: never.
    public var heartbeat: Duration? = .seconds(30)

    public init() {}
}

/// Repeaters, rooms and sensors.
public struct RemoteNodePolicy: Hashable, Sendable {
    /// The time limit of a login.
    public struct LoginLimit: Hashable, Sendable {
        /// The limit for a node without relays in between.
        public var base: Duration
        /// The addition for each relay.
        public var perHop: Duration
        /// The least limit, as a multiple of the radio's estimate.
        public var suggestionFactor: Double
        /// The longest limit.
        public var cap: Duration
        /// True when the login is sent again within its limit, after twice the radio's estimate.
        public var retransmits: Bool

        public init(
            base: Duration = .seconds(5), perHop: Duration = .seconds(10), suggestionFactor: Double = 1.2,
            cap: Duration = .seconds(60), retransmits: Bool = true
        ) {
            self.base = base
            self.perHop = perHop
            self.suggestionFactor = suggestionFactor
            self.cap = cap
            self.retransmits = retransmits
        }

        public static let upstream = LoginLimit(suggestionFactor: 2, cap: .seconds(20))
    }

    /// The time limit of a login.
    public var login = LoginLimit()
    /// The time from one keep-alive of a session to the next.
    public var keepAliveInterval: Duration = .seconds(90)
    /// The number of intervals without a post after which the room is asked for its status.
    ///
    /// The radio does not pass on the answer to a keep-alive.
    public var quietIntervals = 5
    /// The number of failed intervals in a row that end a session.
    public var maxKeepAliveFailures = 2
    /// The time after the limit in which a success still counts.
    public var lateLoginWindow: Duration = .seconds(60)
    /// The time limit of an answer to a command line, for nearby nodes.
    public var commandLimit: Duration = .seconds(10)
    /// The same for a node that is far, or to which no path is known.
    public var farCommandLimit: Duration = .seconds(15)
    /// The number of hops from which on a node is far.
    public var farHops = 3
    /// The longest search for the path to a room.
    public var pathDiscoveryLimit: Duration = .seconds(10)
    /// The interval of looks at the store during that search.
    public var pathCheckInterval: Duration = .milliseconds(500)
    /// Between two pages of a table of neighbours, so that others have the air in between.
    public var neighbourPagePause: Duration = .seconds(1)

    public init() {}
}
