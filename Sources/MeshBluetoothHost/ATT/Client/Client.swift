import MeshTime

extension ATT {
    /// The client's side of one connection: one request at a time, each answered within 30 s.
    ///
    /// What is asked for waits in a queue of its own. After a request without an answer nothing more is asked: the
    /// connection has to be ended. Source: Bluetooth Core, Vol 3 Part F, 3.3.2 and 3.3.3.
    struct Client: Sendable {
        /// Effects for the owner to carry out.
        enum Effect: Hashable, Sendable {
            /// Send a packet of the attribute protocol.
            case send([UInt8])
            /// Packets may have this length from now on.
            case mtu(Int)
            /// A discovery is over: all that was found.
            case discovered(Database)
            /// A value was read as a whole.
            case value(handle: UInt16, value: [UInt8])
            /// A write was answered.
            case accepted(handle: UInt16)
            /// A procedure ended with this error to this request, about this attribute.
            case refused(Procedure, Opcode, handle: UInt16, ErrorCode)
            /// The server sent a value.
            case notified(handle: UInt16, value: [UInt8])
        }

        /// A task of one request or several.
        enum Procedure: Hashable, Sendable {
            case exchangeMTU
            /// Of one service, or of all.
            case discover(BluetoothUUID?)
            /// The whole value, in parts where it is long.
            case read(handle: UInt16)
            /// With an answer; in parts where it is long.
            case write(handle: UInt16, value: [UInt8])
            /// Drops what a long write has prepared at the server.
            case dropPrepared
        }

        /// Too many procedures wait.
        struct Overflow: Error, Hashable, Sendable {
            /// The number of procedures that wait.
            var limit: Int
        }

        /// The longest packet that it asks for.
        let ownMTU: UInt16
        /// The longest packet on this connection.
        var mtu = ATT.defaultMTU
        /// The result of the last discovery.
        private(set) var database = Database()
        /// The time by which the waiting request must have been answered.
        private(set) var deadline: Instant?
        private var waiting: [Procedure] = []
        private var running: Running?
        private var requests = Requests()

        /// A procedure, and how far it is.
        private struct Running {
            var procedure: Procedure
            var discovery: Discovery?
            /// The value that is read.
            var value: [UInt8] = []
            /// Bytes of the value that are prepared.
            var written = 0
        }

        /// Procedures that wait at most.
        static let limit = 64
        /// The time that a server may need for an answer.
        static let transactionTime = TimeSpan.seconds(30)

        /// `mtu`: the longest packet that it asks for.
        init(mtu: UInt16) {
            ownMTU = mtu
        }

        /// Nothing runs and nothing waits.
        var isIdle: Bool { running == nil && waiting.isEmpty }

        /// The server has not answered in time.
        func isSilent(at now: Instant) -> Bool { deadline.map { now >= $0 } ?? false }

        /// Begins a procedure as soon as those before it are over; `first`: before those that wait.
        mutating func begin(
            _ procedure: Procedure, first: Bool = false, at now: Instant
        ) throws(Overflow) -> [Effect] {
            guard waiting.count < Self.limit else { throw Overflow(limit: Self.limit) }
            waiting.insert(procedure, at: first ? 0 : waiting.count)
            var effects: [Effect] = []
            goOn(at: now, &effects)
            return effects
        }

        /// Handles one packet of a server. Packets that only a client sends are ignored here.
        mutating func receive(_ packet: Span<UInt8>, at now: Instant) -> [Effect] {
            var effects: [Effect] = []
            guard packet.count <= mtu, let pdu = try? PDU(decoding: packet) else {
                refuseMalformed(packet, &effects)
                goOn(at: now, &effects)
                return effects
            }
            switch pdu {
            case .notification(let message):
                effects.append(.notified(handle: message.handle, value: message.value))
            case .multipleNotification(let message):
                for item in message.list { effects.append(.notified(handle: item.handle, value: [UInt8](item.value))) }
            case .indication(let message):
                effects = [.send(Confirmation().encoded()), .notified(handle: message.handle, value: message.value)]
            case .response(let response): answered(response, &effects)
            case .error(let error): answered(error, &effects)
            case .request, .writeCommand, .signedWriteCommand, .confirmation, .unknown: break
            }
            goOn(at: now, &effects)
            return effects
        }
    }
}

extension ATT.Client {
    /// An answer that cannot be read ends its procedure; anything else that cannot is dropped.
    private mutating func refuseMalformed(_ packet: Span<UInt8>, _ effects: inout [Effect]) {
        guard !packet.isEmpty, let asked = requests.answer(ATT.Opcode(rawValue: packet[0])), let running else { return }
        end()
        effects.append(.refused(running.procedure, asked.opcode, handle: asked.handle, .invalidPDU))
    }

    private mutating func end() {
        running = nil
        deadline = nil
    }

    private mutating func answered(_ response: ATT.ResponsePDU, _ effects: inout [Effect]) {
        guard let asked = requests.answer(response.opcode), var now = running else { return }
        deadline = nil
        let isOver = take(response, asked, &now, &effects)
        running = isOver ? nil : now
    }

    private mutating func answered(_ error: ATT.ErrorResponse, _ effects: inout [Effect]) {
        guard requests.answer(.errorResponse, toRequest: error.request) != nil, var now = running else { return }
        deadline = nil
        let isOver = refused(error, &now, &effects)
        running = isOver ? nil : now
    }

    /// An error ends a procedure, but for those that say that there is no more. `true`: it is over.
    private mutating func refused(_ error: ATT.ErrorResponse, _ now: inout Running, _ effects: inout [Effect]) -> Bool {
        if now.discovery != nil, error.error == .attributeNotFound {
            now.discovery?.take(nil)
            return finishDiscovery(now, &effects)
        }
        if case .read(let handle) = now.procedure, error.request == .readBlobRequest,
            [.attributeNotLong, .invalidOffset].contains(error.error)
        {
            effects.append(.value(handle: handle, value: now.value))
            return true
        }
        // A server without the exchange has the shortest packets.
        if now.procedure == .exchangeMTU, error.error == .requestNotSupported {
            effects.append(.mtu(mtu))
            return true
        }
        if now.procedure != .dropPrepared {
            effects.append(.refused(now.procedure, error.request, handle: error.handle, error.error))
        }
        return true
    }

    private mutating func finishDiscovery(_ now: Running, _ effects: inout [Effect]) -> Bool {
        guard let discovery = now.discovery, discovery.next == nil else { return false }
        database = discovery.database
        effects.append(.discovered(database))
        return true
    }

    /// A response. `true`: the procedure is over.
    private mutating func take(
        _ response: ATT.ResponsePDU, _ asked: ATT.Request, _ now: inout Running, _ effects: inout [Effect]
    ) -> Bool {
        switch (now.procedure, response) {
        case (.exchangeMTU, .exchangeMTU(let response)):
            mtu = ATT.agreedMTU(response.mtu, ownMTU)
            effects.append(.mtu(mtu))
            return true
        case (.discover, _):
            now.discovery?.take(response)
            return finishDiscovery(now, &effects)
        case (.read(let handle), .read(let response)):
            return took(response.value, handle, &now, &effects)
        case (.read(let handle), .readBlob(let response)):
            return took(response.part, handle, &now, &effects)
        case (.dropPrepared, _): return true
        case (.write(let handle, _), .write), (.write(let handle, _), .executeWrite):
            effects.append(.accepted(handle: handle))
            return true
        case (.write(_, let value), .prepareWrite(let response)):
            // A part that comes back changed would be written so: the rest is not sent, and the value not written.
            let part = value.dropFirst(now.written).prefix(ATT.longestPart(mtu: mtu))
            guard Int(response.offset) == now.written, response.part.elementsEqual(part) else {
                effects.append(.refused(now.procedure, asked.opcode, handle: asked.handle, .unlikelyError))
                waiting.insert(.dropPrepared, at: 0)
                return true
            }
            now.written += part.count
            return false
        default:
            effects.append(.refused(now.procedure, asked.opcode, handle: asked.handle, .invalidPDU))
            return true
        }
    }

    /// A part of a value; one that is full may have another behind it.
    private func took(_ part: [UInt8], _ handle: UInt16, _ now: inout Running, _ effects: inout [Effect]) -> Bool {
        now.value += part
        if part.count == mtu - 1, now.value.count < ATT.maximumValue { return false }
        effects.append(.value(handle: handle, value: [UInt8](now.value.prefix(ATT.maximumValue))))
        return true
    }

    // MARK: Asking

    /// Asks the next request, if none waits for its answer.
    private mutating func goOn(at now: Instant, _ effects: inout [Effect]) {
        guard deadline == nil, requests.pending == nil else { return }
        if running == nil {
            guard !waiting.isEmpty else { return }
            let procedure = waiting.removeFirst()
            running = Running(procedure: procedure)
            if case .discover(let service) = procedure { running?.discovery = ATT.Discovery(service: service) }
        }
        guard let running, let request = request(running) else { return }
        _ = requests.ask(ATT.Request(request))
        deadline = now + Self.transactionTime
        effects.append(.send(request.message.encoded()))
    }

    private func request(_ running: Running) -> ATT.RequestPDU? {
        switch running.procedure {
        case .exchangeMTU: return .exchangeMTU(.init(mtu: ownMTU))
        case .discover: return running.discovery?.next
        case .dropPrepared: return .executeWrite(.init(flag: 0))
        case .read(let handle):
            return running.value.isEmpty
                ? .read(.init(handle: handle))
                : .readBlob(.init(handle: handle, offset: UInt16(clamping: running.value.count)))
        case .write(let handle, let value):
            if value.count <= ATT.longestValue(mtu: mtu) { return .write(.init(handle: handle, value: value)) }
            guard running.written < value.count else { return .executeWrite(.init(flag: 1)) }
            let part = [UInt8](value.dropFirst(running.written).prefix(ATT.longestPart(mtu: mtu)))
            return .prepareWrite(.init(handle: handle, offset: UInt16(clamping: running.written), part: part))
        }
    }
}
