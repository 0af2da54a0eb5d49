import FoundationEssentials
public import MeshCapture
import MeshCompanion
import MeshCore
import MeshTime
import MeshVirtualTime
import MeshWire
import PocketMeshServices

extension Capture {
    /// Connects a service stack to the recorded radio, on virtual time, and returns what the stack ends up with.
    ///
    /// The stack is the very one of apps: connection manager, synchronisation, services and a store. Blocks the calling
    /// thread, which for a session of hours is seconds. Throws a `CaptureFileError` for a file that is no recording.
    public func replay(into stack: StackChoices, pace: RadioReplayer.Pace = .recorded) throws -> StackOutcome {
        try StackReplay(try recording(), stack: stack, pace: pace).run()
    }
}

/// Drives a service stack with a recording.
public struct StackReplay: Sendable {
    /// The recording whose radio is played.
    public let recording: Recording
    /// The setup of the stack.
    public let stack: StackChoices
    /// The rule by which the times of the recording are kept.
    public let pace: RadioReplayer.Pace

    /// After so long without a command, pushes come whose command the stack does not send.
    static let patience = TimeSpan.seconds(5)
    /// The stack is through when it has been silent for so long: less than the pause between two heartbeats.
    static let silence = Duration.seconds(12)

    public init(_ recording: Recording, stack: StackChoices = StackChoices(), pace: RadioReplayer.Pace = .recorded) {
        self.recording = recording
        self.stack = stack
        self.pace = pace
    }

    /// On virtual time, in this thread.
    public func run() throws -> StackOutcome {
        try VirtualTime.run { clock in try await run(clock: clock) }
    }

    /// On any clock.
    public func run(clock: any Clock<Duration>) async throws -> StackOutcome {
        let link = RecordedRadio(RadioReplayer(recording, pace: pace, patience: Self.patience), clock: clock)
        let dependencies = ServiceDependencies(
            clock: clock, startDate: Date(timeIntervalSince1970: Double(startTime)), seed: Seed(1))
        let app = try await StackApp("capture", choices: stack, link: link, dependencies: dependencies)
        var outcome = StackOutcome()
        do {
            try await app.open()
            try await waitUntilOver(link, clock)
        } catch let error as CancellationError {
            throw error
        } catch {
            outcome.error = "\(error)"
        }
        try await app.tell(&outcome)
        let radio = await link.state
        outcome.departures = radio.departures.map(\.description)
        outcome.neverSent = Self.counted(
            radio.neverCame.map { FramePrinter.printed($0.command, direction: .toRadio).name })
        await app.close()
        return outcome
    }

    /// Each name once, with how often it is there.
    private static func counted(_ names: [String]) -> [String] {
        var counts: [(name: String, count: Int)] = []
        for name in names {
            if let index = counts.firstIndex(where: { $0.name == name }) {
                counts[index].count += 1
            } else {
                counts.append((name, 1))
            }
        }
        return counts.map { $0.count == 1 ? $0.name : "\($0.name) \($0.count) times" }
    }

    private func waitUntilOver(_ link: RecordedRadio, _ clock: any Clock<Duration>) async throws {
        let script = await link.state.script
        let pushes = Int64(script.pushes.count)
        let limit = script.length + Self.patience * (pushes + 2) + .seconds(600)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await link.waitUntilOver(silence: Self.silence) }
            group.addTask { try await clock.sleep(for: .microseconds(limit.microseconds), tolerance: nil) }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Unix seconds of the host when the recording began: as it set the radio's clock, else as the radio had it.
    var startTime: UInt32 {
        let entries = recording.ofRunThatWentOn.entries
        for entry in entries {
            guard case .frame(.toRadio, let frame) = entry.event, let time = try? SetDeviceTime(decoding: frame) else {
                continue
            }
            return time.epoch &- UInt32(clamping: entry.time.microseconds / 1_000_000)
        }
        for entry in entries {
            guard case .frame(.toApp, let frame) = entry.event, let time = try? Resp.CurrTime(decoding: frame) else {
                continue
            }
            return time.epoch &- UInt32(clamping: entry.time.microseconds / 1_000_000)
        }
        return Stage.startOfTime
    }
}

extension StackApp {
    /// Says what the app shows.
    func tell(_ outcome: inout StackOutcome) async throws {
        outcome.connection = manager.connectionState.rawValue
        guard let id = manager.lastConnectedDeviceID, let device = try await store.fetchDevice(id: id) else { return }
        outcome.radio = StackOutcome.Radio(device)
        let contacts = try await store.fetchContacts(deviceID: id).sorted {
            ($0.name, $0.publicKey.hex) < ($1.name, $1.publicKey.hex)
        }
        outcome.contacts = contacts.map(StackOutcome.Contact.init)
        for contact in contacts {
            let rows = try await store.fetchMessages(deviceID: id, thread: .contact(contact.id), limit: .max)
            outcome.messages += rows.map { StackOutcome.Message($0, in: contact.displayName) }
        }
        let channels = try await store.fetchChannels(deviceID: id).sorted { $0.index < $1.index }
        outcome.channels = channels.map { .init(index: $0.index, name: $0.name, unread: $0.unreadCount) }
        for channel in channels {
            let rows = try await store.fetchMessages(deviceID: id, thread: .channel(channel.id), limit: .max)
            outcome.messages += rows.map { StackOutcome.Message($0, in: channel.displayName) }
        }
        let rooms = try await store.fetchRemoteNodeSessions(deviceID: id).filter(\.isRoom)
        for room in rooms {
            let rows = try await store.fetchRoomMessages(sessionID: room.id, limit: .max)
            outcome.messages += rows.map { StackOutcome.Message($0, in: room.name) }
        }
        outcome.unread =
            contacts.map(\.unreadCount).reduce(0, +) + channels.map(\.unreadCount).reduce(0, +)
            + rooms.map(\.unreadCount).reduce(0, +)
    }
}

extension StackOutcome.Radio {
    fileprivate init(_ device: DeviceDTO) {
        name = device.nodeName
        publicKey = device.publicKey.hex
        firmware = device.firmwareVersionString
        board = device.manufacturerName
        (frequencyKHz, bandwidthHz) = (device.frequencyKHz, device.bandwidthHz)
        (spreadingFactor, codingRate, txPower) = (device.spreadingFactor, device.codingRate, device.txPower)
        (latitude, longitude) = (device.latitude, device.longitude)
        manualAddContacts = device.manualAddContacts
        (maxContacts, maxChannels) = (device.maxContacts, device.maxChannels)
    }
}

extension StackOutcome.Contact {
    fileprivate init(_ contact: ContactDTO) {
        self.init(
            name: contact.displayName, publicKey: contact.publicKey.hex, type: contact.typeRawValue,
            hops: contact.outPathLength, unread: contact.unreadCount)
    }
}

extension StackOutcome.Message {
    fileprivate init(_ message: MessageDTO, in thread: String) {
        self.init(
            thread: thread, isOutgoing: message.isOutgoing, text: message.text, timestamp: message.timestamp,
            status: message.status.standing.rawValue, isRead: message.isRead, sender: message.senderNodeName)
    }

    fileprivate init(_ post: RoomMessageDTO, in room: String) {
        self.init(
            thread: room, isOutgoing: post.isFromSelf, text: post.text, timestamp: post.timestamp,
            status: post.status.standing.rawValue, isRead: true, sender: post.authorDisplayName)
    }
}
