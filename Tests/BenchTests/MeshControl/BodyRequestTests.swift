import Foundation
import MeshControl
import MeshTestSupport
import Testing

/// Bodies of nodes by requests.
@Suite struct BodyRequestTests {
    private func readings(_ answer: [String: Any]) -> [String: [Double]] {
        let list = answer["telemetry"] as? [[String: Any]] ?? []
        return list.reduce(into: [:]) { all, record in
            all["\(record["channel"] as? Int ?? 0) \(record["type"] as? String ?? "")"] = record["values"] as? [Double]
        }
    }

    @Test func `a node is told what feeds it and what it measures, and says so`() async throws {
        try await SteeredBench.with { bench async throws in
            let plain = try await bench.ask("GET", "/nodes/sens1/body")
            #expect(plain["batteryVolts"] as? Double == 4.2 && plain["chargePercent"] == nil)
            #expect((plain["body"] as? [String: Any])?.isEmpty == true && plain["gps"] == nil)

            let told = try await bench.ask(
                "POST", "/nodes/sens1/body",
                #"""
                {"battery":{"capacity_mah":1000,"charge":50,"load_ma":10},"external_power":true,"noise_floor_dbm":-104,
                 "sensors":{"BME280":{"temperature":-5.3},"INA219":{"current":-0.25}},"board_temperature":31.9}
                """#)

            #expect(told["chargePercent"] as? Double == 50 && told["hasExternalPower"] as? Bool == true)
            #expect(told["noiseFloor"] as? Int == -104 && told["boardDegrees"] as? Double == 31)
            #expect(readings(told)["2 temperature"] == [-5.3] && readings(told)["3 current"] == [-0.25])
            let body = try #require(told["body"] as? [String: Any])
            #expect(Set(body.keys) == ["battery", "external_power", "noise_floor_dbm", "sensors", "board_temperature"])
        }
    }

    @Test func `parts that are left out stay, and times count from the request`() async throws {
        try await SteeredBench.with { bench async throws in
            try await bench.ask("POST", "/nodes/rep1/body", #"{"battery":{"capacity_mah":100,"load_ma":50}}"#)
            try await bench.ask("POST", "/advance", #"{"seconds":3600}"#)
            // An hour at 50 mA, and the rest of the load from now on.
            let dark = try await bench.ask("POST", "/nodes/rep1/body", #"{"battery":{"load_ma":0}}"#)
            #expect(dark["chargePercent"] as? Double == 50)
            try await bench.ask(
                "POST", "/nodes/rep1/body", #"{"sensors":{"SHT4X":{"temperature":{"from":0,"to":60,"for":"60s"}}}}"#)
            try await bench.ask("POST", "/advance", #"{"seconds":30}"#)
            let later = try await bench.ask("GET", "/nodes/rep1/body")
            #expect(later["chargePercent"] as? Double == 50)
            #expect(readings(later)["2 temperature"] == [30])
        }
    }

    @Test func `a node whose battery is empty is down until it has a supply`() async throws {
        try await SteeredBench.with { bench async throws in
            try await bench.ask(
                "POST", "/nodes/rep1/body", #"{"battery":{"points":[{"value":3.8},{"at":"60s","value":2.8}]}}"#)
            #expect(try await bench.isMet(#"{"isDown":{"node":"rep1"}}"#, within: 120))
            let down = try await bench.ask("GET", "/nodes/rep1/body")
            #expect(down["outage"] as? String == "battery empty" && down["isUp"] as? Bool == false)

            try await bench.ask("POST", "/nodes/rep1/body", #"{"external_power":true}"#)
            #expect(try await bench.isMet(#"{"isUp":{"node":"rep1"}}"#, within: 30))
            #expect(try await bench.ask("GET", "/nodes/rep1/body")["outage"] == nil)
        }
    }

    @Test func `a GPS that is given at run time is found at the next start, and loses its fix`() async throws {
        try await SteeredBench.with { bench async throws in
            let gps = #"{"gps":{"lat":47.05,"lon":8.3,"acquisition":"5s","advert":"share"}}"#
            #expect(try await bench.ask("POST", "/nodes/rep1/body", gps)["gps"] as? String == "off")
            try await bench.ask("POST", "/nodes/rep1/restarts")
            try await bench.ask("POST", "/advance", #"{"seconds":30}"#)
            let fixed = try await bench.ask("GET", "/nodes/rep1/body")
            #expect(fixed["gps"] as? String == "fix" && fixed["satellites"] as? Int == 8)
            #expect(fixed["latitude"] as? Double == 47.05)

            let lost = try await bench.ask("POST", "/nodes/rep1/body", #"{"gps":{"fix":false}}"#)
            #expect(lost["gps"] as? String == "no fix" && lost["latitude"] as? Double == 47.05)
        }
    }

    @Test(arguments: [
        (#"{"battery":20}"#, "bad-request", "beyond what the gauge of a heltec-v3 measures"),
        (#"{"sensors":{"BME280":{"humidity":101}}}"#, "bad-request", "beyond what a BME280 measures"),
        (#"{"heart":1}"#, "bad-request", "not known here"),
        (#"{"auto_shutdown_v":3.3}"#, "bad-request", "only companion radios"),
    ])
    func `what cannot be is refused, and nothing of it is done`(body: String, code: String, words: String) async throws
    {
        try await SteeredBench.with { bench async throws in
            #expect(try await bench.refusal("POST", "/nodes/rep1/body", body) == code)
            #expect(await bench.raw("POST", "/nodes/rep1/body", body).text.contains(words))
            #expect((try await bench.ask("GET", "/nodes/rep1/body")["body"] as? [String: Any])?.isEmpty == true)
            #expect(try await bench.refusal("GET", "/nodes/nobody/body") == "not-found")
        }
    }

    @Test func `a body goes back with a snapshot`() async throws {
        try await SteeredBench.with { bench async throws in
            try await bench.ask("POST", "/snapshots", #"{"name":"full"}"#)
            try await bench.ask("POST", "/nodes/rep1/body", #"{"battery":2.5}"#)
            #expect(try await bench.ask("GET", "/nodes/rep1/body")["isUp"] as? Bool == false)
            try await bench.ask("POST", "/snapshots/full/restore")
            let again = try await bench.ask("GET", "/nodes/rep1/body")
            #expect(again["isUp"] as? Bool == true && again["batteryVolts"] as? Double == 4.2)
        }
    }
}
