import MeshFiles

/// An answer to a request: status, media type, body and more fields of the head.
package struct WebAnswer: Sendable {
    /// The bytes of an answer.
    package enum Body: Sendable {
        /// All of it.
        case whole([UInt8])
        /// Pieces as they come, until the stream ends or the client stops reading.
        case pieces(AsyncStream<[UInt8]>)
    }

    /// The status of HTTP.
    package var status: Int
    /// The media type of the body.
    package var type: String
    package var body: Body
    /// More fields of the head, by their names in small letters; they replace the server's own.
    package var fields: [(name: String, value: String)]

    package init(status: Int = 200, type: String, body: Body, fields: [(name: String, value: String)] = []) {
        self.status = status
        self.type = type
        self.body = body
        self.fields = fields
    }
}

extension WebAnswer {
    /// A value as JSON.
    package init(_ value: some Encodable) throws {
        self.init(json: try value.jsonText(inOneLine: true))
    }

    /// A text that is JSON already.
    package init(json text: String) {
        self.init(type: "application/json", body: .whole(Array(text.utf8)))
    }

    /// A refusal, with its code and message in JSON.
    package init(_ refusal: WebRefusal) {
        let record = ErrorRecord(error: .init(code: refusal.code.rawValue, message: refusal.message))
        let text = (try? record.jsonText(inOneLine: true)) ?? "{}"
        self.init(status: refusal.code.status, type: "application/json", body: .whole(Array(text.utf8)))
    }
}

private struct ErrorRecord: Encodable {
    struct Details: Encodable {
        let code: String
        let message: String
    }

    let error: Details
}
