#if Web
    import HTTPTypes
    import MeshHTTP
    import NIOCore
    import NIOHTTPTypes

    extension WebAnswer {
        /// The head of the answer; the connection ends behind a stream, and where this is said.
        func head(isLast: Bool = false) -> HTTPResponse {
            var fields: HTTPFields = [
                .contentType: type, .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
            ]
            for field in self.fields {
                guard let name = HTTPField.Name(field.name) else { continue }
                fields[name] = field.value
            }
            switch body {
            // Nothing is changed, and a length would be that of what is not sent.
            case .whole where status == 304: break
            case .whole(let bytes): fields[.contentLength] = "\(bytes.count)"
            case .pieces: fields[.connection] = "close"
            }
            if isLast { fields[.connection] = "close" }
            if status == 401 { fields[.wwwAuthenticate] = "Bearer" }
            return HTTPResponse(status: .init(code: status), headerFields: fields)
        }

        /// All parts of a page that ends its connection.
        var parts: [HTTPResponsePart] {
            guard case .whole(let bytes) = body else { return [] }
            return [.head(head(isLast: true)), .body(ByteBuffer(bytes: bytes)), .end(nil)]
        }
    }
#endif
