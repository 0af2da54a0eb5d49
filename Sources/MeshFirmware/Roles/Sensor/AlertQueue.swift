import MeshPacket
import MeshTime
import MeshWire

/// The reason for which a sensor alerts its clients.
///
/// Source: InfrastructureNodes, "Sensor" (INF-180); firmware, `main.cpp` of simple_sensor.
enum Alert: UInt8, Hashable, Sendable, CaseIterable {
    case batteryCritical
    case batteryLow

    var text: ByteText {
        switch self {
        case .batteryCritical: "Battery is critical!"
        case .batteryLow: "Battery is low"
        }
    }

    /// The permission of the clients that receive the alert.
    var audience: ClientPermissions { self == .batteryCritical ? .highAlerts : .lowAlerts }
    /// Low-priority alerts are sent once, numbered as if it were the last attempt.
    var firstAttempt: UInt8 { self == .batteryCritical ? 0 : 3 }
}

/// Alerts that are being brought to clients, one after the other; `MAX_CONCURRENT_ALERTS` of them.
struct AlertQueue: Hashable, Sendable {
    static let capacity = 4
    static let attempts: UInt8 = 4

    /// The alert that is being sent, and how far it has come.
    struct Delivery: Hashable, Sendable {
        let alert: Alert
        /// The client; −1 before the first.
        var client = -1
        /// The attempt that comes next; 4 for going on to the next client.
        var attempt = AlertQueue.attempts
        /// Of the text, for all attempts at one client.
        var timestamp: UInt32 = 0
        var acks: [UInt32] = [0, 0, 0, 0]
        /// The end of the wait for an acknowledgement.
        ///
        /// The firmware writes 0 for "at once", which in the upper half of the millisecond counter lies ahead
        /// (InfrastructureNodes, "Sensor").
        var due = Millis(0)
    }

    private(set) var deliveries: [Delivery] = []
    /// The alerts whose condition was true at the last reading; they are not sent again.
    private var triggered: Set<Alert> = []

    /// Handles the result of a reading: starts an alert, or ends it and makes it ready again.
    mutating func note(_ alert: Alert, isGiven: Bool) {
        if !isGiven {
            triggered.remove(alert)
            deliveries.removeAll { $0.alert == alert }
        } else if !triggered.contains(alert), deliveries.count < Self.capacity {
            triggered.insert(alert)
            deliveries.append(Delivery(alert: alert))
        }
    }

    var head: Delivery? {
        get { deliveries.first }
        set {
            guard !deliveries.isEmpty else { return }
            if let newValue { deliveries[0] = newValue } else { deliveries.removeFirst() }
        }
    }

    /// An acknowledgement of any attempt ends the attempts at this client.
    mutating func takeAck(_ ack: UInt32) -> Bool {
        guard let delivery = head, delivery.acks.prefix(Int(delivery.attempt)).contains(ack) else { return false }
        head?.attempt = Self.attempts
        head?.due = Millis(0)
        return true
    }
}

// Sending alerts. Source: InfrastructureNodes, "Sensor" (INF-181 to INF-185); firmware, `SensorMesh::loop` and
// `sendAlert`.
extension SensorNode {
    /// Milliseconds that an attempt waits for its acknowledgement (`ALERT_ACK_EXPIRY_MILLIS`).
    static let alertExpiry: UInt32 = 8000

    /// One step of the alert at the head of the queue: an attempt, the next client, or the end.
    mutating func alertWhenDue() {
        guard let delivery = alerts.head, core.hasPassed(delivery.due) else { return }
        guard delivery.attempt >= AlertQueue.attempts else { return sendAttempt() }
        let next = delivery.client + 1
        guard next < server.clients.count else {
            alerts.head = nil
            return
        }
        alerts.head?.client = next
        guard !server.clients[next].permissions.isDisjoint(with: delivery.alert.audience) else { return }
        alerts.head?.attempt = delivery.alert.firstAttempt
        alerts.head?.timestamp = core.uniqueTime()
        sendAttempt()
    }

    private mutating func sendAttempt() {
        guard var delivery = alerts.head else { return }
        guard delivery.client < server.clients.count else {
            // Somebody was removed while the alert was waiting.
            alerts.head?.attempt = AlertQueue.attempts
            return
        }
        let client = server.clients[delivery.client]
        let text = TextPlaintext(timestamp: delivery.timestamp, attempt: delivery.attempt, text: delivery.alert.text)
        guard let text else { return }
        delivery.acks[Int(delivery.attempt)] = text.ackHash(sender: core.publicKey, receiver: client.publicKey) ?? 0
        delivery.attempt += 1
        delivery.due = core.future(Self.alertExpiry)
        alerts.head = delivery
        let packet = text.written().withUnsafeBytes {
            core.createDatagram(.txtMsg, toHash: client.publicKey[0], secret: client.secret, data: $0)
        }
        guard let packet else { return }
        switch storedRoute(to: delivery.client) {
        case .direct(let length, let path):
            path.withUnsafeBytes {
                _ = core.sendDirect(packet, pathLength: length, path: $0.first(length.byteCount))
            }
        case .flood, .pathReturn: sendFloodOfOwn(packet)
        }
    }

    /// Returns the moment at which the head of the queue wants its next step.
    mutating func alertWake() -> Instant {
        guard let delivery = alerts.head else { return .never }
        // One step a pass, as in the firmware.
        return core.hasPassed(delivery.due) ? core.now + core.board.loopPeriod : core.instant(after: delivery.due)
    }
}
