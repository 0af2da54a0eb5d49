#if Web
    import Glibc
    import HummingbirdCore
    import Logging
    import MeshHTTP
    import NIOCore
    import NIOPosix

    extension WebServer {
        static func start(
            host: String, port: UInt16, service: any WebService,
            token: String?, limits: WebLimits,
            timer: any LimitTimer
        ) async throws(Failure) -> WebServer {
            let address = try literalAddress(of: host, port: port)
            guard token != nil || isLoopback(address) else { throw .needsToken(host: host) }
            let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            let crowd = Crowd(limits)
            let responder = WebResponder(
                service: service,
                admission: Admission(token: token, names: machineNames, body: limits.body), crowd: crowd)
            let channel = HTTP1Channel(
                responder: { request, writer, _ in try await responder.respond(request, writer) },
                configuration: .init(
                    additionalChannelHandlers: [ConnectionGate(crowd: crowd, limits: limits, timer: timer)],
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: limits.head, maxHeaderListSize: limits.head,
                        maxHeaderFieldCount: limits.fields)))
            let (bound, listens) = AsyncStream<Result<SocketAddress?, any Error>>.makeStream()
            let server = Server(
                childChannelSetup: channel,
                configuration: ServerConfiguration(
                    address: .hostname(address, port: Int(port)), backlog: 1024),
                onServerRunning: { listens.yield(.success($0.localAddress)) },
                eventLoopGroup: group,
                // Nobody reads a log of it, and strangers write in it.
                logger: Logger(label: "MeshWeb") { _ in SwiftLogNoOpLogHandler() })
            let run = Task(executorPreference: LoopExecutor(group.next())) {
                do {
                    try await server.run()
                } catch {
                    listens.yield(.failure(error))
                }
            }
            let found = await bound.first { _ in true }
            guard case .success(let place?) = found, let bound = place.ipAddress, let number = place.port else {
                await run.value
                try? await group.shutdownGracefully()
                throw .cannotListen(host: host, port: port, reason: reason(found))
            }
            return WebServer(host: bound, port: UInt16(number)) {
                try? await server.shutdownGracefully()
                await run.value
                try? await group.shutdownGracefully()
            }
        }

        private static func reason(_ found: Result<SocketAddress?, any Error>?) -> String {
            guard case .failure(let error) = found else { return "the system does not say where it listens" }
            guard let error = error as? IOError else { return "the system refuses" }
            return String(cString: strerror(error.errnoCode))
        }

        /// The literal address of a host. The server listens on the address that was checked: a name may change its
        /// meaning.
        private static func literalAddress(of host: String, port: UInt16) throws(Failure) -> String {
            do {
                let address = try SocketAddress.makeAddressResolvingHost(host, port: Int(port))
                if let text = address.ipAddress { return text }
            } catch {}
            throw .cannotListen(host: host, port: port, reason: "there is no such host")
        }

        private static func isLoopback(_ address: String) -> Bool { address.hasPrefix("127.") || address == "::1" }

        /// The names of this machine for itself and for its neighbours.
        private static var machineNames: [String] {
            var name = [CChar](repeating: 0, count: 256)
            guard gethostname(&name, name.count - 1) == 0 else { return ["localhost"] }
            let full = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
                .lowercased()
            let short = String(full.prefix { $0 != "." })
            return ["localhost"] + [full, short].filter { !$0.isEmpty }
        }
    }
#endif
