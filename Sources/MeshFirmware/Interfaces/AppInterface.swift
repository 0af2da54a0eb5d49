import MeshCompanion
public import MeshTime

/// The link to the app: the firmware's `BaseSerialInterface`, for each transport that a board has.
///
/// Values without a socket or a port in them: bytes that arrived go in, bytes to be written come out, one write a
/// frame. Source: CompanionStatements, CMP-001 to CMP-032.
public enum AppInterface: Sendable {
    /// USB or a UART.
    case serial(SerialInterface)
    /// The TCP server of an ESP32 board.
    case wifi(WifiInterface)
    /// The TCP server of a board with an Ethernet module.
    case ethernet(EthernetInterface)
    /// Whole frames: Bluetooth, and worlds without a transport.
    case frames(FrameInterface)
    /// Several of these at once.
    case several(SeveralInterfaces)
    /// No app at all.
    case none

    /// Whole frames on a link that is up.
    public static let frames = AppInterface.frames(FrameInterface())
    /// Whole frames with a rest between them, as an ESP32 board notifies them over Bluetooth.
    public static func pacedFrames(sendQueue: Int) -> AppInterface {
        .frames(FrameInterface(pace: FrameInterface.Pace(sendQueueSize: sendQueue)))
    }
    /// The Bluetooth of a chip family, without a client: a client is there when its link is secure.
    public static func bluetooth(_ traits: BluetoothTraits) -> AppInterface {
        .frames(FrameInterface(isConnected: false, pace: FrameInterface.Pace(traits)))
    }
    /// USB or a hardware UART.
    public static let serial = AppInterface.serial(SerialInterface())
    /// The TCP server of an ESP32 board with the given queue of outgoing frames.
    public static func wifi(sendQueue: Int) -> AppInterface { .wifi(WifiInterface(sendQueueSize: sendQueue)) }
    /// The TCP server of a board with an Ethernet module.
    public static func ethernet(sendQueue: Int) -> AppInterface {
        .ethernet(EthernetInterface(sendQueueSize: sendQueue))
    }

    /// The number of links.
    var count: Int { if case .several(let links) = self { links.count } else { 1 } }

    /// True when the radio assumes that a client listens: the condition of half of the pushes (CMP-194).
    public var isConnected: Bool {
        switch self {
        case .several(let links): links.isConnected
        case .serial(let interface): interface.isEnabled
        case .wifi(let interface): interface.isEnabled && interface.isConnected
        case .ethernet(let interface): interface.isEnabled && interface.isConnected
        case .frames(let interface): interface.isEnabled && interface.isConnected
        case .none: false
        }
    }

    /// True for links that carry bytes, as USB and sockets do, and not whole frames.
    var isStream: Bool {
        switch self {
        case .serial, .wifi, .ethernet: true
        case .several(let links): links.isStream
        case .frames, .none: false
        }
    }

    /// Numbers of the links whose clients are hung up on when they are disabled.
    var hangingUp: [Int] { if case .several(let links) = self { links.hangingUp } else { isStream ? [] : [0] } }

    /// Returns whether a contact listing has to wait, `isWriteBusy`. Neither serial nor TCP is ever busy.
    public func isBusy(at now: Instant) -> Bool {
        switch self {
        case .frames(let interface): interface.isBusy(at: now)
        case .several(let links): links.isBusy(at: now)
        case .serial, .wifi, .ethernet, .none: false
        }
    }

    /// Returns the moment at which a busy link becomes free, if something waits for that.
    func nextTurn(isListing: Bool, at now: Instant) -> Instant {
        switch self {
        case .frames(let interface): interface.nextTurn(isListing: isListing, at: now)
        case .several(let links): links.nextTurn(isListing: isListing, at: now)
        case .serial, .wifi, .ethernet, .none: .never
        }
    }

    /// Returns whether the next pass has something to do: a frame to send or bytes to look at.
    func hasWork(at now: Instant) -> Bool {
        switch self {
        case .serial(let interface): interface.hasWork
        case .wifi(let interface): interface.hasWork
        case .ethernet(let interface): interface.hasWork
        case .frames(let interface): interface.hasWork(at: now)
        case .several(let links): links.hasWork(at: now)
        case .none: false
        }
    }

    /// Bytes that a shell may deliver before it should wait; the rest stays with the operating system.
    public var window: Int {
        switch self {
        case .serial(let interface): interface.window
        case .wifi(let interface): interface.window
        case .ethernet(let interface): interface.window
        case .frames(let interface): interface.window
        case .several(let links): links.window(at: 0)
        case .none: 0
        }
    }

    /// The same of the link of a number, where there are several.
    package func window(at number: Int) -> Int {
        if case .several(let links) = self { links.window(at: number) } else { number == 0 ? window : 0 }
    }

    /// Refuses frames longer than this from now on.
    mutating func limit(frames limit: Int) {
        switch self {
        case .serial(var interface):
            interface.frameLimit = limit
            self = .serial(interface)
        case .wifi(var interface):
            interface.frameLimit = limit
            self = .wifi(interface)
        case .ethernet(var interface):
            interface.frameLimit = limit
            self = .ethernet(interface)
        case .frames(var interface):
            interface.frameLimit = limit
            self = .frames(interface)
        case .several(var links):
            links.limit(frames: limit)
            self = .several(links)
        case .none: break
        }
    }

    /// Changes the link of a number; `nil` for a number that no link has.
    mutating func change<R>(_ number: Int, _ body: (inout AppInterface) -> R) -> R? {
        guard case .several(var links) = self else { return number == 0 ? body(&self) : nil }
        self = .none
        defer { self = .several(links) }
        return links.change(number, body)
    }

    mutating func receive(_ bytes: [UInt8]) {
        switch self {
        case .serial(var interface):
            self = .none
            interface.receive(bytes)
            self = .serial(interface)
        case .wifi(var interface):
            self = .none
            interface.receive(bytes)
            self = .wifi(interface)
        case .ethernet(var interface):
            self = .none
            interface.receive(bytes)
            self = .ethernet(interface)
        case .frames(var interface):
            self = .none
            interface.receive(bytes)
            self = .frames(interface)
        // Only links of their own have clients.
        case .several, .none: break
        }
    }

    /// A client has connected; true when another one was there and has to go.
    mutating func clientArrived() -> Bool {
        switch self {
        case .wifi(var interface):
            defer { self = .wifi(interface) }
            return interface.clientArrived()
        case .ethernet(var interface):
            defer { self = .ethernet(interface) }
            return interface.clientArrived()
        case .frames(var interface):
            interface.clientArrived()
            self = .frames(interface)
            return false
        case .serial, .several, .none: return false
        }
    }

    /// Stores whether a link of frames has no room for a further one; returns true when it has room again.
    mutating func hold(_ isHeld: Bool) -> Bool {
        guard case .frames(var interface) = self else { return false }
        self = .none
        defer { self = .frames(interface) }
        return interface.hold(isHeld)
    }

    mutating func clientLeft() {
        switch self {
        case .wifi(var interface):
            interface.clientLeft()
            self = .wifi(interface)
        case .ethernet(var interface):
            interface.clientLeft()
            self = .ethernet(interface)
        case .frames(var interface):
            interface.clientLeft()
            self = .frames(interface)
        case .serial, .several, .none: break
        }
    }

    /// Writes a frame of 1 to 176 bytes; one for which there is no room is lost. Serial bytes come out at once.
    package mutating func write(_ frame: [UInt8], into output: inout [NodeEffect]) {
        switch self {
        case .serial(let interface):
            if interface.isEnabled, let bytes = StreamFraming.encode(toApp: frame) { output.append(.appBytes(bytes)) }
        case .wifi(var interface):
            self = .none
            interface.write(frame)
            self = .wifi(interface)
        case .ethernet(var interface):
            self = .none
            interface.write(frame)
            self = .ethernet(interface)
        case .frames(var interface):
            self = .none
            interface.write(frame, into: &output)
            self = .frames(interface)
        case .several(var links):
            self = .none
            links.write(frame, into: &output)
            self = .several(links)
        case .none: break
        }
    }

    /// Polls the transport once per pass: sends a due frame, or returns one frame of the app.
    mutating func poll(at now: Instant, into output: inout [NodeEffect]) -> [UInt8]? {
        switch self {
        case .serial(var interface):
            self = .none
            let frame = interface.poll()
            self = .serial(interface)
            return frame
        case .wifi(var interface):
            self = .none
            let frame = interface.poll(into: &output)
            self = .wifi(interface)
            return frame
        case .ethernet(var interface):
            self = .none
            let frame = interface.poll(into: &output)
            self = .ethernet(interface)
            return frame
        case .frames(var interface):
            self = .none
            let frame = interface.poll(at: now, into: &output)
            self = .frames(interface)
            return frame
        case .several(var links):
            self = .none
            let frame = links.poll(at: now, into: &output)
            self = .several(links)
            return frame
        case .none: return nil
        }
    }

    /// Shuts the interface for good, as before a factory reset.
    mutating func disable() {
        switch self {
        case .serial(var interface):
            interface.isEnabled = false
            self = .serial(interface)
        case .wifi(var interface):
            interface.isEnabled = false
            self = .wifi(interface)
        case .ethernet(var interface):
            interface.isEnabled = false
            self = .ethernet(interface)
        case .frames(var interface):
            interface.isEnabled = false
            self = .frames(interface)
        case .several(var links):
            links.disable()
            self = .several(links)
        case .none: break
        }
    }
}
