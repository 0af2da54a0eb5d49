import PocketMeshServices

/// The indicator of the link: state, work under way, battery.
public struct LinkIndicator: Codable, Sendable, Hashable {
    /// The state that the symbol shows.
    public enum State: String, Codable, Sendable, Hashable, CaseIterable {
        case disconnected, connecting, synchronising, ready, degraded
    }

    /// The state of the symbol.
    public var state: State
    /// The word beside it.
    public var label: String
    /// True while something is under way.
    public var isBusy: Bool
    /// The charge of the battery, in percent; `nil` where the radio has not said.
    public var batteryPercent: Int?
    /// The battery's voltage as text.
    public var batteryText: String?
    /// The causes of a degraded link, as sentences.
    public var warnings: [String]
    /// The name of the radio.
    public var deviceName: String?
    /// The sentence that a screen reader speaks.
    public var accessibilityLabel: String
}

/// The pill that shows work under way.
public struct SyncPill: Codable, Sendable, Hashable {
    /// True when the pill is shown.
    public var isShown: Bool
    /// The text of the pill.
    public var text: String
    /// The progress from 0 to 1; `nil` where the total is unknown.
    public var fraction: Double?
    /// The last failure; a tap tries again.
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
            warnings: connectionState == .ready ? linkQuality.warnings : [], deviceName: name,
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

extension LinkQuality {
    /// The texts for users about a degraded link, a sentence for each cause.
    var warnings: [String] {
        var texts: [String] = []
        for text in causes.map(\.text) where !texts.contains(text) { texts.append(text) }
        return texts
    }
}

extension LinkQuality.Cause {
    /// The text for users.
    var text: String {
        switch self {
        case .timeouts: Texts.string(.degradedTimeouts)
        case .weakSignal, .noise: Texts.string(.degradedSignal)
        case .slowAnswers: Texts.string(.degradedAnswers)
        }
    }
}
