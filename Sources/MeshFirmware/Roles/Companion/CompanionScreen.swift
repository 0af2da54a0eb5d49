import MeshPacket
package import MeshTime
package import MeshWire

/// A press of the button of a board.
public enum ButtonPress: String, Hashable, Sendable, CaseIterable {
    /// A short one.
    case click
    /// One of a second or more.
    case long
}

/// The state of a companion radio's display: its screen, its page and the texts that it previews.
///
/// Source: firmware 1.17.1, `UITask` of companion_radio, `ui-new`.
package struct CompanionScreen: Sendable {
    package enum Screen: Sendable { case splash, home, preview }

    /// The pages of the home screen, in their order.
    package enum Page: Int, Sendable { case first, recent, radio, bluetooth, advert, gps, shutdown }

    /// A text as it arrived.
    package struct Preview: Sendable {
        /// By the node's clock.
        package let receivedAt: UInt32
        /// 255 for one that came by a direct route.
        package let pathLength: UInt8
        package let name: FixedBytes<32>
        package let text: ByteText
    }

    /// An effect of a press beyond the display.
    enum Deed { case none, advert, shutdown, unknown }

    /// `AUTO_OFF_MILLIS`, `BOOT_SCREEN_MILLIS`, and the time within which a long press starts the rescue console.
    static let timeOut = TimeSpan.seconds(15)
    static let splash = TimeSpan.seconds(3)
    static let rescue = TimeSpan.seconds(8)
    /// `MAX_UNREAD_MSGS`.
    static let previewLimit = 32

    private let startedAt: Instant
    private var lastUse: Instant
    private var current = Screen.splash
    private var alert: (text: String, end: Instant) = ("", .start)
    package private(set) var page = Page.first
    /// The newest is last, and shown.
    package private(set) var previews: [Preview] = []
    /// Messages that wait for the app, as of the last text or delivery.
    package private(set) var messageCount = 0

    init(at now: Instant) { (startedAt, lastUse) = (now, now) }

    package func isOn(at now: Instant) -> Bool { now <= lastUse + Self.timeOut }

    package func screen(at now: Instant) -> Screen {
        current == .splash && now >= startedAt + Self.splash ? .home : current
    }

    /// The pop-up of a moment.
    package func alert(at now: Instant) -> String? { now < alert.end ? alert.text : nil }

    /// A text has arrived: it lights a display that is off only while no app is connected.
    mutating func arrived(_ preview: Preview, waiting count: Int, isConnected: Bool, at now: Instant) {
        messageCount = count
        if previews.count == Self.previewLimit { previews.removeFirst() }
        previews.append(preview)
        current = .preview
        if isOn(at: now) || !isConnected { lastUse = now }
    }

    /// The app has fetched a message.
    mutating func fetched(waiting count: Int) {
        messageCount = count
        if count == 0 { current = .home }
    }

    mutating func show(_ text: String, for span: TimeSpan, at now: Instant) { alert = (text, now + span) }

    mutating func press(_ press: ButtonPress, hasGPS: Bool, at now: Instant) -> Deed {
        let wasOn = isOn(at: now)
        switch press {
        case .click:
            lastUse = now
            if wasOn { turn(hasGPS: hasGPS, at: now) }
            return .none
        case .long:
            guard now - startedAt >= Self.rescue else { return .unknown }
            if wasOn { lastUse = now }
            return enter(at: now)
        }
    }

    private mutating func turn(hasGPS: Bool, at now: Instant) {
        switch screen(at: now) {
        case .splash: break
        case .preview:
            _ = previews.popLast()
            if previews.isEmpty { current = .home }
        case .home:
            page = Page(rawValue: page.rawValue + 1) ?? .first
            if page == .gps, !hasGPS { page = .shutdown }
            if page == .recent { show("Recent adverts", for: .milliseconds(800), at: now) }
        }
    }

    private mutating func enter(at now: Instant) -> Deed {
        switch screen(at: now) {
        case .splash: return .none
        case .preview:
            previews = []
            current = .home
            return .none
        case .home:
            switch page {
            case .first, .recent, .radio: return .none
            case .bluetooth, .gps: return .unknown
            case .advert: return .advert
            case .shutdown: return .shutdown
            }
        }
    }
}

extension CompanionRadio {
    /// Presses the button of the board; `false` for what is not modelled: the rescue console, and the switches of
    /// Bluetooth and GPS.
    package mutating func press(_ press: ButtonPress) -> Bool {
        switch display.press(press, hasGPS: core.board.gpsBuild != .absent, at: core.now) {
        case .none: return true
        case .unknown: return false
        case .advert:
            let packet = createSelfAdvert()
            if let packet { core.sendZeroHop(packet) }
            display.show(packet == nil ? "Advert failed.." : "Advert sent!", for: .seconds(1), at: core.now)
            return true
        case .shutdown:
            leave(.powerOff)
            return true
        }
    }

    mutating func preview(_ text: ByteText, _ pathLength: PathLength, from name: FixedBytes<32>) {
        let preview = CompanionScreen.Preview(
            receivedAt: core.unixTime, pathLength: pathLength.rawValue, name: name, text: text)
        display.arrived(preview, waiting: offlineQueue.count, isConnected: isConnected, at: core.now)
    }
}
