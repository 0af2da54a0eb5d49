package import MeshCapture
import MeshCompanion
package import MeshEmulator
package import MeshTime
package import MeshTransports

/// The radio of a recording behind an endpoint: the framing of a board on Wi-Fi, or of one on USB.
package struct ReplayedEndpoint: EndpointCore {
    private enum Framing: Sendable {
        case wifi(WifiReceiver)
        case serial(SerialReceiver)
    }

    /// The recorded radio, which keeps the place in the recording.
    package private(set) var radio: RadioReplayer
    /// Tells whether a client was there and has gone.
    package private(set) var hasBeenLeft = false
    private var framing: Framing
    /// Bytes that the receiver had no room for.
    private var rest: [UInt8] = []

    /// Bytes of the client that wait to be read, beside what the receiver itself holds.
    var unreadBytes: Int { rest.count }

    /// For the kind of link that the endpoint is.
    package init(_ radio: RadioReplayer, at endpoint: LinkAddress) {
        self.radio = radio
        switch endpoint {
        case .tcp, .controller, .bluetooth: framing = .wifi(WifiReceiver())
        case .pty, .serial, .remote: framing = .serial(SerialReceiver())
        }
    }

    package var nextWake: Instant { radio.nextWake }

    package mutating func handle(_ event: EndpointEvent, at now: Instant) -> [EndpointAction] {
        var effects: [RadioReplayer.Effect] = []
        switch event {
        case .connected:
            reset()
            radio.handle(.disconnected, at: now, into: &effects)
            radio.handle(.connected, at: now, into: &effects)
        case .bytes(let bytes):
            for frame in frames(in: bytes) { radio.handle(.frame(frame), at: now, into: &effects) }
        case .disconnected: leave(at: now)
        case .woke: radio.handle(.woke, at: now, into: &effects)
        }
        // A socket is closed by that, and its client's end is not told; a terminal stays open.
        if effects.contains(.hangUp), case .wifi = framing { leave(at: now) }
        return effects.compactMap { effect in
            switch effect {
            case .send(let frame): StreamFraming.encode(toApp: frame).map { .write($0) }
            case .hangUp: .hangUp
            }
        }
    }

    private mutating func leave(at now: Instant) {
        hasBeenLeft = true
        // Nothing is said to nobody.
        var effects: [RadioReplayer.Effect] = []
        radio.handle(.disconnected, at: now, into: &effects)
    }

    private mutating func reset() {
        rest = []
        switch framing {
        case .wifi: framing = .wifi(WifiReceiver())
        case .serial: framing = .serial(SerialReceiver())
        }
    }

    private mutating func frames(in bytes: [UInt8]) -> [[UInt8]] {
        switch framing {
        case .wifi(var receiver):
            defer { framing = .wifi(receiver) }
            return Self.frames(in: rest + bytes, &receiver, &rest)
        case .serial(var receiver):
            defer { framing = .serial(receiver) }
            return Self.frames(in: rest + bytes, &receiver, &rest)
        }
    }

    private static func frames(
        in bytes: [UInt8], _ receiver: inout some StreamReceiver, _ rest: inout [UInt8]
    ) -> [[UInt8]] {
        var frames: [[UInt8]] = []
        var left = bytes[...]
        while true {
            let taken = receiver.append([UInt8](left))
            left = left.dropFirst(taken)
            var hasFrame = false
            while let frame = receiver.nextFrame() {
                frames.append(frame)
                hasFrame = true
            }
            if left.isEmpty || (taken == 0 && !hasFrame) { break }
        }
        // A receiver that takes no more is one that waits for a frame that cannot come: what is behind it is lost.
        rest = left.count <= 4096 ? [UInt8](left) : []
        return frames
    }
}
