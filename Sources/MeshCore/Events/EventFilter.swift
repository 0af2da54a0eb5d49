import MeshCompanion

/// Which events a subscriber wants.
public struct EventFilter: Sendable {
    private let test: @Sendable (MeshEvent) -> Bool

    public init(_ test: @escaping @Sendable (MeshEvent) -> Bool) {
        self.test = test
    }

    public func matches(_ event: MeshEvent) -> Bool { test(event) }

    // MARK: Combinations

    public func and(_ other: EventFilter) -> EventFilter { EventFilter { matches($0) && other.matches($0) } }
    public func or(_ other: EventFilter) -> EventFilter { EventFilter { matches($0) || other.matches($0) } }
    public var negated: EventFilter { EventFilter { !matches($0) } }

    // MARK: Kinds

    public static let all = EventFilter { _ in true }
    public static let ok = EventFilter { if case .ok = $0 { true } else { false } }
    public static let error = EventFilter { if case .error = $0 { true } else { false } }
    public static let noMoreMessages = EventFilter { $0 == .noMoreMessages }
    public static let messagesWaiting = EventFilter { $0 == .messagesWaiting }
    public static let anyAcknowledgement = EventFilter { if case .acknowledgement = $0 { true } else { false } }
    public static let anyBinaryResponse = EventFilter { if case .binaryResponse = $0 { true } else { false } }

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

    public static func acknowledgement(_ code: UInt32) -> EventFilter {
        EventFilter { if case .acknowledgement(code, _) = $0 { true } else { false } }
    }

    public static func binaryResponse(tag: UInt32) -> EventFilter {
        EventFilter { if case .binaryResponse(tag, _) = $0 { true } else { false } }
    }

    public static func channelMessage(_ channel: UInt8) -> EventFilter {
        EventFilter { event in
            if case .channelMessageReceived(let received) = event {
                received.message.channelIndex == channel
            } else {
                false
            }
        }
    }

    public static func contactMessage(fromPrefix prefix: [UInt8]) -> EventFilter {
        node(prefix) { if case .contactMessageReceived = $0 { true } else { false } }
    }

    public static func statusResponse(fromPrefix prefix: [UInt8]) -> EventFilter {
        node(prefix) { if case .statusResponse = $0 { true } else { false } }
    }

    public static func telemetryResponse(fromPrefix prefix: [UInt8]) -> EventFilter {
        node(prefix) { if case .telemetryResponse = $0 { true } else { false } }
    }

    public static func advertisement(fromPrefix prefix: [UInt8]) -> EventFilter {
        node(prefix) { event in
            switch event {
            case .advertisement, .newContact: true
            default: false
            }
        }
    }

    public static func pathUpdate(forPrefix prefix: [UInt8]) -> EventFilter {
        node(prefix) { if case .pathUpdate = $0 { true } else { false } }
    }

    public static func pathResponse(fromPrefix prefix: [UInt8]) -> EventFilter {
        node(prefix) { if case .pathResponse = $0 { true } else { false } }
    }

    /// How a login ended, well or not.
    public static func login(_ prefix: [UInt8]) -> EventFilter {
        node(prefix) { event in
            switch event {
            case .loginSuccess, .loginFailed: true
            default: false
            }
        }
    }

    /// Keys are compared over the shorter of both; an empty one is nobody's.
    private static func node(_ prefix: [UInt8], _ kind: @escaping @Sendable (MeshEvent) -> Bool) -> EventFilter {
        EventFilter { event in
            guard kind(event), let key = event.publicKey, !key.isEmpty, !prefix.isEmpty else { return false }
            let count = min(key.count, prefix.count)
            return key.prefix(count).elementsEqual(prefix.prefix(count))
        }
    }
}
