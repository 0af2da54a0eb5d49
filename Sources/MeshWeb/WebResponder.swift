#if Web
    import HTTPTypes
    import HummingbirdCore
    import MeshHTTP
    import NIOCore

    /// Answers the requests of a connection: decides whether each is admitted, and writes the answer of the service.
    struct WebResponder: Sendable {
        let service: any WebService
        let admission: Admission
        let crowd: Crowd

        /// The bytes that are written at once: a client that reads this much within the limit is no slow reader.
        private static let sliceSize = 64 * 1024

        func respond(_ request: Request, _ writer: consuming ResponseWriter) async throws {
            var request = request
            let head = RequestHead(request.head)
            // Admission comes first: a stranger is not told what is wrong with a target.
            let target = Result { () throws(WebRefusal) in try RequestTarget(request.head.path ?? "") }
            let path = try? target.get().path
            let answer: WebAnswer
            do {
                // A target that cannot be read is open to nobody.
                try admission.check(head, isOpen: path.map(service.isOpen) ?? false)
                let target = try target.get()
                if request.headers[.expect]?.lowercased() == "100-continue" {
                    try await writer.writeInformationalHead(HTTPResponse(status: .continue))
                }
                let body = try await body(of: &request)
                guard crowd.begin() else { throw WebRefusal(.busy, "Too many requests wait: try again later.") }
                defer { crowd.end() }
                var asked = WebRequest(head.method, target.path, query: target.query, body: body)
                asked.knownTags = head.knownTags
                asked.languages = head.languages
                answer = await service.answer(asked)
            } catch let refusal as WebRefusal {
                answer = WebAnswer(refusal)
            }
            let methods = answer.status == 405 ? path.map(service.methods) ?? [] : nil
            try await write(answer, allowing: methods, to: request, writer)
        }

        private func body(of request: inout Request) async throws -> [UInt8] {
            do {
                let buffer = try await request.collectBody(upTo: admission.body)
                return Array(buffer.readableBytesView)
            } catch is NIOTooManyBytesError {
                throw admission.tooLong
            }
        }

        /// - Parameter methods: those of the path, for an answer that names them.
        private func write(
            _ answer: WebAnswer, allowing methods: [String]?, to request: Request,
            _ writer: consuming ResponseWriter
        ) async throws {
            // What follows a request for another protocol is none of ours.
            let isLast = request.headers[.connection]?.lowercased() == "close" || request.headers[.upgrade] != nil
            var head = answer.head(isLast: isLast)
            if let methods { head.headerFields[.allow] = methods.joined(separator: ", ") }
            switch answer.body {
            case _ where request.method == .head: try await writer.writeResponse(head)
            case .whole(let bytes): try await writer.write(response: head, body: Self.whole(bytes))
            case .pieces(let pieces):
                try await writer.write(response: head, body: Self.stream(pieces, while: request))
            }
        }

        private static func whole(_ bytes: [UInt8]) -> ResponseBody {
            guard bytes.count > sliceSize else { return ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)) }
            return ResponseBody(contentLength: bytes.count) { writer in
                try await write(bytes, to: &writer)
                try await writer.finish(nil)
            }
        }

        /// Pieces until the stream ends or the client is gone.
        private static func stream(_ pieces: AsyncStream<[UInt8]>, while request: Request) -> ResponseBody {
            ResponseBody { writer in
                try await request.body.consumeWithCancellationOnInboundClose { _ in
                    for await piece in pieces { try await write(piece, to: &writer) }
                }
                try await writer.finish(nil)
            }
        }

        private static func write(_ bytes: [UInt8], to writer: inout any ResponseBodyWriter) async throws {
            for start in stride(from: 0, to: bytes.count, by: sliceSize) {
                try await writer.write(ByteBuffer(bytes: bytes[start..<min(start + sliceSize, bytes.count)]))
            }
        }
    }

    extension RequestHead {
        init(_ head: HTTPRequest) {
            method = head.method.rawValue
            let fields = head.headerFields
            // The first is not among the fields.
            hosts = [head.authority].compactMap(\.self) + Self.values(of: "host", in: fields)
            origins = fields[values: .origin]
            sites = Self.values(of: "sec-fetch-site", in: fields)
            authorizations = fields[values: .authorization]
            knownTags = fields[values: .ifNoneMatch].flatMap { $0.split(separator: ",") }.map {
                String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
            languages = fields[.acceptLanguage] ?? ""
            bodyLength = fields[.contentLength].flatMap { Int($0) }
        }

        private static func values(of name: String, in fields: HTTPFields) -> [String] {
            fields.filter { $0.name.canonicalName == name }.map(\.value)
        }
    }
#endif
