public import FoundationEssentials
import Logging
import MeshCompanion
public import MeshCore
import MeshWire

/// Handles what the radio notices of other nodes by itself: adverts, paths, contacts that come and go.
///
/// Adverts are matched by the whole key; two contacts may well have the same beginning. An advert of a node that the
/// store does not know requests one synchronisation, some time later and never while one runs.
public actor AdvertisementService {
    let session: MeshCoreSession
    let store: PersistenceStore
    let profile: StackProfile
    let dependencies: ServiceDependencies
    /// The events about nodes: adverts, discoveries, other paths, and contacts that the radio has dropped.
    public nonisolated let events: StackEvents
    private let lists: (any ListRefreshing)?
    private(set) var taker: DiscoveryTaker?
    /// The taker that was set, without the handlers that come before it.
    private var wired: DiscoveryTaker?
    var foundingHandlers = DiscoveryTaker() { didSet { setDiscoveryTaker(wired) } }
    var syncRequest = SyncRequest()
    /// Contacts that were discovered while nothing was set to receive them.
    var untold: [(name: String, id: UUID)] = []

    /// The radio whose events the service monitors; `nil` while it monitors none.
    private(set) var monitored: UUID?
    /// The number of the latest start; tasks that carry an older one end.
    private var run = 0
    private var monitor: Task<Void, Never>?
    private var subscription: EventDispatcher.Subscription?
    private var lostEvents = 0
    private var requester: Task<Void, Never>?
    private var teller: Task<Void, Never>?

    /// Events that may wait while one is being handled.
    static let bufferSize = 1000

    /// `lists` show the contacts that the radio has changed.
    public init(
        session: MeshCoreSession, store: PersistenceStore, profile: StackProfile,
        dependencies: ServiceDependencies, events: StackEvents = StackEvents(), lists: (any ListRefreshing)? = nil
    ) {
        self.session = session
        self.store = store
        self.profile = profile
        self.dependencies = dependencies
        self.events = events
        self.lists = lists
    }

    // MARK: Life

    /// Listens to the radio from now on; every event that comes after this has returned is handled.
    public func startEventMonitoring(deviceID: UUID) async {
        if monitored == deviceID { return }
        await stop()
        monitored = deviceID
        run += 1
        let number = run
        let subscription = await session.trackedEvents(
            filter: EventFilter { $0.isAboutNodes }, bufferSize: Self.bufferSize)
        guard number == run, monitored == deviceID else { return await session.unsubscribe(subscription) }
        self.subscription = subscription
        lostEvents = 0
        monitor = Task(name: "monitor of adverts") {
            for await event in subscription.events {
                if Task.isCancelled { return }
                await handle(event, of: deviceID)
                noteLostEvents()
            }
        }
    }

    /// Ends the listening and the running tasks; the receivers stay set.
    public func stop() async {
        monitored = nil
        run += 1
        monitor?.cancel()
        requester?.cancel()
        teller?.cancel()
        (monitor, requester, teller) = (nil, nil, nil)
        syncRequest = SyncRequest()
        untold = []
        guard let subscription else { return }
        self.subscription = nil
        await session.unsubscribe(subscription)
    }

    /// Asks for a synchronisation where events of a burst were lost.
    private func noteLostEvents() {
        guard let lost = subscription?.dropCount, lost > lostEvents else { return }
        lostEvents = lost
        owe(nil)
    }

    // MARK: Sync requests

    /// Says whether a synchronisation of contacts runs: requests wait for its end.
    public func setSyncRunning(_ isRunning: Bool) {
        syncRequest.isSyncRunning = isRunning
        if !isRunning { requestOwedSync() }
    }

    /// Asks for a synchronisation after a while.
    ///
    /// `key` is the node that is missing; `nil` when more than one may be.
    func owe(_ key: Data?) {
        guard syncRequest.add(key) else { return }
        let pause = profile.contacts.advertCoalescing
        requester = Task(name: "request for a contact sync") {
            guard (try? await dependencies.clock.sleep(for: pause)) != nil else { return }
            syncRequest.isDue = true
            await requestSync()
        }
    }

    /// Makes a request that fell due while it could not be made.
    func requestOwedSync() {
        guard syncRequest.isDue, !syncRequest.isSyncRunning, taker?.contactSync != nil else { return }
        requester = Task(name: "request for a contact sync") { await requestSync() }
    }

    private func requestSync() async {
        guard syncRequest.isDue, !syncRequest.isSyncRunning, let deviceID = monitored,
            let handler = taker?.contactSync
        else { return }
        let missing = syncRequest.take()
        // The synchronisation that has just run may have brought them.
        guard await isAnyMissing(missing, of: deviceID), !Task.isCancelled else { return }
        await handler(deviceID)
    }

    private func isAnyMissing(_ missing: [Data]?, of deviceID: UUID) async -> Bool {
        guard let missing else { return true }
        for key in missing {
            let row = try? await store.fetchContact(deviceID: deviceID, publicKey: key)
            if row.map({ $0.onRadio && !$0.isDiscovered }) != true { return true }
        }
        return false
    }

    // MARK: Discoveries

    /// Sets the receiver from now on, and sends it first the news that none has received.
    public func setDiscoveryTaker(_ taker: DiscoveryTaker?) {
        wired = taker
        self.taker = (taker ?? DiscoveryTaker()).replaced(by: foundingHandlers)
        tellDiscoveries()
        requestOwedSync()
    }

    private func tellDiscoveries() {
        guard taker?.newContact != nil, !untold.isEmpty else { return }
        teller = Task(name: "telling of discovered contacts") { await tellAll() }
    }

    private func tellAll() async {
        while let handler = taker?.newContact, !untold.isEmpty, !Task.isCancelled {
            let (name, id) = untold.removeFirst()
            await handler(name, id)
        }
    }

    func contactUpdated(_ id: UUID) async {
        events.emit(.contactUpdated(contactID: id))
        await lists?.notifyContactsChanged()
    }
}

extension MeshEvent {
    /// Returns whether an `AdvertisementService` handles it.
    var isAboutNodes: Bool {
        switch self {
        case .advertisement, .newContact, .pathUpdate, .pathResponse, .contactDeleted, .contactsFull,
            .discoverResponse:
            true
        default: false
        }
    }
}
