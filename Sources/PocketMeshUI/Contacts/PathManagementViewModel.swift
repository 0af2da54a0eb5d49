public import FoundationEssentials
import MeshCompanion
import MeshCore
import MeshPacket
import MeshWire
public import Observation
public import PocketMeshServices

/// The path to a contact: found, edited, reset and measured.
@MainActor @Observable
public final class PathManagementViewModel: ViewModel {
    /// The time limit for an answer, in seconds, where the radio suggests nothing.
    public static let discoveryLimit = 30

    /// The contact.
    public private(set) var contact: ContactDTO?
    /// The path of the contact; empty when it is reached directly.
    public private(set) var hops: [PathHop] = []
    /// True when messages are flooded, because no path is known.
    public private(set) var isFlood = true
    /// The edited path; `nil` while it is not edited.
    public private(set) var editedHops: [PathHop]?
    /// Repeaters and rooms to choose hops from.
    public private(set) var relays: [ContactRow] = []
    /// True while a path is being searched.
    public private(set) var isDiscovering = false
    /// Seconds that are left of the search.
    public private(set) var secondsLeft = 0
    /// The result of the last search.
    public private(set) var result: PathDiscoveryResult?
    /// The SNR at each hop of the path, in decibels, at the last measurement.
    public private(set) var trace: [String] = []
    /// The last error, for the page; `nil` when there is none.
    public var error: ErrorPresentation?

    @ObservationIgnored private var appState: AppState?
    @ObservationIgnored private var contacts: [ContactDTO] = []
    @ObservationIgnored private var observation: MessageEventBroadcaster.Subscription?
    @ObservationIgnored private let reloader = Reloader()
    @ObservationIgnored private var countdown: Task<Void, Never>?
    @ObservationIgnored private var search: Task<Void, Never>?

    public init() {}

    public func configure(appState: AppState) {
        self.appState = appState
        observation?.cancel()
        observation = appState.messageEventBroadcaster.observe { [weak self] numbered in
            switch numbered.event {
            case .contactsChanged, .routingChanged:
                self?.reloader.ask { [weak self] in await self?.load() }
            default: break
            }
        }
    }

    /// Shows the path to a contact.
    public func open(contactID: UUID) async {
        guard let appState else { return }
        (result, trace, editedHops) = (nil, [], nil)
        await attempt { contact = try await appState.store.fetchContact(id: contactID) }
        await load()
    }

    /// Reads the contact again.
    public func load() async {
        guard let appState, let id = contact?.id else { return }
        await read {
            guard let fresh = try await appState.store.fetchContact(id: id) else {
                throw StackError(.contacts, .contactNotFound)
            }
            contact = fresh
            contacts = try await appState.store.fetchContacts(deviceID: fresh.deviceID)
            relays = contacts.filter { $0.type == .repeater || $0.type == .room }
                .map { ContactRow($0, style: appState.style) }
            let split = PathHop.split(fresh)
            isFlood = split == nil
            hops = PathHop.named(split ?? [], by: contacts)
        }
    }

    // MARK: Searching

    /// Searches a path, counts down to the limit, and keeps the result.
    public func discover() async {
        beginDiscovery()
        await search?.value
    }

    /// Begins to search a path, and returns at once: ``isDiscovering`` is true while the search goes on.
    public func beginDiscovery() {
        guard let appState, let contact, !isDiscovering else { return }
        isDiscovering = true
        result = nil
        startCountdown(appState)
        search = Task(name: "path discovery") { await self.search(appState, contact) }
    }

    private func search(_ appState: AppState, _ contact: ContactDTO) async {
        defer { endCountdown() }
        do {
            let found = try await appState.requiring(.pathDiscovery) {
                try await appState.requiredServices(.contacts).contactService.sendPathDiscovery(
                    deviceID: contact.deviceID, publicKey: contact.publicKey,
                    limit: .seconds(Self.discoveryLimit))
            }
            result = .success(outHops: found.outHops, inHops: found.inHops)
        } catch is CancellationError {
            result = nil
        } catch {
            let reason = (error as? StackError)?.reason
            result =
                Self.meansNoPath(reason) ? .noPathFound : .failed(ErrorPresentation(error))
        }
        await load()
    }

    private static func meansNoPath(_ reason: StackError.Reason?) -> Bool {
        switch reason {
        case .pathDiscoveryFailed, .noAnswer, .session(.noAnswer): true
        default: false
        }
    }

    private func startCountdown(_ appState: AppState) {
        secondsLeft = Self.discoveryLimit
        let clock = appState.dependencies.clock
        countdown = Task(name: "countdown of a path discovery") { [weak self] in
            while let left = self?.secondsLeft, left > 0, (try? await clock.sleep(for: .seconds(1))) != nil {
                self?.secondsLeft -= 1
            }
        }
    }

    private func endCountdown() {
        countdown?.cancel()
        (countdown, search, isDiscovering, secondsLeft) = (nil, nil, false, 0)
    }

    // MARK: Editing

    /// Begins to edit the path.
    public func beginEditing() { editedHops = hops }

    /// Ends editing without a change.
    public func cancelEditing() { editedHops = nil }

    /// Adds a hop after the others: hexadecimal digits of one, two or three bytes, as long as the others.
    public func addHop(_ key: String) {
        let key = key.lowercased()
        let size = editedHops?.first?.key.count ?? key.count
        guard [2, 4, 6].contains(key.count), key.count == size, key.utf8.allSatisfy(\.isHexDigit), hopCount < 63 else {
            return error = ErrorPresentation(
                StackError(.contacts, .invalidPath(count: key.count / 2, hashSize: max(1, size / 2))))
        }
        editedHops = PathHop.named((editedHops ?? []) + [PathHop(key: key)], by: contacts)
        error = nil
    }

    private var hopCount: Int { editedHops?.count ?? 0 }

    /// Removes a hop.
    public func removeHop(at index: Int) {
        guard editedHops?.indices.contains(index) == true else { return }
        editedHops?.remove(at: index)
    }

    /// Moves a hop to another place.
    public func moveHop(from index: Int, to target: Int) {
        guard var hops = editedHops, hops.indices.contains(index), hops.indices.contains(target) else { return }
        hops.insert(hops.remove(at: index), at: target)
        editedHops = hops
    }

    /// Writes the edited path to the radio; the contact's other fields stay.
    public func save() async {
        guard let appState, let contact, let edited = editedHops else { return }
        await attempt {
            let bytes = edited.flatMap { hop in
                stride(from: 0, to: hop.key.count, by: 2).compactMap { place in
                    UInt8(hop.key.dropFirst(place).prefix(2), radix: 16)
                }
            }
            try await appState.requiredServices(.contacts).contactService.setPath(
                deviceID: contact.deviceID, publicKey: contact.publicKey, path: Data(bytes),
                hashSize: max(1, (edited.first?.key.count ?? 2) / 2))
            editedHops = nil
        }
        await load()
    }

    /// Forgets the path: messages are flooded until another is learned.
    public func reset() async {
        guard let appState, let contact else { return }
        await attempt {
            try await appState.requiredServices(.contacts).contactService.resetPath(
                deviceID: contact.deviceID, publicKey: contact.publicKey)
        }
        await load()
    }

    /// Measures each hop of the path there and back.
    public func traceRoute() async {
        guard let appState, let contact, !isFlood else { return }
        trace = []
        await attempt {
            let there = Array(contact.outPath)
            // Back over the same hops; the last one turns it.
            let path = there + there.dropLast().reversed()
            let answer = try await appState.requiredServices(.requests).binaryProtocolService.sendTrace(
                path: Data(path))
            trace = (answer.pathSNRs.map(\.snr) + [answer.finalSNR]).map { Measures.snr(Double($0) / 4) }
        }
    }
}
