public import FoundationEssentials
public import Observation
import PocketMeshServices

/// The five ways to a channel.
public enum ChannelOption: String, Codable, Sendable, Hashable, CaseIterable {
    case createPrivate, joinPrivate, joinPublic, joinHashtag, scanCode

    /// The words on its button.
    public var label: String {
        switch self {
        case .createPrivate: Texts.string(.channelCreatePrivate)
        case .joinPrivate: Texts.string(.channelJoinPrivate)
        case .joinPublic: Texts.string(.channelJoinPublic)
        case .joinHashtag: Texts.string(.channelJoinHashtag)
        case .scanCode: Texts.string(.channelScanCode)
        }
    }
}

/// A channel of the radio, as a page lists it.
public struct ChannelRow: Codable, Sendable, Hashable, Identifiable {
    /// The channel's row.
    public var id: UUID
    /// The slot of the radio.
    public var index: UInt8
    /// The name of the channel.
    public var name: String
    /// The mark of the channel.
    public var avatar: NodeAvatar
    /// True when the channel is listed among the chats.
    public var isEnabled: Bool
    /// True when everybody has its secret.
    public var isPublic: Bool
    /// The region in which our messages on it are relayed; `nil` for the radio's own scope.
    public var regionScope: String?
    /// Messages that are not read.
    public var unreadCount: Int
    /// The sentence that a screen reader speaks.
    public var accessibilityLabel: String

    init(_ channel: ChannelDTO) {
        id = channel.id
        index = channel.index
        name = channel.displayName
        avatar = NodeAvatar(.channel(channel))
        isEnabled = channel.isEnabled
        isPublic = channel.secret == ChannelService.publicSecret
        regionScope = channel.regionScope
        unreadCount = channel.unreadCount
        accessibilityLabel = Texts.string(.channelAccessibility, name, "\(index)")
    }
}

/// The radio's channels: joined, created, shared and left.
@MainActor @Observable
public final class ChannelsViewModel: ViewModel {
    /// The channels, by slot.
    public private(set) var channels: [ChannelRow] = []
    /// Ways that make sense now: the public channel is joined once.
    public private(set) var options = ChannelOption.allCases
    /// Slots of the radio that are free.
    public private(set) var freeSlots = 0
    /// The address of the channel that was shared last, with its secret: for a code or a message.
    public private(set) var exportedURI: String?
    /// The secret of a channel that was created, in hex, until the page has shown it.
    public private(set) var createdSecret: String?
    /// True while a channel is being written.
    public private(set) var isWorking = false
    /// The last error, for the page; `nil` when there is none.
    public var error: ErrorPresentation?

    @ObservationIgnored private var appState: AppState?
    @ObservationIgnored private var observation: MessageEventBroadcaster.Subscription?
    @ObservationIgnored private let reloader = Reloader()

    public init() {}

    public func configure(appState: AppState) {
        self.appState = appState
        observation?.cancel()
        observation = appState.messageEventBroadcaster.observe { [weak self] numbered in
            switch numbered.event {
            case .conversationsChanged, .connectionChanged:
                self?.reloader.ask { [weak self] in await self?.load() }
            default: break
            }
        }
    }

    /// Reads the channels.
    public func load() async {
        guard let appState else { return }
        await read {
            guard let deviceID = appState.deviceID else { return channels = [] }
            let all = try await appState.store.fetchChannels(deviceID: deviceID).filter(\.isConfigured)
            channels = all.map(ChannelRow.init).sorted { $0.index < $1.index }
            let most = try await appState.store.fetchDevice(id: deviceID)?.maxChannels ?? 0
            freeSlots = max(0, most - channels.count)
            let hasPublic = channels.contains(where: \.isPublic)
            options = ChannelOption.allCases.filter { $0 != .joinPublic || !hasPublic }
        }
    }

    // MARK: The five ways

    private func write(_ body: (ChannelService, UUID) async throws -> Void) async {
        guard let appState, !isWorking else { return }
        isWorking = true
        defer { isWorking = false }
        await attempt {
            let services = try appState.requiredServices(.channels)
            let deviceID = try appState.requiredDeviceID()
            try await appState.withSyncActivity { try await body(services.channelService, deviceID) }
            appState.messageEventBroadcaster.broadcast(.conversationsChanged)
        }
        await load()
    }

    /// Creates a channel: with the secret of a passphrase, or with a random one.
    public func createPrivate(name: String, passphrase: String = "") async {
        createdSecret = nil
        guard let random = appState?.dependencies.random else { return }
        await write { service, device in
            var secret = ChannelService.hashSecret(passphrase)
            if passphrase.isEmpty {
                secret = Data(
                    (0..<2).flatMap { _ in withUnsafeBytes(of: random.number().littleEndian) { Array($0) } })
            }
            let channel = try await service.createChannel(deviceID: device, name: name, secret: secret)
            createdSecret = Measures.hex(channel.secret)
        }
    }

    /// Joins a channel of others: by its name and its 16 bytes of secret in hex.
    public func joinPrivate(name: String, secretHex: String) async {
        await write { service, device in
            guard let secret = Self.bytes(secretHex), ChannelService.validateSecret(secret) else {
                throw StackError(.channels, .secretHashingFailed)
            }
            _ = try await service.createChannel(deviceID: device, name: name, secret: secret)
        }
    }

    /// Joins the channel that everybody has, in slot 0.
    public func joinPublic() async {
        await write { service, device in _ = try await service.setupPublicChannel(deviceID: device) }
    }

    /// Joins the channel of a word: the secret follows from the word with its `#`.
    public func joinHashtag(_ word: String) async {
        let name = word.hasPrefix("#") ? word : "#" + word
        guard name.count > 1 else { return }
        await write { service, device in
            _ = try await service.createChannel(deviceID: device, name: name, passphrase: name)
        }
    }

    /// Joins the channel of an address, which a code holds.
    public func join(uri: String) async {
        await write { service, device in _ = try await service.importChannel(uri: uri, deviceID: device) }
    }

    // MARK: One channel

    /// The address of a channel, with its secret.
    public func share(_ id: UUID) async {
        guard let appState else { return }
        exportedURI = nil
        await attempt {
            guard let channel = try await appState.store.fetchChannel(id: id) else {
                throw StackError(.channels, .channelNotFound)
            }
            exportedURI = ChannelLink(channel).description
        }
    }

    /// Leaves a channel: its slot is empty afterwards.
    public func leave(_ id: UUID, deletingMessages: Bool = false) async {
        guard let channel = channels.first(where: { $0.id == id }) else { return }
        await write { service, device in
            try await service.clearChannel(
                deviceID: device, index: channel.index, deletingMessages: deletingMessages)
        }
    }

    /// Lists a channel among the chats, or not.
    public func setEnabled(_ id: UUID, _ isEnabled: Bool) async {
        guard let appState else { return }
        await attempt {
            try await appState.store.setChannelEnabled(id: id, isEnabled)
            appState.messageEventBroadcaster.broadcast(.conversationsChanged)
        }
        await load()
    }

    /// Sets the region in which our messages on a channel are relayed; an empty name for the radio's own scope.
    public func setRegion(_ id: UUID, _ region: String) async {
        await write { service, _ in try await service.setRegionScope(id: id, region) }
    }

    /// Opens a channel's conversation.
    public func open(_ id: UUID) async {
        guard let appState else { return }
        await attempt {
            guard let channel = try await appState.store.fetchChannel(id: id) else {
                throw StackError(.channels, .channelNotFound)
            }
            appState.navigateToChannel(channel)
        }
    }

    /// The page has shown the secret or the address.
    public func forgetSecrets() { (createdSecret, exportedURI) = (nil, nil) }

    private static func bytes(_ hex: String) -> Data? {
        let digits = Array(hex.filter { !$0.isWhitespace })
        guard digits.count == 32 else { return nil }
        let bytes = stride(from: 0, to: 32, by: 2).compactMap { UInt8(String(digits[$0..<($0 + 2)]), radix: 16) }
        return bytes.count == 16 ? Data(bytes) : nil
    }
}
