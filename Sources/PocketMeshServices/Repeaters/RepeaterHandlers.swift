public import Foundation
public import MeshCore

/// Who is told what repeaters answer.
struct RepeaterHandlers {
    var status: (@Sendable (UUID, NodeStatus) async -> Void)?
    var telemetry: (@Sendable (UUID, [LPPDataPoint]) async -> Void)?
    var neighbors: (@Sendable (UUID, NeighboursPage) async -> Void)?
    var cli: (@Sendable (UUID, String) async -> Void)?
}

extension RepeaterAdminService {
    public func setStatusHandler(_ handler: @escaping @Sendable (UUID, NodeStatus) async -> Void) {
        handlers.status = handler
    }

    public func setTelemetryHandler(_ handler: @escaping @Sendable (UUID, [LPPDataPoint]) async -> Void) {
        handlers.telemetry = handler
    }

    public func setNeighborsHandler(_ handler: @escaping @Sendable (UUID, NeighboursPage) async -> Void) {
        handlers.neighbors = handler
    }

    public func setCLIHandler(_ handler: @escaping @Sendable (UUID, String) async -> Void) {
        handlers.cli = handler
    }

    public func clearHandlers() {
        handlers = RepeaterHandlers()
    }

    public func invokeStatusHandler(sessionID: UUID, status: NodeStatus) async {
        await handlers.status?(sessionID, status)
    }

    public func invokeTelemetryHandler(sessionID: UUID, points: [LPPDataPoint]) async {
        await handlers.telemetry?(sessionID, points)
    }

    public func invokeNeighborsHandler(sessionID: UUID, page: NeighboursPage) async {
        await handlers.neighbors?(sessionID, page)
    }

    public func invokeCLIHandler(sessionID: UUID, text: String) async {
        await handlers.cli?(sessionID, text)
    }
}
