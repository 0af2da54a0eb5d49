import ArgumentParser
import Testing

@testable import meshbed

/// The arguments of `meshbed app`.
@Suite struct AppCommandTests {
    @Test func `an address to serve at may be short, and every radio of the client is a target`() throws {
        for listen in ["127.0.0.1:0", "http://127.0.0.1:8080", "http://[::1]:0"] {
            #expect(throws: Never.self) { try AppCommand.parse(["--listen", listen]) }
        }
        for target in ["tcp://127.0.0.1:5000", "serial:/dev/ttyUSB0", "ble:MeshCore-1234", "loopback:pair/alice"] {
            #expect(throws: Never.self) { try AppCommand.parse(["--target", target]) }
        }
        #expect(try AppCommand.parse([]).target == nil)
    }

    @Test(arguments: [
        ["--db", ""], ["--listen", "ftp://x:1"], ["--target", "nowhere"], ["--tiles", "https://tiles.example/1"],
    ])
    func `what makes no sense is refused before anything is opened`(words: [String]) {
        #expect(throws: (any Error).self) { try AppCommand.parse(words) }
    }

    @Test func `a server of pictures is named by its origin, and cannot end the policy of a page`() {
        let tiles = AppTiles("https://tiles.example:8443/map/{z}/{x}/{y}.png?key=1")

        #expect(tiles?.origin == "https://tiles.example:8443")
        for text in [
            "https://tiles.example; script-src *//{z}/{x}/{y}", "javascript:{z}/{x}/{y}", "https://a b/{z}/{x}/{y}",
            "https://tiles.example/{z}/{x}/\n{y}", "https:///{z}/{x}/{y}",
        ] {
            #expect(AppTiles(text) == nil, "\(text)")
        }
    }
}
