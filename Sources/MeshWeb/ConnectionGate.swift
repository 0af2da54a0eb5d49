#if Web
    import HTTPTypes
    import MeshHTTP
    import NIOCore
    import NIOHTTP1
    import NIOHTTPTypes

    /// Guards a connection: turns it away or ends it at its time limits, and writes our own page in place of the
    /// library's.
    final class ConnectionGate: ChannelDuplexHandler, RemovableChannelHandler {
        /// The statuses of answers to requests that are not allowed or make no sense.
        private static let refusals = [400, 401, 403, 405, 413]

        typealias InboundIn = HTTPRequestPart
        typealias OutboundIn = HTTPResponsePart
        typealias OutboundOut = HTTPResponsePart

        private let crowd: Crowd
        private let limits: WebLimits
        private let timer: any LimitTimer
        private var place = Crowd.Place.none
        /// The number by which the crowd knows the connection.
        private let number: Int
        /// True when a request of the connection was admitted: the connection then keeps its place.
        private var isKnown = false
        private var state = HTTPConnectionState()
        /// The limit that runs, with the function that stops it.
        private var running: (wait: HTTPConnectionState.Wait, stop: @Sendable () -> Void)?
        /// The error in the bytes that came: nothing behind them is read.
        private var fault: WebRefusal?
        /// True while an answer is being written.
        private var isAnswering = false
        /// True while the last answer is being written.
        private var isLastAnswer = false
        /// True when the server stops.
        private var isStopping = false
        /// True when the answer that is being written has no end of its own.
        private var isStream = false

        init(crowd: Crowd, limits: WebLimits, timer: any LimitTimer) {
            self.crowd = crowd
            self.limits = limits
            self.timer = timer
            number = crowd.number()
        }

        // MARK: Connection

        func channelActive(context: ChannelHandlerContext) {
            place = crowd.enter(number, leave: leaving(context))
            context.fireChannelActive()
            switch place {
            case .served: keepTime(context)
            case .turnedAway: turnAway(context)
            case .none: context.close(promise: nil)
            }
        }

        func channelInactive(context: ChannelHandlerContext) {
            crowd.leave(place, number)
            place = .none
            stopTimer()
            context.fireChannelInactive()
        }

        /// Makes room for a connection that waits.
        private func leaving(_ context: ChannelHandlerContext) -> @Sendable () -> Void {
            let bound = NIOLoopBound((gate: self, context: context), eventLoop: context.eventLoop)
            return {
                let (gate, context) = bound.value
                gate.place = gate.crowd.turnAway()
                // Behind an answer the rest of a request would be taken for its end, and half of it be carried out.
                guard gate.place == .turnedAway, gate.state.wait == .head else { return context.close(promise: nil) }
                gate.turnAway(context)
            }
        }

        private func turnAway(_ context: ChannelHandlerContext) {
            let page = WebAnswer(WebRefusal(.busy, "Too many connections are open: try again later."))
            state.close()
            isLastAnswer = true
            for part in page.parts { send(part, context, nil) }
            flush(context: context)
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            switch event {
            case is ChannelShouldQuiesceEvent: stop(context)
            // The library would close the connection if it had more to write, and the system would throw away what the
            // client has not read yet because requests behind it were not read either.
            case ChannelEvent.outputClosed where state.isClosing: break
            default: context.fireUserInboundEventTriggered(event)
            }
        }

        private func stop(_ context: ChannelHandlerContext) {
            // The server stops: what is carried out is answered, and nothing else is waited for. The library would
            // close the connection behind an answer that is written and not read yet.
            isStopping = true
            if isStream {
                context.close(promise: nil)
            } else if isAnswering {
                isLastAnswer = true
            } else if state.isCarriedOut {
                // The next answer will be the last.
            } else if state.wait == .reading {
                state.close()
            } else {
                context.close(promise: nil)
            }
        }

        // MARK: Requests

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !state.isClosing, fault == nil else { return }
            switch unwrapInboundIn(data) {
            case .head: state.headCame()
            case .body: break
            case .end:
                state.requestEnded()
                if !isKnown { crowd.keep(number) }
            }
            keepTime(context)
            context.fireChannelRead(data)
        }

        /// Bytes that are no request end the connection, in turn: the requests before them are answered first.
        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            guard !state.isClosing, fault == nil else { return }
            guard !(error is IOError), !(error is ChannelError) else {
                context.fireErrorCaught(error)
                return
            }
            let isTooLong = (error as? HTTPParserError) == .headerOverflow
            fault =
                isTooLong
                ? WebRefusal(.tooLarge, "The head of a request has at most \(limits.head) bytes.")
                : WebRefusal(.badRequest, "This is no request of HTTP/1.1.")
            // The one error for which the library writes a page, which is replaced below.
            context.fireErrorCaught(HTTPParserError.unknown)
        }

        // MARK: Answers

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            guard !state.isClosing else {
                promise?.fail(ChannelError.outputClosed)
                return
            }
            switch unwrapOutboundIn(data) {
            // Ours have a type; the library's page for what it cannot read has not.
            case .head(let head) where head.headerFields[.contentType] == nil && head.status.kind == .clientError:
                let page = WebAnswer(fault ?? WebRefusal(.badRequest, "This is no request of HTTP/1.1."))
                isLastAnswer = true
                for part in page.parts.dropLast() { send(part, context, nil) }
                promise?.succeed()
            case .head(let head):
                if head.status.kind != .informational {
                    isAnswering = true
                    isLastAnswer = isStopping || head.headerFields[.connection] == "close"
                    isStream = head.headerFields[.contentLength] == nil
                    judge(head.status.code, context)
                }
                send(.head(head), context, promise)
            case let part: send(part, context, promise)
            }
        }

        /// Keeps the place of a connection whose request was admitted; a refused request makes no connection known.
        private func judge(_ status: Int, _ context: ChannelHandlerContext) {
            guard !isKnown, place == .served else { return }
            isKnown = !Self.refusals.contains(status)
            if isKnown { crowd.keep(number) } else { crowd.forget(number, leave: leaving(context)) }
        }

        /// Writes a part, and counts it until the client's machine has it.
        private func send(
            _ part: HTTPResponsePart, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?
        ) {
            let isEnd = if case .end = part { true } else { false }
            state.writeBegan()
            let written = context.eventLoop.makePromise(of: Void.self)
            written.futureResult.assumeIsolated().whenComplete { _ in
                self.state.writeEnded()
                // Something was read: the limit begins anew.
                if self.running?.wait == .reading { self.stopTimer() }
                if self.state.wait == .goodbye { context.close(mode: .output, promise: nil) }
                self.keepTime(context)
            }
            if let promise { written.futureResult.cascade(to: promise) }
            if isEnd {
                state.answerEnded()
                (isAnswering, isStream) = (false, false)
                // Nothing is written behind the last answer, and nothing read.
                if isLastAnswer { state.close() }
            }
            context.write(wrapOutboundOut(part), promise: written)
        }

        /// Begins no limit for bytes that the system accepts at once.
        func flush(context: ChannelHandlerContext) {
            context.flush()
            keepTime(context)
        }

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            if mode == .output {
                state.close()
                keepTime(context)
            }
            context.close(mode: mode, promise: promise)
        }

        // MARK: Time

        private func keepTime(_ context: ChannelHandlerContext) {
            let wait = context.channel.isActive ? state.wait : nil
            guard wait != running?.wait else { return }
            stopTimer()
            guard let wait else { return }
            let bound = NIOLoopBound((gate: self, context: context), eventLoop: context.eventLoop)
            let stop = timer.start(wait, of: time(for: wait), on: context.eventLoop) {
                bound.value.gate.timeIsOver(bound.value.context)
            }
            running = (wait, stop)
        }

        private func time(for wait: HTTPConnectionState.Wait) -> Duration {
            switch wait {
            case .head: limits.headTime
            case .body: limits.bodyTime
            case .reading: limits.readingTime
            case .goodbye: limits.goodbyeTime
            }
        }

        private func stopTimer() {
            running?.stop()
            running = nil
        }

        private func timeIsOver(_ context: ChannelHandlerContext) {
            guard running != nil else { return }
            context.close(promise: nil)
        }
    }
#endif
