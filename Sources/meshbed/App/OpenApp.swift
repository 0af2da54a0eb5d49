import Logging
import MeshDesktop
import MeshEmulator
import MeshHTTP
import MeshReports
import MeshTestbed
import MeshTransports
import MeshWeb
import PocketMeshServices
import PocketMeshUI
import PocketMeshWeb

/// One app with its stack and the service that a server of HTTP mounts.
@MainActor
struct OpenApp {
    /// The limits of a server, which let a camera's picture into a request.
    static var limits: WebLimits {
        var limits = WebLimits()
        limits.body = 8 * 1024 * 1024
        return limits
    }

    let state: AppState
    /// Pages and API, mounted at the root.
    let service: MountedServices
    private let target: RadioAddress?
    private let connecting = ConnectingTask()

    /// Opens the database; nothing is connected yet.
    ///
    /// - Parameters:
    ///   - target: the radio to connect to in `begin`.
    ///   - retries: how often messages are sent; `nil` for the user's choice in the app.
    ///   - desktop: shows notifications beside the pages.
    init(
        target: RadioAddress?, database: String?, retries: RetryPreset? = nil, tiles: AppTiles? = nil,
        desktop: (any NotificationSink)? = nil
    ) async throws {
        let executor = StackExecutor()
        let log = Logger(label: "meshbed.app") { _ in SwiftLogNoOpLogHandler() }
        let dependencies = ServiceDependencies.real(log: log, executor: executor)
        let transports = AppTransports(clock: dependencies.clock, executor: executor, target: target)
        var setup = AppState.Setup(database: database, transports: transports, dependencies: dependencies)
        setup.credentials = await ClientApp.credentials(besides: database)
        setup.imageCodec = JPEGCodec()
        setup.bonds = LinkBonds()
        setup.desktop = desktop
        setup.retries = retries
        setup.host = AppHost(
            transports: transports, desktop: desktop ?? DesktopNotificationSink(), notifies: desktop != nil)
        state = try AppState.open(setup)
        self.target = target
        let api = AppAPI(state: state, version: MeshbedVersion.built.description, tiles: tiles?.url)
        service = MountedServices([
            .init("", PageService(PageFile.app, index: "app/app.html", tiles: tiles?.origin, usesCamera: true)),
            .init("api", api),
        ])
        try await state.initialize()
    }

    /// Connects to the radio that was named; the page shows a failure.
    func begin() async {
        guard let target, let endpoint = RadioEndpoint("\(target)") else { return }
        // Who names a radio has no need of the first steps.
        if !state.hasCompletedOnboarding { try? await state.completeOnboarding() }
        connecting.task = Task { [state] in try? await state.connect(to: endpoint) }
    }

    /// Ends the connection; the next start resumes it.
    func end() async {
        connecting.task?.cancel()
        await state.stop()
    }
}

/// The connecting that is under way.
@MainActor
private final class ConnectingTask {
    var task: Task<Void, Never>?
}
