import MeshHTTP
import Testing

@testable import MeshWeb

/// The admission of requests by their head.
@Suite struct AdmissionTests {
    private let open = Admission(token: nil, names: ["localhost", "bench"], body: 100)
    private let closed = Admission(token: "s3cret", names: ["localhost"], body: 100)

    private func head(_ change: (inout RequestHead) -> Void = { _ in }) -> RequestHead {
        var head = RequestHead()
        head.hosts = ["127.0.0.1:8080"]
        change(&head)
        return head
    }

    private func code(_ admission: Admission, _ head: RequestHead) -> WebRefusal.Code? {
        do throws(WebRefusal) {
            try admission.check(head)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(arguments: [
        "127.0.0.1:8080", "127.0.0.1", "192.168.1.7:80", "[::1]:8080", "[::1]", "[fe80::1:2]:1", "[::ffff:127.0.0.1]",
        "localhost", "localhost:1", "LOCALHOST:1", "bench:8080",
    ])
    func `a host that nobody can lead elsewhere is this machine`(host: String) {
        #expect(code(open, head { $0.hosts = [host] }) == nil)
    }

    @Test(arguments: [
        "attacker.example", "attacker.example:8080", "127.0.0.1.attacker.example", "localhost.attacker.example",
        "1.2.3",
        "1.2.3.4.5", "1.2.3.256", "1.2.3.+4", "", ":80", "localhost:x", "localhost:99999", "[::1", "[::1]x", "[bench]",
        "[::1%25eth0]", "localhost ", "localhost:1:2", "user@localhost",
    ])
    func `a host of another name is refused, however it looks`(host: String) {
        #expect(code(open, head { $0.hosts = [host] }) == .forbidden)
    }

    @Test func `a request that names no host, or two, is refused`() {
        #expect(code(open, head { $0.hosts = [] }) == .forbidden)
        #expect(code(open, head { $0.hosts = ["localhost", "attacker.example"] }) == .badRequest)
        #expect(code(closed, head { $0.hosts = ["localhost", "attacker.example"] }) == .badRequest)
    }

    @Test(arguments: [
        "http://attacker.example", "http://127.0.0.1:8081", "https://127.0.0.1:8080", "null", "", "http://127.0.0.1",
    ])
    func `a page of another origin may neither read nor command`(origin: String) {
        #expect(code(open, head { $0.origins = [origin] }) == .forbidden)
        let known = head {
            $0.origins = [origin]
            $0.authorizations = ["Bearer s3cret"]
        }
        #expect(code(closed, known) == .forbidden)
    }

    @Test func `a page of the control API's own origin may`() {
        #expect(code(open, head { $0.origins = ["http://127.0.0.1:8080"] }) == nil)
        #expect(code(open, head { $0.origins = ["HTTP://127.0.0.1:8080"] }) == nil)
        #expect(code(open, head { $0.origins = ["http://127.0.0.1:8080", "http://attacker.example"] }) == .forbidden)
        #expect(code(open, head { $0.sites = ["same-origin"] }) == nil)
        #expect(code(open, head { $0.sites = ["none"] }) == nil)
    }

    /// A picture or a script of a foreign page: such requests have no Origin.
    @Test(arguments: ["cross-site", "same-site", "nonsense"])
    func `what a page of another site loads is refused`(site: String) {
        #expect(code(open, head { $0.sites = [site] }) == .forbidden)
    }

    @Test(arguments: [
        [], ["Bearer"], ["Bearer "], ["s3cret"], ["Basic s3cret"], ["Bearer s3cre"], ["Bearer s3cret7"],
        ["Bearer S3cret"],
        ["Bearer s3cret more"], ["Bearer s3cret", "Bearer s3cret"],
    ])
    func `without the token nothing is taken where there is one`(fields: [String]) {
        #expect(code(closed, head { $0.authorizations = fields }) == .unauthorized)
    }

    @Test func `with the token any host will do`() {
        for text in ["Bearer s3cret", "bearer s3cret", "BEARER  s3cret"] {
            let known = head {
                $0.authorizations = [text]
                $0.hosts = ["bench.example:8080"]
            }
            #expect(code(closed, known) == nil)
        }
    }

    @Test func `the methods are four`() {
        for method in ["GET", "POST", "PUT", "DELETE"] { #expect(code(open, head { $0.method = method }) == nil) }
        for method in ["HEAD", "OPTIONS", "PATCH", "CONNECT", "TRACE", "get", "BREW"] {
            #expect(code(open, head { $0.method = method }) == .notAllowed)
        }
    }

    @Test func `a body that is announced as too long is refused before it is sent`() {
        #expect(code(open, head { $0.bodyLength = 100 }) == nil)
        #expect(code(open, head { $0.bodyLength = 101 }) == .tooLarge)
    }
}
