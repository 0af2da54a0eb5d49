import MeshTestSupport

/// A client of HTTP that sends the bytes of a test.
final class WebClient {
    struct Answer {
        var status: Int
        var fields: [String: String]
        var body: String

        /// The code of a refusal.
        var code: String? {
            body.firstMatch(of: /^{"error":{"code":"([a-z-]+)","message":"[^"]+"}}$/).map { String($0.1) }
        }
    }

    private let client: TestClient
    private var received: [UInt8] = []

    init(port: UInt16, receiveBuffer: Int32? = nil) throws {
        client = try TestClient.connect(port: Int(port), receiveBuffer: receiveBuffer)
    }

    func send(_ text: String) { client.send(Array(text.utf8)) }

    func send(_ method: String = "GET", _ target: String, fields: [String] = ["Host: localhost"], body: String? = nil) {
        let length = body.map { ["Content-Length: \($0.utf8.count)"] } ?? []
        send((["\(method) \(target) HTTP/1.1"] + fields + length + ["", body ?? ""]).joined(separator: "\r\n"))
    }

    func ask(
        _ method: String = "GET", _ target: String, fields: [String] = ["Host: localhost"], body: String? = nil
    ) throws -> Answer {
        send(method, target, fields: fields, body: body)
        return try answer(isHead: method == "HEAD")
    }

    func endOutput() { client.endOutput() }

    /// The next answer, whole.
    func answer(isHead: Bool = false) throws -> Answer {
        var answer = try head()
        if isHead || [100, 304].contains(answer.status) { return answer }
        if let count = answer.fields["content-length"].flatMap({ Int($0) }) {
            answer.body = try text(count)
        } else {
            while let chunk = try chunk() { answer.body += chunk }
        }
        return answer
    }

    /// The head of the next answer.
    func head() throws -> Answer {
        let lines = try line(upTo: "\r\n\r\n").split(separator: "\r\n")
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        let fields = lines.dropFirst().map { field in
            let parts = field.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (parts[0].lowercased(), String(parts[1].drop { $0 == " " }))
        }
        return Answer(status: status ?? 0, fields: Dictionary(fields) { $0 + "," + $1 }, body: "")
    }

    /// The next chunk of a stream; nothing at its end.
    func chunk() throws -> String? {
        guard let count = Int(try line(upTo: "\r\n"), radix: 16) else { throw TestClient.Failure(reason: "no chunk") }
        let text = try text(count)
        _ = try line(upTo: "\r\n")
        return count == 0 ? nil : text
    }

    /// Tells whether the server closes the connection, whatever it sends before.
    func isClosed() -> Bool { client.isClosed() }

    private func line(upTo end: String) throws -> String {
        while true {
            if let found = received.firstRange(of: Array(end.utf8)) {
                let line = received[..<found.lowerBound]
                received.removeSubrange(..<found.upperBound)
                return String(decoding: line, as: UTF8.self)
            }
            try more()
        }
    }

    private func text(_ count: Int) throws -> String {
        while received.count < count { try more() }
        let text = String(decoding: received[..<count], as: UTF8.self)
        received.removeFirst(count)
        return text
    }

    private func more() throws {
        guard let bytes = client.receiveSome(65_536, within: 5000), !bytes.isEmpty else {
            let text = String(decoding: received.prefix(200), as: UTF8.self)
            throw TestClient.Failure(reason: "the answer ends early, after \(received.count) bytes: \(text)")
        }
        received += bytes
    }
}
