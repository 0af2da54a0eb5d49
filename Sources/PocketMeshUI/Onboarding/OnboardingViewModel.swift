public import Observation
import PocketMeshServices

/// A permission as the first steps show it.
public struct PermissionRow: Codable, Sendable, Hashable {
    /// The permission that is asked for.
    public var kind: PermissionKind
    /// The state of the permission.
    public var state: PermissionState
    /// The name of the permission.
    public var title: String
    /// The purpose of the permission, and the remedy when it is missing.
    public var text: String
    /// True when the app works without it.
    public var isOptional: Bool
}

/// The text of a step.
public struct OnboardingPage: Codable, Sendable, Hashable {
    /// The step that the page shows.
    public var step: OnboardingStep
    /// The heading.
    public var title: String
    /// The explanation, a paragraph each.
    public var paragraphs: [String]
    /// The words on the button that leads on.
    public var button: String
}

/// The first steps of a new user: an introduction, the permissions of the host, and the choice of a radio.
@MainActor @Observable
public final class OnboardingViewModel: ViewModel {
    /// The permissions of the host.
    public private(set) var permissions: [PermissionRow] = []
    /// The last error, for the page; `nil` when there is none.
    public var error: ErrorPresentation?

    @ObservationIgnored private var appState: AppState?

    public init() {}

    /// The step that the user has reached.
    public var step: OnboardingStep { appState?.onboardingStep ?? .welcome }

    public func configure(appState: AppState) { self.appState = appState }

    /// The step in view.
    public var page: OnboardingPage {
        switch step {
        case .welcome:
            OnboardingPage(
                step: step, title: Texts.string(.welcomeTitle),
                paragraphs: [
                    .welcomeMesh, .welcomeLink, .welcomeAdverts, .welcomeRadio,
                ].map { Texts.string($0) }, button: Texts.string(.buttonBegin))
        case .permissions:
            OnboardingPage(
                step: step, title: Texts.string(.permissionsTitle), paragraphs: [Texts.string(.permissionsText)],
                button: Texts.string(.buttonContinue))
        case .deviceScan:
            OnboardingPage(
                step: step, title: Texts.string(.scanTitle), paragraphs: [Texts.string(.scanText)],
                button: Texts.string(.buttonSkip))
        case .done:
            OnboardingPage(
                step: step, title: Texts.string(.doneTitle), paragraphs: [], button: Texts.string(.buttonContinue))
        }
    }

    /// Asks the host for the state of its permissions.
    public func checkPermissions() async {
        guard let appState else { return }
        await appState.notificationService.checkAuthorizationStatus()
        var rows: [PermissionRow] = []
        for kind in PermissionKind.allCases { rows.append(Self.row(kind, await Self.state(of: kind, appState))) }
        permissions = rows
    }

    private static func state(of kind: PermissionKind, _ appState: AppState) async -> PermissionState {
        if let host = appState.host { return await host.state(of: kind) }
        return kind == .notifications && appState.notificationService.isAuthorized ? .granted : .unavailable
    }

    private static func row(_ kind: PermissionKind, _ state: PermissionState) -> PermissionRow {
        let title: TextKey =
            switch kind {
            case .bluetooth: .permissionBluetooth
            case .notifications: .permissionNotifications
            case .location: .permissionLocation
            }
        return PermissionRow(
            kind: kind, state: state, title: Texts.string(title), text: Texts.string(text(kind, state)),
            isOptional: true)
    }

    private static func text(_ kind: PermissionKind, _ state: PermissionState) -> TextKey {
        switch (kind, state) {
        case (.bluetooth, .granted): .bluetoothGranted
        case (.bluetooth, .denied): .bluetoothDenied
        case (.bluetooth, .off): .bluetoothOff
        case (.bluetooth, .unavailable): .bluetoothMissing
        case (.notifications, .granted): .notificationsGranted
        case (.notifications, .off): .notificationsOff
        case (.notifications, _): .notificationsMissing
        case (.location, .granted): .locationGranted
        case (.location, .off): .locationOff
        case (.location, _): .locationMissing
        }
    }

    /// Goes one step further.
    public func advance() async {
        guard let appState else { return }
        await attempt { try await appState.advanceOnboarding() }
        if step == .permissions { await checkPermissions() }
    }

    /// Goes one step back.
    public func goBack() { appState?.goBackInOnboarding() }

    /// Begins anew.
    public func reset() async {
        guard let appState else { return }
        await attempt { try await appState.resetOnboarding() }
    }
}
