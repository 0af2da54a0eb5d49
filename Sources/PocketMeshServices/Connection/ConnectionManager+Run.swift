import FoundationEssentials
import Logging
import MeshCompanion
import MeshCore

/// The end of a connection: its error, and the time for which it was ready.
struct ConnectionEnding {
    var error: any Error
    /// The time for which the connection was ready.
    var steady: Duration = .zero

    /// True when another attempt would end the same way.
    var isFinal: Bool {
        if case .connectionImpossible? = error.stackReason { true } else { false }
    }
}

// One connection, from the opening of its link to its end. First connects, reconnections and switches all come here.
extension ConnectionManager {
    func run(_ connection: LiveConnection) async -> ConnectionEnding {
        var ending = ConnectionEnding(error: StackError(.connection, .superseded))
        do {
            try await bringUp(connection)
            let sinceReady = dependencies.clock.stopwatch()
            try await connection.waitForLoss()
            ending.steady = sinceReady()
            ending.error = connection.life.loss.map(Self.lost) ?? StackError(.connection, .superseded)
        } catch {
            ending.error = error
        }
        // What the user sees ends first, then what is behind it.
        _ = plan.lose(connection.generation)
        services = nil
        await links.tearDown(connection)
        return ending
    }

    private func bringUp(_ connection: LiveConnection) async throws {
        do { try await links.open(connection) } catch { throw Self.opening(error) }
        try advance(connection, to: .settingUp)
        do {
            let session = try await startSession(connection)
            try check(connection)
            let device = try await saveDevice(of: session, at: connection.endpoint)
            try check(connection)
            try await makeServices(of: connection, session)
            try await becomeConnected(connection, device)
            try await synchronise(connection, device)
            try advance(connection, to: .ready)
            becomeReady(connection, device)
        } catch {
            throw connection.life.loss.map(Self.lost) ?? Self.settingUp(error)
        }
    }

    private static func lost(_ why: SessionError) -> StackError { StackError(.connection, .session(why)) }

    /// Returns a failure to open the link in the terms of a connection.
    private static func opening(_ error: any Error) -> any Error {
        switch error {
        case is CancellationError: error
        case let error as StackError where error.operation == .connection: error
        case let error as MeshTransportError:
            switch error {
            case .connectionFailed(let why):
                StackError(.connection, .connectionFailed(why), underlying: .transport(error))
            case .connectionImpossible(let why):
                StackError(.connection, .connectionImpossible(why), underlying: .transport(error))
            default: StackError(.connection, .connectionFailed("\(error)"), underlying: .transport(error))
            }
        default: StackError(.connection, .connectionFailed("\(error)"))
        }
    }

    /// Returns a failure behind the open link in the terms of a connection.
    private static func settingUp(_ error: any Error) -> any Error {
        switch error {
        case is CancellationError: error
        case let error as StackError where error.operation == .connection: error
        // Its retries have failed too, and the profile does not keep such a link.
        case let error as StackError where error.operation == .sync: error
        // No fault of the radio.
        case let error as StackError where error.operation == .store: error.during(.connection)
        case SessionError.connectionLost(let why): lost(.connectionLost(why))
        case let error as SessionError:
            StackError(.connection, .initializationFailed("\(error)"), underlying: .session(error))
        default: StackError(.connection, .initializationFailed("\(error)"))
        }
    }

    /// Throws unless the connection still is the one that is wanted, and its link is there.
    private func check(_ connection: LiveConnection) throws {
        if let loss = connection.life.loss { throw Self.lost(loss) }
        guard plan.isCurrent(connection.generation) else { throw StackError(.connection, .superseded) }
    }

    private func advance(_ connection: LiveConnection, to phase: ConnectionPlan.Phase) throws {
        try check(connection)
        guard plan.advance(connection.generation, to: phase) else { throw StackError(.connection, .superseded) }
    }

    /// The link of a connection has gone. That of an earlier connection is no news.
    func linkEnded(_ connection: LiveConnection, _ why: SessionError) {
        connection.lose(why)
        guard plan.lose(connection.generation) else { return }
        services = nil
        dependencies.log.notice("connection \(connection.generation) was lost: \(why)")
    }

    // MARK: Steps

    private func startSession(_ connection: LiveConnection) async throws -> MeshCoreSession {
        let session = connection.life.begin { transport in
            MeshCoreSession(
                transport: transport, configuration: parts.sessionConfiguration, clock: dependencies.clock,
                executor: dependencies.executor)
        }
        guard let session else { throw StackError(.connection, .notConnected) }
        try await session.start()
        await watch(connection, session)
        guard await session.currentSelfInfo != nil else {
            throw StackError(.connection, .initializationFailed("the radio did not say who it is"))
        }
        if try await session.queryDeviceIfTold() == nil {
            dependencies.log.warning("the radio does not say what it is; it is taken for the oldest one")
        }
        try check(connection)
        try await checkClock(of: session)
        return session
    }

    /// Learns from now on when the link goes; that it went before is found by the next command.
    private func watch(_ connection: LiveConnection, _ session: MeshCoreSession) async {
        let ends = await session.events(filter: EventFilter { $0 == .connectionStateChanged(.disconnected) })
        connection.add("watch on a link") { [weak self, weak connection] in
            for await _ in ends { break }
            guard let self, let connection else { return }
            self.linkEnded(connection, .connectionLost("the link was closed"))
        }
    }

    /// Sets a radio's clock that is off. That it cannot be read or set is no reason to be without the radio.
    private func checkClock(of session: MeshCoreSession) async throws {
        do {
            let time = try await session.getTime()
            try await noteClock(time, of: session)
            let host = dependencies.seconds
            let offset = Int64(time) - Int64(host)
            guard .seconds(abs(offset)) > profile.connection.clockTolerance else { return }
            dependencies.log.notice("the radio's clock is off by \(offset) s and is set")
            try await session.setTime(host)
        } catch let error as SessionError {
            dependencies.log.warning("the radio's clock was not set: \(error)")
        }
    }

    /// Requests a full synchronisation next time if the radio's clock is behind the watermark.
    ///
    /// Such a clock has marked changes with times that a synchronisation does not ask for. Once the clock is set, this
    /// is no longer visible.
    private func noteClock(_ time: UInt32, of session: MeshCoreSession) async throws {
        guard let info = await session.currentSelfInfo,
            let known = try await store.fetchDevice(publicKey: Data(info.publicKey.array)),
            time < known.lastContactSync
        else { return }
        dependencies.log.notice("the radio's clock is behind the last change of its contacts")
        try await store.resetContactWatermark(deviceID: known.id)
    }

    private func saveDevice(of session: MeshCoreSession, at endpoint: RadioEndpoint) async throws -> DeviceDTO {
        guard let info = await session.currentSelfInfo else { throw SessionError.notStarted }
        let id = profile.connection.identity == .publicKey ? nil : StableIdentifier.device(endpoint: endpoint)
        return try await store.saveDevice(
            DeviceDTO(
                selfInfo: info, deviceInfo: await session.deviceInfo, id: id, lastConnected: dependencies.now()))
    }

    private func makeServices(of connection: LiveConnection, _ session: MeshCoreSession) async throws {
        let graph = try await parts.makeGraph(session)
        guard connection.life.serve(graph) else {
            await graph.tearDown()
            throw StackError(.connection, .superseded)
        }
    }

    private func becomeConnected(_ connection: LiveConnection, _ device: DeviceDTO) async throws {
        try check(connection)
        connectedDevice = device
        services = connection.life.parts.graph
        lastError = nil
        memory.lastDeviceID = device.id
        memory.lastDeviceName = device.nodeName
        try advance(connection, to: .connected)
        try await store.setActiveDevice(id: device.id)
        let (kind, address) = (connection.endpoint.kind.rawValue, connection.endpoint.address)
        let known = try await store.fetchEndpoint(kind: kind, address: address)
        try await store.saveEndpoint(
            EndpointDTO(
                kind: kind, address: address, deviceID: device.id, displayName: known?.displayName ?? device.nodeName,
                lastUsed: dependencies.now(), bonded: connection.endpoint.isBonded || known?.bonded == true))
        await keepMemory()
        try check(connection)
        if let onConnectionReady = hooks.onConnectionReady {
            try await connection.untilLost { await onConnectionReady() }
        }
    }

    /// A synchronisation that fails leaves the link, unless the profile says otherwise: its retries have failed too
    /// then.
    private func synchronise(_ connection: LiveConnection, _ device: DeviceDTO) async throws {
        do {
            try await connection.untilLost { [weak connection] in
                try await connection?.life.parts.graph?.onConnectionEstablished(deviceID: device.id)
            }
        } catch {
            try check(connection)
            if error is CancellationError { throw error }
            if !profile.sync.keepsLinkAfterFailure, error.isFailedSync { throw error }
            dependencies.log.warning("the first synchronisation failed: \(error)")
        }
    }

    private func becomeReady(_ connection: LiveConnection, _ device: DeviceDTO) {
        answerWaiters(.success(()))
        connection.add("what waited for a ready connection") { [weak connection] in
            await connection?.life.parts.graph?.onConnectionReady(deviceID: device.id)
        }
        guard connection.endpoint.needsHeartbeat, let interval = profile.connection.heartbeat else { return }
        connection.add("heartbeat") { [weak self, weak connection] in
            await self?.beat(every: interval, on: connection)
        }
    }

    /// Asks a silent link regularly whether its peer is there.
    private func beat(every interval: Duration, on connection: LiveConnection?) async {
        guard let connection, let session = connection.life.parts.session else { return }
        while (try? await dependencies.clock.sleep(for: interval)) != nil {
            do { _ = try await session.getTime() } catch SessionError.timeout {
                return linkEnded(connection, .connectionLost("the radio does not answer any more"))
            } catch {
                dependencies.log.debug("heartbeat: \(error)")
            }
        }
    }
}
