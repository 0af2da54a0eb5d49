import MeshCrypto
import MeshPacket
import MeshTime
import MeshWire

/// The member that is due to receive a post, and the time of its turn.
///
/// The firmware looks at one member every 150 ms, most of the time in vain. Here no pass is made for such a look.
/// The looks in vain are counted afterwards, so that turn and time are what they would have been.
struct PushTurn: Hashable, Sendable {
    /// `PUSH_NOTIFY_DELAY_MILLIS`: after a post or a login.
    static let afterNews: UInt32 = 2000
    /// `SYNC_PUSH_INTERVAL`: after a push.
    static let afterPush: UInt32 = 1200
    /// From one look in vain to the next.
    static let afterNothing: UInt32 = 150
    /// Seconds by the room's clock that a post rests first, in case its author sends another one
    /// (`POST_SYNC_DELAY_SECS`).
    static let rest: UInt32 = 6
    /// Pushes that are not acknowledged before a member is left alone.
    static let mostFailures: UInt8 = 3

    /// The time of the next look; the first pass after it makes the look.
    private(set) var next: Millis
    /// The place of the member that is looked at next.
    private(set) var index = 0

    init(at now: Millis) {
        next = now
    }

    /// The look for which a pass was asked, since it may find something; those before it are in vain.
    private(set) var awaited = Instant.never

    mutating func postpone(at now: Millis) { next = now + Self.afterNews }

    /// Counts the looks in vain before this pass. One that was awaited is not among them, even if the pass is late.
    mutating func skip(to now: Millis, late: Int64, members: Int) {
        guard members > 0, next.hasPassed(at: now) else { return }
        // A look happens a millisecond after it is due, and sets the next one from there.
        let step = Int64(Self.afterNothing) + 1
        let inVain = Int64(now.since(next)) - 1 - max(0, late)
        guard inVain > 0 else { return }
        let missed = (inVain + step - 1) / step
        next = next + UInt32(truncatingIfNeeded: missed * step)
        index = (index + Int(missed % Int64(members))) % members
    }

    /// Ends the look at one member.
    mutating func end(hasPushed: Bool, members: Int, at now: Millis) {
        index = (index + 1) % members
        next = now + (hasPushed ? Self.afterPush : Self.afterNothing)
    }

    /// Asks for the first look at or after `wanted`; the beginning of the present millisecond is `now`.
    mutating func expectLook(notBefore wanted: Instant, millis: Millis, now: Instant) -> Instant {
        guard wanted != .never else {
            awaited = .never
            return .never
        }
        // Whole milliseconds, the begun one counted.
        let wait = ((wanted - now).microseconds + 999) / 1000
        awaited = now + .milliseconds(millisecondsToLook(from: millis, notBefore: wait))
        return awaited
    }

    /// The first look at or after `wanted`, both as counts from now.
    private func millisecondsToLook(from now: Millis, notBefore wanted: Int64) -> Int64 {
        let first = Int64(now.distance(to: next)) + 1
        guard wanted > first else { return first }
        let step = Int64(Self.afterNothing) + 1
        return first + (wanted - first + step - 1) / step * step
    }
}

// Bringing posts to members. Source: InfrastructureNodes, "Room server" (INF-160 to INF-168); firmware, `MyMesh::loop`.
extension RoomServer {
    /// Counts the turns for which no pass was made.
    mutating func passTurns() {
        let late = pushTurn.awaited == .never ? 0 : (core.now - pushTurn.awaited).milliseconds
        pushTurn.skip(to: core.millis, late: late, members: server.clients.count)
    }

    mutating func pushWhenDue() {
        let count = server.clients.count
        guard count > 0, core.hasPassed(pushTurn.next) else { return }
        for index in 0..<count {
            let client = server.clients[index]
            guard client.pendingAck != 0, core.hasPassed(client.ackTimeout) else { continue }
            server.clients[index].pushFailures &+= 1
            server.clients[index].pendingAck = 0
        }
        // Members may have been removed since the turn was set.
        let index = pushTurn.index % count
        var hasPushed = false
        if isReachable(server.clients[index]), let post = restedPost(for: server.clients[index]) {
            hasPushed = push(post, to: index)
        }
        pushTurn.end(hasPushed: hasPushed, members: count, at: core.millis)
    }

    private func isReachable(_ client: ClientTable.Client) -> Bool {
        client.pendingAck == 0 && client.lastActivity != 0 && client.pushFailures < PushTurn.mostFailures
    }

    /// The first post in the ring that the member lacks and that has rested; one that rests lets younger ones pass.
    private func restedPost(for client: ClientTable.Client) -> PostRing.Post? {
        let now = core.unixTime
        return posts.posts.first {
            now >= $0.timestamp &+ PushTurn.rest && $0.timestamp > client.syncSince && $0.author != client.publicKey
        }
    }

    /// Sends a post as signed text. Each attempt draws bits, so that it and its acknowledgement differ from the last.
    private mutating func push(_ post: PostRing.Post, to index: Int) -> Bool {
        let client = server.clients[index]
        let attempt = core.random.nextByte() & 3
        guard
            let text = TextPlaintext(
                timestamp: post.timestamp, type: .signedPlain, attempt: attempt, text: post.text,
                authorPrefix: FixedBytes(post.author.prefix(4)))
        else { return false }
        server.clients[index].pendingAck = text.ackHash(sender: post.author, receiver: client.publicKey) ?? 0
        server.clients[index].pushPostTimestamp = post.timestamp
        let packet = text.written().withUnsafeBytes {
            core.createDatagram(.txtMsg, toHash: client.publicKey[0], secret: client.secret, data: $0)
        }
        guard let packet else {
            server.clients[index].pendingAck = 0
            return true
        }
        let hops = UInt32(client.outPathLength.hopCount)
        switch storedRoute(to: index) {
        case .direct(let length, let path):
            path.withUnsafeBytes {
                _ = core.sendDirect(packet, pathLength: length, path: $0.first(length.byteCount))
            }
            server.clients[index].ackTimeout = core.future(4000 + 2000 * (hops + 1))
        case .flood, .pathReturn:
            sendFloodOfOwn(packet)
            server.clients[index].ackTimeout = core.future(12_000)
        }
        pushCount &+= 1
        return true
    }

    /// Returns the moment of the next look that finds something to do; `.never` while nothing changes by itself.
    mutating func pushWake() -> Instant {
        var wanted = Instant.never
        for client in server.clients.clients {
            if client.pendingAck != 0 {
                wanted = min(wanted, core.instant(after: client.ackTimeout))
            } else if isReachable(client) {
                for post in posts.posts where post.timestamp > client.syncSince && post.author != client.publicKey {
                    wanted = min(wanted, core.clock.instant(of: post.timestamp &+ PushTurn.rest))
                }
            }
        }
        return pushTurn.expectLook(notBefore: wanted, millis: core.millis, now: core.instant(of: core.millis))
    }

    // MARK: Acknowledgements

    /// An acknowledgement of the last push to a member moves the member on to the next post.
    private mutating func takeAck(_ ack: UInt32) -> Bool {
        guard let index = server.clients.clients.firstIndex(where: { $0.pendingAck != 0 && $0.pendingAck == ack })
        else { return false }
        server.clients[index].pendingAck = 0
        server.clients[index].pushFailures = 0
        server.clients[index].syncSince = server.clients[index].pushPostTimestamp
        return true
    }

    mutating func receivedAck(_ packet: PacketView, ack: UInt32) -> Bool { takeAck(ack) }

    mutating func learnedPath(to index: Int, extraType: UInt8, extra: UnsafeRawBufferPointer) {
        guard extraType == PayloadType.ack.rawValue, extra.count >= 4 else { return }
        _ = takeAck(UInt32(littleEndian: extra.loadUnaligned(as: UInt32.self)))
    }
}
