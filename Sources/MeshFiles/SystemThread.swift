import Glibc

/// A thread of its own for work that blocks, or that needs a deep stack.
package enum SystemThread {
    /// The bytes of a main thread's stack: tasks on virtual time nest where they would hop.
    private static let stackSize = 8 << 20

    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }

    /// Runs some work on a new thread, which ends with it.
    package static func start(_ body: @escaping @Sendable () -> Void) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, stackSize)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, &attributes,
            { argument in
                if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
                return nil
            }, Unmanaged.passRetained(Work(body)).toOpaque())
        precondition(code == 0, "the system has no thread left: \(String(cString: strerror(code)))")
    }
}
