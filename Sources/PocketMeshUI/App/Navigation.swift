public import FoundationEssentials

/// The four tabs of the main page, under their numbers.
public enum AppTab: Int, Codable, Sendable, Hashable, CaseIterable {
    case chats = 0
    case contacts = 1
    case map = 2
    case settings = 3
}

/// A page that a link can open; each has an address of its own.
public enum AppRoute: Codable, Sendable, Hashable {
    /// A conversation with a contact, by its row, and the message to show.
    case chat(contactID: UUID, messageID: UUID? = nil)
    /// A channel's conversation, by its row.
    case channel(channelID: UUID)
    /// A room, by its session.
    case room(sessionID: UUID)
    /// A repeater, by its session.
    case repeater(sessionID: UUID)
    /// A contact's fields.
    case contact(contactID: UUID)
    /// The nodes that were heard and are no contacts.
    case discovery
    /// A section of the settings.
    case settings(section: String)
}

/// The way into each tab, from its first page on.
public struct NavigationState: Codable, Sendable, Hashable {
    /// A page more than this deep replaces the last one.
    static let depthLimit = 16

    private var paths: [[AppRoute]] = [[], [], [], []]

    public init() {}

    /// The way into a tab; empty on its first page.
    public func path(of tab: AppTab) -> [AppRoute] { paths[tab.rawValue] }

    /// Goes one page further.
    public mutating func push(_ route: AppRoute, on tab: AppTab) {
        if paths[tab.rawValue].count >= Self.depthLimit { paths[tab.rawValue].removeLast() }
        paths[tab.rawValue].append(route)
    }

    /// Goes back one page; has no effect on the first.
    public mutating func pop(on tab: AppTab) { _ = paths[tab.rawValue].popLast() }

    /// Goes back to the first page of a tab.
    public mutating func popToRoot(of tab: AppTab) { paths[tab.rawValue] = [] }
}

/// The steps of a new user's beginning.
public enum OnboardingStep: String, Codable, Sendable, Hashable, CaseIterable {
    case welcome
    case permissions
    case deviceScan
    case done

    /// The step after this one; the last stays.
    public var next: OnboardingStep {
        switch self {
        case .welcome: .permissions
        case .permissions: .deviceScan
        case .deviceScan, .done: .done
        }
    }

    /// The step before this one; the first stays.
    public var previous: OnboardingStep {
        switch self {
        case .welcome, .permissions: .welcome
        case .deviceScan: .permissions
        case .done: .deviceScan
        }
    }
}
