extension Clock where Duration == Swift.Duration {
    /// Begins to measure: the closure says how long ago that was.
    public func stopwatch() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: self.now) }
    }

    /// Returns the first event of the stream that the match accepts; `nil` at the limit or the stream's end.
    ///
    /// The stream has been read by then and is of no further use.
    public func first<T: Sendable>(
        in events: AsyncStream<MeshEvent>, within limit: Duration, _ match: @escaping @Sendable (MeshEvent) -> T?
    ) async -> T? {
        await withTaskGroup(of: T?.self) { group in
            group.addTask {
                for await event in events { if let value = match(event) { return value } }
                return nil
            }
            group.addTask {
                try? await self.sleep(for: limit, tolerance: nil)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}
