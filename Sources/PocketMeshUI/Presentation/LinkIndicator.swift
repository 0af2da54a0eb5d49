import PocketMeshServices

/// How well the link and the mesh work, from what was noticed last.
///
/// Degraded is a link whose messages go unanswered, whose packets are hardly above the noise, or whose answers are slow.
public struct LinkQuality: Codable, Sendable, Hashable {
    /// What the indicators are held against.
    public struct Thresholds: Codable, Sendable, Hashable {
        /// Messages in a row without an acknowledgement.
        public var timeouts = 3
        /// Decibels; the mean of the last packets below it is weak.
        public var snr = -10.0
        /// A trip this long is slow, in milliseconds.
        public var roundTripMilliseconds = 30_000

        public init() {}
    }

    /// Why the link is degraded.
    public enum Reason: String, Codable, Sendable, Hashable, CaseIterable {
        case timeouts, weakSignal, slowAnswers
    }

    /// The limits.
    public var thresholds = Thresholds()
    /// Messages without an acknowledgement since the last one that had it.
    public private(set) var timeouts = 0
    /// The moving mean of what was heard, in decibels; `nil` before the first packet.
    public private(set) var snr: Double?
    /// The last trip of a message and its acknowledgement, in milliseconds.
    public private(set) var roundTripMilliseconds: Int?

    public init() {}

    /// An acknowledgement has come.
    public mutating func noteAnswer(after time: Duration) {
        timeouts = 0
        roundTripMilliseconds = Int(time / .milliseconds(1))
    }

    /// A message was given up.
    public mutating func noteTimeout() { timeouts += 1 }

    /// A packet was heard; it counts a fourth.
    public mutating func noteSNR(_ decibels: Double) { snr = snr.map { $0 * 0.75 + decibels * 0.25 } ?? decibels }

    /// Why the link is degraded; empty when it is not.
    public var reasons: [Reason] {
        var reasons: [Reason] = []
        if timeouts >= thresholds.timeouts { reasons.append(.timeouts) }
        if let snr, snr < thresholds.snr { reasons.append(.weakSignal) }
        if let time = roundTripMilliseconds, time >= thresholds.roundTripMilliseconds { reasons.append(.slowAnswers) }
        return reasons
    }

    /// Whether something works badly.
    public var isDegraded: Bool { !reasons.isEmpty }
}

/// The indicator of the link: state, work under way, battery.
public struct LinkIndicator: Codable, Sendable, Hashable {
    /// What the symbol shows.
    public enum State: String, Codable, Sendable, Hashable, CaseIterable {
        case disconnected, connecting, synchronising, ready, degraded
    }

    /// The state of the symbol.
    public var state: State
    /// The word beside it.
    public var label: String
    /// Whether something is under way.
    public var isBusy: Bool
    /// How the battery stands, in percent; `nil` where the radio has not said.
    public var batteryPercent: Int?
    /// The battery's voltage as text.
    public var batteryText: String?
    /// Why the link is degraded, as sentences.
    public var warnings: [String]
    /// The name of the radio.
    public var deviceName: String?
    /// What a screen reader says.
    public var accessibilityLabel: String
}

/// The pill that shows work under way.
public struct SyncPill: Codable, Sendable, Hashable {
    /// Whether it is shown.
    public var isShown: Bool
    /// What it says.
    public var text: String
    /// From 0 to 1; `nil` where nobody knows how much there is.
    public var fraction: Double?
    /// What failed last; a tap tries again.
    public var failure: ErrorPresentation?
}

extension AppState {
    /// The indicator as it is now.
    public var linkIndicator: LinkIndicator {
        let state: LinkIndicator.State =
            switch connectionState {
            case .disconnected: .disconnected
            case .connecting: .connecting
            case .connected: .synchronising
            case .ready: linkQuality.isDegraded ? .degraded : .ready
            }
        let label =
            switch state {
            case .disconnected: Texts.string(.linkDisconnected)
            case .connecting: Texts.string(.linkConnecting)
            case .synchronising: Texts.string(.linkSynchronising)
            case .ready: Texts.string(.linkReady)
            case .degraded: Texts.string(.linkDegraded)
            }
        let name = connectedDevice?.nodeName ?? connectionManager.lastConnectedDeviceName
        let battery = deviceBatteryMillivolts
        return LinkIndicator(
            state: state, label: label, isBusy: isLinkBusy,
            batteryPercent: battery.map(Measures.batteryPercent(millivolts:)), batteryText: battery.map(Measures.volts),
            warnings: connectionState == .ready ? linkQuality.reasons.map(\.text) : [], deviceName: name,
            accessibilityLabel: Texts.string(.linkAccessibility, name ?? Texts.string(.noDevice), label))
    }

    /// The pill as it is now.
    public var syncPill: SyncPill {
        let isKnown = (syncProgress?.total ?? 0) > 0
        let text =
            switch syncProgress?.phase {
            case .contacts: Texts.string(.pillContacts)
            case .channels: Texts.string(.pillChannels)
            case .messages, nil: Texts.string(.pillSettings)
            }
        return SyncPill(
            isShown: shouldShowSyncingPill, text: text,
            fraction: isKnown ? syncProgress.map { Double($0.current) / Double($0.total) } : nil, failure: syncFailure)
    }
}

extension LinkQuality.Reason {
    /// What a user reads.
    public var text: String {
        switch self {
        case .timeouts: Texts.string(.degradedTimeouts)
        case .weakSignal: Texts.string(.degradedSignal)
        case .slowAnswers: Texts.string(.degradedAnswers)
        }
    }
}
