import MeshCompanion

/// The events that a subscriber wants.
public struct EventFilter: Sendable {
    private let test: @Sendable (MeshEvent) -> Bool

    /// The events for which a test is true.
    public init(_ test: @escaping @Sendable (MeshEvent) -> Bool) {
        self.test = test
    }

    /// Returns whether a subscriber with this filter receives the event.
    public func matches(_ event: MeshEvent) -> Bool { test(event) }

    // MARK: Combinations

    /// Events that both filters want.
    public func and(_ other: EventFilter) -> EventFilter { EventFilter { matches($0) && other.matches($0) } }
    /// Events that one of the filters wants.
    public func or(_ other: EventFilter) -> EventFilter { EventFilter { matches($0) || other.matches($0) } }
    /// Events that this filter does not want.
    public var negated: EventFilter { EventFilter { !matches($0) } }

    // MARK: Kinds

    /// Every event.
    public static let all = EventFilter { _ in true }
    /// The radio's OK.
    public static let ok = EventFilter { if case .ok = $0 { true } else { false } }
    /// Refusals with any code.
    public static let error = EventFilter { if case .error = $0 { true } else { false } }
    /// The radio's queue is empty.
    public static let noMoreMessages = EventFilter { $0 == .noMoreMessages }
    /// The radio has messages in its queue.
    public static let messagesWaiting = EventFilter { $0 == .messagesWaiting }
    /// Acknowledgements of any text.
    public static let anyAcknowledgement = EventFilter { if case .acknowledgement = $0 { true } else { false } }

    /// Events of one case, by its `name`.
    public static func eventType(_ name: String) -> EventFilter { EventFilter { $0.name == name } }

    /// Events that have all these attributes.
    public static func attributes(_ wanted: [String: String]) -> EventFilter {
        EventFilter { event in
            let attributes = event.attributes
            return wanted.allSatisfy { attributes[$0.key] == $0.value }
        }
    }

    // MARK: Values

    /// The acknowledgement of the text with this code.
    public static func acknowledgement(_ code: UInt32) -> EventFilter {
        EventFilter { if case .acknowledgement(code, _) = $0 { true } else { false } }
    }

    /// The answer to the binary request with this tag.
    public static func binaryResponse(tag: UInt32) -> EventFilter {
        EventFilter { if case .binaryResponse(tag, _) = $0 { true } else { false } }
    }

    /// Texts on the channel in this slot.
    public static func channelMessage(_ channel: UInt8) -> EventFilter {
        EventFilter { event in
            if case .channelMessageReceived(let received) = event {
                received.message.channelIndex == channel
            } else {
                false
            }
        }
    }

    /// Matches texts from the contact whose key begins with these bytes.
    public static func contactMessage(fromPrefix prefix: [UInt8]) -> EventFilter {
        node(prefix) { if case .contactMessageReceived = $0 { true } else { false } }
    }

    /// Matches the status of the server whose key begins with these bytes.
    public static func statusResponse(fromPrefix prefix: [UInt8]) -> EventFilter {
        node(prefix) { if case .statusResponse = $0 { true } else { false } }
    }

    /// Matches telemetry of the node whose key begins with these bytes.
    public static func telemetryResponse(fromPrefix prefix: [UInt8]) -> EventFilter {
        node(prefix) { if case .telemetryResponse = $0 { true } else { false } }
    }

    /// Matches adverts of the node whose key begins with these bytes, new contact or known.
    public static func advertisement(fromPrefix prefix: [UInt8]) -> EventFilter {
        node(prefix) { event in
            switch event {
            case .advertisement, .newContact: true
            default: false
            }
        }
    }

    /// Matches another path to the node whose key begins with these bytes.
    public static func pathUpdate(forPrefix prefix: [UInt8]) -> EventFilter {
        node(prefix) { if case .pathUpdate = $0 { true } else { false } }
    }

    /// Matches both paths between here and the node whose key begins with these bytes.
    public static func pathResponse(fromPrefix prefix: [UInt8]) -> EventFilter {
        node(prefix) { if case .pathResponse = $0 { true } else { false } }
    }

    /// Matches the end of a login, well or not.
    public static func login(_ prefix: [UInt8]) -> EventFilter {
        node(prefix) { event in
            switch event {
            case .loginSuccess, .loginFailed: true
            default: false
            }
        }
    }

    /// Matches an event by the node's key, over the shorter of both keys; an empty one matches nothing.
    private static func node(_ prefix: [UInt8], _ kind: @escaping @Sendable (MeshEvent) -> Bool) -> EventFilter {
        EventFilter { event in
            guard kind(event), let key = event.publicKey, !key.isEmpty, !prefix.isEmpty else { return false }
            let count = min(key.count, prefix.count)
            return key.prefix(count).elementsEqual(prefix.prefix(count))
        }
    }
}
