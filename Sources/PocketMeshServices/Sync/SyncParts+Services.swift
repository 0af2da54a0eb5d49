public import Foundation

extension ContactService: ContactSynchronizing {
    @discardableResult
    public func synchronizeContacts(
        deviceID: UUID, progress: @escaping SyncProgressHandler
    ) async throws -> ContactSyncResult {
        let since = try await contactWatermark(deviceID: deviceID)
        let reports = ProgressReports(progress)
        setSyncProgressHandler { reports.add($0, $1) }
        defer { setSyncProgressHandler(nil) }
        do {
            let result = try await syncContacts(deviceID: deviceID, since: since)
            await reports.end()
            return result
        } catch {
            await reports.end()
            throw error
        }
    }
}

extension ChannelService: ChannelSynchronizing {
    @discardableResult
    public func synchronizeChannels(deviceID: UUID, progress: @escaping SyncProgressHandler) async throws -> [String] {
        guard let device = try await store.fetchDevice(id: deviceID) else {
            throw PersistenceStoreError.deviceNotFound
        }
        let reports = ProgressReports(progress)
        setSyncProgressHandler { reports.add($0, $1) }
        defer { setSyncProgressHandler(nil) }
        do {
            let result = try await syncChannels(deviceID: deviceID, maxChannels: device.maxChannels)
            await reports.end()
            return result.errors.map(\.description)
        } catch {
            await reports.end()
            throw error
        }
    }
}

extension AdvertisementService: DiscoverySource {}

/// Hands progress on in its order, from where nobody may wait to where somebody does.
///
/// Only the latest counts: what is overtaken before it was told is left out.
private struct ProgressReports: Sendable {
    private let continuation: AsyncStream<(Int, Int)>.Continuation
    private let teller: Task<Void, Never>

    init(_ progress: @escaping SyncProgressHandler) {
        let (stream, continuation) = AsyncStream.makeStream(of: (Int, Int).self, bufferingPolicy: .bufferingNewest(1))
        self.continuation = continuation
        teller = Task(name: "progress of a synchronisation") {
            for await (current, total) in stream { await progress(current, total) }
        }
    }

    func add(_ current: Int, _ total: Int) {
        continuation.yield((current, total))
    }

    /// Returns when all is told.
    func end() async {
        continuation.finish()
        await teller.value
    }
}
