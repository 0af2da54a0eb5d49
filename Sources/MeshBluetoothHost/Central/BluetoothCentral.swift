package import MeshTime

/// An app's side of a radio's link, above its controller: finds the radio, pairs with its PIN, and passes frames.
///
/// A value without socket and clock. It governs the phases from the first scan to the end, and how long each may last.
/// It handles keys that one side has lost, and frames that wait to be written. It does not know what frames mean: a
/// frame is written as one value, and a notified value is one frame. Any fault ends in one ``Failure``, and in a state
/// from which `start` begins anew.
///
/// ```
/// idle ─ start ─> waitingForBluetooth ─> scanning ─> connecting ─> discoveringServices ─> subscribingToNotifications
///   ^                  |                    |           |  ^                |                       |
///   |                  |                    |           |  └── lost keys ───┴───────────────────────┤
///   └──── ended ───────┴────────────────────┴──── disconnecting <── hangUp, fault ── connected <────┘
/// ```
package struct BluetoothCentral: Sendable {
    /// The wanted one of the radios in range.
    package enum Peer: Hashable, Sendable {
        /// The one with this device address, public or random.
        case address(UInt64)
        /// The one that advertises this name.
        case name(String)
        /// None: reports the radios in range until the time of the scan is over.
        case nobody
    }

    /// The reason why a frame was refused; the link goes on as before.
    package enum Refusal: Error, Hashable, Sendable {
        /// The link is not ready, or has ended.
        case notReady
        /// As many frames wait as may; `hasRoom` follows.
        case full
        /// A value has so many bytes at most.
        case tooLong(limit: Int)
    }

    /// Effects for the owner to carry out, in this order.
    package enum Output: Hashable, Sendable {
        /// A packet for the controller, from its type on.
        case send([UInt8])
        /// The link is encrypted and subscribed; frames pass.
        case ready(mtu: Int)
        /// A frame of the radio.
        case frame([UInt8])
        /// There is room again after a refusal.
        case hasRoom
        /// A frame was not written: the radio's error, or none where it has not answered in time.
        case notWritten(ATT.ErrorCode?)
        /// The user is to type the PIN; pass it to `enter`.
        case pinWanted
        /// The bonds have changed, and are to be kept before anything later leaves.
        case keep([BluetoothHost.KnownPeer])
        /// A radio was heard, wanted or not.
        case found(BluetoothHost.Advertiser)
        /// A line for people.
        case note(String)
        /// The link has ended, or did not come about.
        case ended(Failure)
    }

    /// The phase of the link; the names are those of the service stack's link state machine.
    package enum Phase: String, Hashable, Sendable, CaseIterable {
        case idle, waitingForBluetooth, scanning, connecting, discoveringServices, subscribingToNotifications
        case connected, disconnecting
    }

    /// The radio that it dials.
    package let peer: Peer
    /// Limits for times and queues.
    package let limits: Limits
    let passkey: UInt32?
    var host: BluetoothHost
    var state = State.idle
    var keys = KeyTrust.trusted
    /// The address under which the wanted radio was heard; `nil` before it was.
    package internal(set) var dialed: BluetoothAddress?
    /// Connections that broke before the first packet, which radio links do.
    var brokenAttempts = 0
    /// Names of radios that were heard and are not the wanted one.
    var heard: [String] = []
    /// Gathered in one call.
    var outputs: [Output] = []
    var events: [BluetoothHost.Event] = []
    var requests: [BluetoothHost.Request] = []
    /// Reported last in its call, after the packets that stop the controller.
    var ending: Failure?

    /// `passkey`: the PIN, or `nil` to ask for it. `known`: what was kept of earlier links, of all radios.
    package init(
        _ peer: Peer, passkey: UInt32?, known: [BluetoothHost.KnownPeer] = [], limits: Limits = Limits()
    ) {
        self.peer = peer
        self.passkey = passkey
        self.limits = limits
        var settings = BluetoothHost.Settings()
        settings.makesRandomAddress = true
        settings.security.passkey = passkey
        settings.connectTime = limits.connecting
        settings.clientMTU = limits.mtu
        host = BluetoothHost(settings, known: known)
    }

    /// The bonds, for a file.
    package var known: [BluetoothHost.KnownPeer] { host.known }

    /// The time at which `expire` has to be called.
    package var deadline: Instant? { [host.deadline, state.deadline].compactMap { $0 }.min() }

    /// Accepted frames that the radio has not answered or the host not sent.
    package var unwritten: Int {
        guard case .connected(let session) = state else { return 0 }
        return session.waiting.count + (session.isWriting ? 1 : 0)
    }

    /// The longest frame that is accepted now; one without an answer has to fit into one packet.
    package func longestFrame(withResponse: Bool) -> Int? {
        guard case .connected(let session) = state else { return nil }
        return session.answers(withResponse) ? ATT.maximumValue : session.mtu - 3
    }
}

// MARK: - Inputs

extension BluetoothCentral {
    /// Sets the controller up and dials; `ready` follows, or `ended`. Nothing while a link is there.
    package mutating func start(at now: Instant, random: inout some RandomNumberGenerator) -> [Output] {
        guard case .idle = state else { return [] }
        (keys, brokenAttempts, heard) = (.trusted, 0, [])
        dialed = nil
        state = .waitingForBluetooth
        take(host.start(at: now))
        return settle(at: now, random: &random)
    }

    /// A whole packet of the controller.
    package mutating func receive(
        _ packet: [UInt8], at now: Instant, random: inout some RandomNumberGenerator
    ) -> [Output] {
        take(host.receive(packet.span, at: now, random: &random))
        return settle(at: now, random: &random)
    }

    /// The moment of `deadline` has come.
    package mutating func expire(at now: Instant, random: inout some RandomNumberGenerator) -> [Output] {
        if let deadline = host.deadline, deadline <= now { take(host.expire(at: now)) }
        drain(at: now)
        expireState(at: now)
        return settle(at: now, random: &random)
    }

    /// The way to the controller is gone.
    package mutating func close(at now: Instant, random: inout some RandomNumberGenerator) -> [Output] {
        take(host.close(at: now))
        return settle(at: now, random: &random)
    }

    /// The PIN that the user typed; `nil` when there is none.
    package mutating func enter(
        _ passkey: UInt32?, at now: Instant, random: inout some RandomNumberGenerator
    ) -> [Output] {
        state.setup?.isPINWanted = false
        if let link = state.link { requests.append(.passkey(link, passkey)) }
        return settle(at: now, random: &random)
    }

    /// A frame for the radio. What the radio's value does not offer is done the other way.
    package mutating func send(
        _ frame: [UInt8], withResponse: Bool, at now: Instant, random: inout some RandomNumberGenerator
    ) throws(Refusal) -> [Output] {
        guard case .connected(var session) = state, let longest = longestFrame(withResponse: withResponse) else {
            throw .notReady
        }
        guard frame.count <= longest else { throw .tooLong(limit: longest) }
        guard session.waiting.count < limits.queue else {
            session.wantsRoom = true
            state = .connected(session)
            throw .full
        }
        session.waiting.append(.init(value: frame, isAnswered: session.answers(withResponse)))
        state = .connected(session)
        return settle(at: now, random: &random)
    }

    /// Ends the link, or the attempt; `ended` follows.
    package mutating func hangUp(at now: Instant, random: inout some RandomNumberGenerator) -> [Output] {
        fail(.hungUp, at: now)
        return settle(at: now, random: &random)
    }
}

// MARK: - The machine

extension BluetoothCentral {
    mutating func take(_ effects: [BluetoothHost.Effect]) {
        for effect in effects {
            switch effect {
            case .send(let packet): outputs.append(.send(packet))
            // Links that end with their controller do so for that reason.
            case .tell(.failed(let failure)): events.insert(.failed(failure), at: 0)
            case .tell(let event): events.append(event)
            }
        }
    }

    mutating func drain(at now: Instant) {
        while !events.isEmpty { happened(events.removeFirst(), at: now) }
    }

    /// Does what follows from events, one after the other: packets leave in the order in which they were cut.
    mutating func settle(at now: Instant, random: inout some RandomNumberGenerator) -> [Output] {
        repeat {
            drain(at: now)
            guard !requests.isEmpty else { continue }
            let request = requests.removeFirst()
            do throws(BluetoothHost.Refusal) {
                take(try host.ask(request, at: now, random: &random))
                if case .forget = request { outputs.append(.keep(host.known)) }
            } catch {
                notTaken(request, error, at: now)
            }
        } while !events.isEmpty || !requests.isEmpty || write(at: now, random: &random)
        if let ending { outputs.append(.ended(ending)) }
        defer { (outputs, ending) = ([], nil) }
        return outputs
    }

    /// Passes the next frame to the host. `false`: there is none, or it has to wait.
    private mutating func write(at now: Instant, random: inout some RandomNumberGenerator) -> Bool {
        guard case .connected(var session) = state, let next = session.waiting.first, !session.isFull,
            !session.isWriting
        else { return false }
        defer { if case .connected = state { state = .connected(session) } }
        do throws(BluetoothHost.Refusal) {
            let request = BluetoothHost.Request.write(
                session.link, handle: session.receive, value: next.value, withResponse: next.isAnswered)
            take(try host.ask(request, at: now, random: &random))
        } catch .overflow {
            session.isFull = true
            return false
        } catch {
            // The link is ending, which is told by an event.
            session.waiting = []
            return false
        }
        session.waiting.removeFirst()
        if next.isAnswered { (session.isWriting, session.writtenUntil) = (true, now + limits.write) }
        if session.wantsRoom {
            session.wantsRoom = false
            outputs.append(.hasRoom)
        }
        return true
    }

    /// A request that the host refused: links that have ended say so by events, and all else is a stated end.
    private mutating func notTaken(
        _ request: BluetoothHost.Request, _ refusal: BluetoothHost.Refusal, at now: Instant
    ) {
        switch (request, refusal) {
        case (.subscribe, .noSuchAttribute): fail(.characteristicMissing, at: now)
        case (.scan, _), (.connect, _): fail(.busy, at: now)
        default: break
        }
    }
}
