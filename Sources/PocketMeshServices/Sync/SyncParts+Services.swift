public import FoundationEssentials

extension ContactService: ContactSynchronizing {
    @discardableResult
    public func synchronizeContacts(
        deviceID: UUID, progress: @escaping SyncProgressHandler
    ) async throws -> ContactSyncResult {
        let since = try await contactWatermark(deviceID: deviceID)
        return try await ProgressReports.during(progress) {
            try await syncContacts(deviceID: deviceID, since: since, progress: $0)
        }
    }
}

extension ChannelService: ChannelSynchronizing {
    @discardableResult
    public func synchronizeChannels(deviceID: UUID, progress: @escaping SyncProgressHandler) async throws -> [String] {
        guard let device = try await store.fetchDevice(id: deviceID) else {
            throw StackError(.store, .deviceNotFound)
        }
        return try await ProgressReports.during(progress) {
            try await syncChannels(deviceID: deviceID, maxChannels: device.maxChannels, progress: $0)
        }.errors.map(\.description)
    }
}

extension AdvertisementService: DiscoverySource {}

/// Delivers progress in its order, from code that must not wait to a handler that may.
///
/// Only the latest counts: older progress that was not delivered yet is left out.
private struct ProgressReports: Sendable {
    private let continuation: AsyncStream<(Int, Int)>.Continuation
    private let teller: Task<Void, Never>

    /// Runs `body` with a function that accepts its progress; all is delivered when it returns or throws.
    static func during<R>(
        _ progress: @escaping SyncProgressHandler,
        isolation: isolated (any Actor)? = #isolation,
        _ body: (_ progress: @escaping @Sendable (Int, Int) -> Void) async throws -> R
    ) async throws -> R {
        let reports = ProgressReports(progress)
        do {
            let result = try await body { reports.continuation.yield(($0, $1)) }
            await reports.end()
            return result
        } catch {
            await reports.end()
            throw error
        }
    }

    private init(_ progress: @escaping SyncProgressHandler) {
        let (stream, continuation) = AsyncStream.makeStream(of: (Int, Int).self, bufferingPolicy: .bufferingNewest(1))
        self.continuation = continuation
        teller = Task(name: "progress of a synchronisation") {
            for await (current, total) in stream { await progress(current, total) }
        }
    }

    /// Waits until all is delivered.
    private func end() async {
        continuation.finish()
        await teller.value
    }
}
