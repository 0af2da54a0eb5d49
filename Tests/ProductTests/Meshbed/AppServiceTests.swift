import ArgumentParser
import Testing

@testable import meshbed

/// The user service that keeps the app running.
@Suite struct AppServiceTests {
    @Test func `a service starts the app with the words of its command line, in the same folder`() {
        let service = AppService(
            program: "/usr/bin/meshbed",
            arguments: [
                "app", "--db", "alice.sqlite", "--print-service", "--tiles", "https://t.example/{z}/{x}/{y}?a=%20$b\"c",
            ],
            folder: "/home/alice/100% radio")

        let lines = service.text.split(separator: "\n").map(String.init)
        #expect(lines.contains("WorkingDirectory=/home/alice/100%% radio"))
        #expect(
            lines.contains(
                #"ExecStart="/usr/bin/meshbed" "app" "--db" "alice.sqlite" "--tiles" "https://t.example/{z}/{x}/{y}?a=%%20$$b\"c""#
            ))
        #expect(lines.contains("WantedBy=default.target") && !service.text.contains(AppService.flag))
    }

    @Test(arguments: [["--target", "ble:MeshCore-alice?pin=654321"], ["--target=ble:MeshCore-alice?pin=654321"]])
    func `the file of a service has no PIN`(words: [String]) {
        let service = AppService(program: "/usr/bin/meshbed", arguments: ["app"] + words, folder: "/")

        #expect(service.text.contains("ble:MeshCore-alice") && !service.text.contains("654321"))
    }

    @Test func `a service keeps what it has over its restarts, and has no standard input`() {
        #expect(throws: Never.self) { try AppCommand.parse(["--db", "a.sqlite", "--print-service"]) }
        #expect(throws: (any Error).self) { try AppCommand.parse(["--print-service"]) }
        #expect(throws: (any Error).self) {
            try AppCommand.parse(["--db", "a.sqlite", "--print-service", "--until-stdin-closes"])
        }
    }
}
