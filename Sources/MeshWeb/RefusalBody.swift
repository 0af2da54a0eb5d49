import MeshControl

extension ControlRefusal {
    /// The answer to a request that this server itself refuses. Its messages repeat no word of the request.
    var page: ControlAnswer {
        let text = message.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case "\u{0}"..<" ": "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: String(scalar)
            }
        }
        .joined()
        let body = #"{"error":{"code":"\#(code.rawValue)","message":"\#(text)"}}"#
        return ControlAnswer(status: code.status, type: "application/json", body: .whole(Array(body.utf8)))
    }
}
