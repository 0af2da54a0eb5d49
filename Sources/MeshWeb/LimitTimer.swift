#if Web
    import NIOCore

    /// Calls back at the end of a time limit; in tests limits end by hand.
    protocol LimitTimer: Sendable {
        /// Calls `ring` on the loop after a time, unless what is returned is called before.
        func start(
            _ wait: HTTPConnectionState.Wait, of time: Duration, on loop: any EventLoop,
            ring: @escaping @Sendable () -> Void
        ) -> @Sendable () -> Void
    }

    /// The clock of the loop.
    struct LoopTimer: LimitTimer {
        func start(
            _ wait: HTTPConnectionState.Wait, of time: Duration, on loop: any EventLoop,
            ring: @escaping @Sendable () -> Void
        ) -> @Sendable () -> Void {
            let task = loop.scheduleTask(in: TimeAmount(time), ring)
            return { task.cancel() }
        }
    }
#endif
