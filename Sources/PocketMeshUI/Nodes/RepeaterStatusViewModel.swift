public import FoundationEssentials
import MeshCore
import MeshPacket
import MeshWire
public import Observation
public import PocketMeshServices

/// A neighbour of a repeater, as a page lists it.
public struct NeighbourRow: Codable, Sendable, Hashable {
    /// The beginning of its key, in hex.
    public var key: String
    /// The neighbour's name among the contacts, where only one fits.
    public var name: String?
    /// The SNR at which it was heard.
    public var snr: String
    /// The age of that reception.
    public var age: String
}

/// A line of a repeater's console.
public struct ConsoleLine: Codable, Sendable, Hashable {
    /// True for a line that was typed here.
    public var isCommand: Bool
    /// The text itself; never markup.
    public var text: String
}

/// An action of an administrator with one tap: each is a command line.
public enum RepeaterAction: String, Codable, Sendable, Hashable, CaseIterable {
    case syncClock, sendAdvert, reboot, version

    /// The line that is sent.
    var command: String {
        switch self {
        case .syncClock: "clock sync"
        case .sendAdvert: "advert"
        case .reboot: "reboot"
        case .version: "ver"
        }
    }

    /// The words on its button.
    public var label: String {
        switch self {
        case .syncClock: Texts.string(.repeaterSyncClock)
        case .sendAdvert: Texts.string(.repeaterAdvert)
        case .reboot: Texts.string(.repeaterReboot)
        case .version: Texts.string(.repeaterVersion)
        }
    }
}

/// A repeater or a room server as its administrator sees it: status, neighbours, telemetry, console.
@MainActor @Observable
public final class RepeaterStatusViewModel: ViewModel {
    /// Lines of the console that are kept.
    public static let consoleLimit = 500

    /// The session; `nil` before the first login.
    public private(set) var session: RemoteNodeSessionDTO?
    /// The status that the node reports, in lines.
    public private(set) var status: [MessageDetails.Row] = []
    /// The neighbours that the node hears.
    public private(set) var neighbours: [NeighbourRow] = []
    /// The measurements of the node, in lines.
    public private(set) var telemetry: [MessageDetails.Row] = []
    /// The rights on the node.
    public internal(set) var accessList: [AccessRow] = []
    /// The contacts that have no entry there, and may be given one.
    public internal(set) var candidates: [AccessCandidate] = []
    /// The settings of the node, as it gave them; `nil` before it was asked.
    public internal(set) var settings: RepeaterForm?
    /// The lines that were typed and answered.
    public private(set) var console: [ConsoleLine] = []
    /// The sentence about the node's clock where that is wrong; `nil` where it is right or unknown.
    public private(set) var clock: String?
    /// The state of the login.
    public private(set) var login = LoginPresentation()
    /// True while a request is without an answer.
    public private(set) var isBusy = false
    /// The last error, for the page; `nil` when there is none.
    public var error: ErrorPresentation?

    @ObservationIgnored private(set) var appState: AppState?
    @ObservationIgnored private var node: ContactDTO?
    @ObservationIgnored private var observation: MessageEventBroadcaster.Subscription?
    @ObservationIgnored private let reloader = Reloader()
    @ObservationIgnored private let timer = Countdown()

    public init() {}

    /// The node's name.
    public var name: String { session?.name ?? node?.displayName ?? "" }
    /// True while we are logged in.
    public var isConnected: Bool { session?.isConnected ?? false }
    /// True when the node accepts commands.
    public var isAdmin: Bool { isConnected && session?.isAdmin == true }

    public func configure(appState: AppState) {
        self.appState = appState
    }

    /// Shows a node of the contacts, and listens to it.
    public func open(contactID: UUID) async {
        guard let appState else { return }
        await attempt {
            guard let contact = try await appState.store.fetchContact(id: contactID) else {
                throw StackError(.nodes, .contactNotFound)
            }
            await show(contact, appState)
        }
    }

    /// Shows a node with which there was a session once, and listens to it.
    public func open(sessionID: UUID) async {
        guard let appState else { return }
        await attempt {
            guard let session = try await appState.store.fetchRemoteNodeSession(id: sessionID),
                let contact = try await appState.store.fetchContact(
                    deviceID: session.deviceID, publicKey: session.publicKey)
            else { throw StackError(.nodes, .sessionNotFound) }
            await show(contact, appState)
        }
    }

    private func show(_ contact: ContactDTO, _ appState: AppState) async {
        close()
        node = contact
        observation = appState.messageEventBroadcaster.observe { [weak self] numbered in
            switch numbered.event {
            case .nodeChanged(let id):
                if id == self?.session?.id { self?.reloader.ask { [weak self] in await self?.load() } }
            case .connectionChanged: self?.reloader.ask { [weak self] in await self?.load() }
            default: break
            }
        }
        await load()
        if let services = appState.services {
            let isKept = try? await services.remoteNodeService.hasPassword(forNodeKey: contact.publicKey)
            login.hasPassword = isKept ?? false
        }
    }

    /// Leaves the page: nothing is listened to any more. The session stays.
    public func close() {
        observation?.cancel()
        observation = nil
        (session, node, login, clock) = (nil, nil, LoginPresentation(), nil)
        (status, neighbours, telemetry, console) = ([], [], [], [])
        (accessList, candidates, settings) = ([], [], nil)
    }

    /// Reads the session again.
    public func load() async {
        guard let appState, let node else { return }
        await read {
            let id = StableIdentifier.session(deviceID: node.deviceID, publicKey: node.publicKey)
            session = try await appState.store.fetchRemoteNodeSession(id: id)
            login.permission = isConnected ? session?.permissionLevel.label : nil
            let lead = isConnected ? await appState.services?.remoteNodeService.clockLead(of: id) : nil
            clock = lead.flatMap(Measures.clock)
        }
    }

    // MARK: Login

    /// Logs in as the password allows; without one with the one that is kept.
    public func logIn(password: String?, rememberPassword: Bool = true) async {
        guard let appState, let node, !login.isLoggingIn else { return }
        (login.isLoggingIn, login.error) = (true, nil)
        defer { (login.isLoggingIn, login.secondsLeft) = (false, nil) }
        let clock = appState.dependencies.clock
        do {
            let services = try appState.requiredServices(.nodes)
            session = try await services.repeaterAdminService.connectAsAdmin(
                deviceID: node.deviceID, contact: node, password: password, rememberPassword: rememberPassword,
                onTimeoutKnown: { [weak self] limit in
                    Task { @MainActor in
                        guard let self else { return }
                        self.timer.start(limit, clock) { [weak self] in self?.login.secondsLeft = $0 }
                    }
                })
            login.hasPassword = try await services.remoteNodeService.hasPassword(forNodeKey: node.publicKey)
        } catch is CancellationError {
        } catch {
            login.error = ErrorPresentation(error)
        }
        timer.stop()
        await load()
    }

    /// Logs out; the password stays where it is kept.
    public func logOut() async {
        await ask { services, id in try await services.repeaterAdminService.disconnect(sessionID: id) }
        await load()
    }

    // MARK: Questions

    func ask(_ body: (ServiceContainer, UUID) async throws -> Void) async {
        guard let appState, let id = session?.id, !isBusy else { return }
        isBusy = true
        defer { isBusy = false }
        await attempt { try await body(try appState.requiredServices(.nodes), id) }
    }

    /// Asks how the node is.
    public func refreshStatus() async {
        await ask { services, id in
            status = try await services.repeaterAdminService.requestStatus(sessionID: id).rows
        }
        await load()
    }

    /// Requests the neighbours of the node.
    public func refreshNeighbours() async {
        guard let appState else { return }
        await ask { services, id in
            let found = try await services.repeaterAdminService.fetchAllNeighbors(sessionID: id)
            let contacts = try await appState.store.fetchContacts(deviceID: try appState.requiredDeviceID())
            neighbours = found.map { NeighbourRow($0, among: contacts) }
        }
    }

    /// Requests the measurements of the node.
    public func refreshTelemetry() async {
        await ask { services, id in
            telemetry = try await services.repeaterAdminService.requestTelemetry(sessionID: id).map {
                MessageDetails.Row(
                    label: Texts.string(.telemetryChannel, "\($0.channel)", "\($0.type)"), value: "\($0)")
            }
        }
    }

    /// Sends a command line; its answer stands below it.
    public func sendCommand(_ line: String) async {
        let line = line.trimmed(where: \.isWhitespace)
        guard !line.isEmpty else { return }
        write(ConsoleLine(isCommand: true, text: line))
        await ask { services, id in
            let answer = try await services.repeaterAdminService.sendCommand(sessionID: id, command: line)
            write(ConsoleLine(isCommand: false, text: answer))
        }
    }

    /// Performs the action of a button.
    public func perform(_ action: RepeaterAction) async {
        await sendCommand(action.command)
        guard action == .syncClock, error == nil, let id = session?.id, let answer = console.last,
            !answer.isCommand, answer.text.hasPrefix("OK")
        else { return }
        await appState?.services?.remoteNodeService.forgetClockLead(of: id)
        await load()
    }

    /// Sets the password of administrators. The console does not keep it.
    public func setPassword(_ password: String) async {
        write(ConsoleLine(isCommand: true, text: "password ***"))
        await ask { services, id in
            _ = try await services.repeaterAdminService.sendCommand(sessionID: id, command: "password \(password)")
            // The node's answer repeats the password.
            write(ConsoleLine(isCommand: false, text: Texts.string(.repeaterPasswordSet)))
        }
    }

    private func write(_ line: ConsoleLine) {
        console.append(line)
        if console.count > Self.consoleLimit { console.removeFirst(console.count - Self.consoleLimit) }
    }
}
