import MeshFiles
import MeshHTTP
import Testing

/// Refusals as clients see them.
@Suite struct WebRefusalTests {
    private struct Trouble: Error, CustomStringConvertible {
        let description = "the shelf is empty"
    }

    @Test func `a refusal is a page of JSON with its code and its message`() throws {
        let message = "a \"quoted\" \\ word\n\u{1B}[2J"
        let page = WebAnswer(WebRefusal(.tooLarge, message))
        let bytes = if case .whole(let bytes) = page.body { bytes } else { [UInt8]() }

        let error = try JSONFields(reading: bytes).object("error")

        #expect(page.status == 413 && page.type == "application/json")
        #expect(try error?.string("code") == "too-large" && error?.string("message") == message)
        #expect(error?.keys == ["code", "message"])
        #expect(bytes.allSatisfy { $0 >= 0x20 }, "it has one line")
    }

    @Test func `an error becomes the refusal that it is, a bad request or a conflict`() {
        let known = WebRefusal(.ended, "the run has ended")
        let mistake = FileProblem(file: "a.json", line: 3, field: "speed", reason: "must be a number, this is null")

        #expect(WebRefusal(known as any Error) == known)
        #expect(WebRefusal(mistake) == WebRefusal(.badRequest, "speed: must be a number, this is null"))
        #expect(WebRefusal(FileProblem(line: 1, reason: "is no JSON")).message == "is no JSON")
        #expect(WebRefusal(Trouble()) == WebRefusal(.conflict, "the shelf is empty"))
    }

    @Test func `each code has a status of an error`() {
        for code in WebRefusal.Code.allCases { #expect((400..<600).contains(code.status), "\(code)") }
    }
}
