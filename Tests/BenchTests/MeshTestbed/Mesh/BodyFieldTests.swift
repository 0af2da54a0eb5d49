import MeshFiles
import MeshFirmware
import MeshPacket
import MeshSimulator
import MeshTime
import MeshWire
import MeshWorlds
import Testing

/// Bodies of nodes, bridges and packet logs in world files.
@Suite struct BodyFieldTests {
    private func read(_ text: String) throws(FileProblem) -> WorldPlan {
        try WorldFile.read([UInt8](text.utf8), name: "file", seed: Seed(1))
    }

    private static func file(_ body: String, node: String = #""role": "sensor", "#) -> String {
        """
        {"format": "meshbed world 1", "nodes": [
        {"name": "a", \(node)"body": {
        \(body)
        }}]}
        """
    }

    private func body(_ text: String, node: String = #""role": "sensor", "#) throws -> NodeBody {
        try #require(try read(Self.file(text, node: node)).equipment[0].body)
    }

    private static let full = """
        "battery": {"capacity_mah": 2000, "charge": 60, "load_ma": 8.5, "sleep_ma": 2, "transmit_ma": 120,
          "solar_ma": 90, "sun_by_hour": [0,0,0,0,0,0,0,0.1,0.3,0.6,0.8,1,1,0.8,0.6,0.3,0.1,0,0,0,0,0,0,0],
          "charger_ma": 250},
        "cutoff_v": 3.1, "recovery_v": 3.6,
        "external_power": [{"at": "2h", "on": true}, {"at": "3h", "on": false}],
        "gps": {"lat": 47.05, "lon": 8.3, "altitude": 1200, "way": [{"at": "1h", "lat": 47.06, "lon": 8.31}],
          "satellites": 11, "acquisition": "40s", "no_fix": [{"at": "10m", "for": "5m"}], "drift_m": 12.5,
          "drift_every": "20s", "clock": 1750000000, "clock_jumps": [{"at": "2h", "seconds": -3600}],
          "advert": "share"},
        "sensors": {
          "BME280": {"temperature": {"min": -4, "max": 11, "max_at_hour": 15}, "humidity": {"value": 60, "noise": 2},
            "pressure": {"from": 1010, "to": 1000, "at": "1h", "for": "2h"}},
          "INA219": {"voltage": 12.1, "current": {"steps": [{"at": "0s", "value": -0.25}, {"at": "6h", "value": 1.5}]}},
          "VL53L0X": true},
        "board_temperature": {"points": [{"value": 20}, {"at": "1h", "value": 30.5}]},
        "noise_floor_dbm": {"by_hour": [-110,-110,-110,-110,-110,-110,-108,-104,-102,-102,-102,-102,
          -102,-102,-102,-102,-104,-106,-106,-108,-108,-110,-110,-110]}
        """

    @Test func `a body is what its members say`() throws {
        let body = try body(Self.full)
        let cell = try #require(body.battery?.ofCell)

        #expect([cell.capacity, cell.charge, cell.load, cell.transmitLoad] == [2000, 60, 8500, 120_000])
        #expect(cell.sleepLoad == 2000 && cell.panel == 90_000 && cell.charger == 250_000 && cell.sun?[8] == 300)
        #expect(body.cutoffMillivolts == 3100 && body.recoveryMillivolts == 3600)
        #expect(body.supply == [.init(.seconds(7200), isOn: true), .init(.seconds(10_800), isOn: false)])
        let gps = try #require(body.gps)
        #expect(gps.way.map(\.latitude) == [47_050_000, 47_060_000] && gps.way[0].millimetres == 1_200_000)
        #expect(gps.outages == [Instant.seconds(600)..<Instant.seconds(900)])
        #expect(gps.drift?.millimetres == 12_500 && gps.unixSecondsAtStart == 1_750_000_000)
        #expect(gps.clockJumps == [GPSClockJump(.seconds(7200), seconds: -3600)])
        #expect(body.gpsSettings == GPSSettings(isOn: true, advertises: .share))
        #expect(body.parts == [.bme280, .ina219, .vl53l0x])
        #expect(body.measured.map(\.quantity) == [.temperature, .humidity, .pressure, .voltage1, .current1])
        #expect(body.measured[2].course.value(at: .seconds(7200)) == 1005)
        #expect(58...62 ~= body.measured[1].course.value(at: .seconds(77)))
        #expect(body.boardTemperature?.value(at: .seconds(1800)) == 25.25)
        #expect(body.noiseFloor?.value(at: .seconds(9 * 3600)) == -102)
    }

    @Test func `a body is written as it is read`() throws {
        let once = try body(Self.full)
        let again = try body(String(once.json.dropFirst().dropLast()))

        #expect(again == once)
        #expect(again.json == once.json)
        let plain = [
            #""battery": 3.7"#, #""external_power": true"#, #""gps": {"fix": false}"#,
            #""battery": {"value": 4, "noise": 0.01}"#,
            #""sensors": {"T1000-E": {"light": 30}}"#, #""noise_floor_dbm": -95"#,
        ]
        for text in plain {
            let once = try body(text)
            #expect(try body(String(once.json.dropFirst().dropLast())) == once, "\(text)")
        }
    }

    @Test(arguments: [
        (
            #""sensors": {"BME280": {"temperature": 120}}"#, "sensors.BME280.temperature",
            "120 °C is beyond what a BME280 measures, -40…85 °C"
        ),
        (#""sensors": {"INA219": {"current": -3.5}}"#, "sensors.INA219.current", "-3.5 A is beyond what an INA219"),
        (
            #""sensors": {"INA226": {"current": {"from": 0, "to": 1, "for": "1h"}}}"#, "sensors.INA226.current.to",
            "1 A is beyond"
        ),
        (#""sensors": {"SHT4X": {"humidity": {"value": 99, "noise": 2}}}"#, "humidity.value", "101 % is beyond"),
        (#""sensors": {"BME999": {}}"#, "sensors.BME999", "no sensor that the firmware knows; known are AHTX0"),
        (#""sensors": {"BME280": {"light": 1}}"#, "sensors.BME280.light", "not known here; known are temperature"),
        (
            #""sensors": {"BME280": {"temperature": 1}, "SHT4X": {"temperature": 1}}"#, "SHT4X.temperature",
            "BME280.temperature states already"
        ),
        (#""battery": 18"#, "battery", "18 V is beyond what the gauge of a heltec-v3 measures, 0…17.88 V"),
        (#""battery": {"charge": 101}"#, "battery.charge", "101 is not within 0…100"),
        (#""battery": {"by_hour": [1, 2]}"#, "by_hour", "must have 24 values, this has 2"),
        (#""battery": {"value": 3, "min": 2}"#, "battery.min", "is not known here"),
        (#""battery": {"points": [{"at": "1h", "value": 3}, {"at": "1h", "value": 4}]}"#, "points[1].at", "later than"),
        (#""battery": {"solar_ma": 1, "sun_by_hour": [2]}"#, "sun_by_hour", "must have 24 shares"),
        (#""auto_shutdown_v": 3.4"#, "auto_shutdown_v", "only companion radios"),
        (#""cutoff_v": 3.6"#, "cutoff_v", "does not start at 3.5 V when it is off below 3.6 V"),
        (#""external_power": 5"#, "external_power", "must be true, false or a list"),
        (#""gps": true"#, "gps", "has no place"),
        (#""gps": {"lat": 91, "lon": 0}"#, "gps.lat", "91 is not within -90…90"),
        (#""gps": {"lat": 1, "lon": 1, "clock_jumps": []}"#, "clock_jumps", "need a clock"),
        (#""gps": {"lat": 1, "lon": 1, "satellites": 100}"#, "satellites", "100 is not within 0…99"),
        (#""gps": {"lat": 1, "lon": 1, "advert": "always"}"#, "advert", "none, share or prefs"),
        (#""board_temperature": 130"#, "board_temperature", "130 °C is beyond what the processor measures"),
        (#""noise_floor_dbm": -20"#, "noise_floor_dbm", "-20 dBm is beyond"),
        (#""noise_floor_dbm": {"noise": 1}"#, "noise_floor_dbm", "no course of a value"),
        (#""heart": 1"#, "body.heart", "not known here"),
    ])
    func `an error names the line, the field and what the part can measure`(
        body: String, field: String, reason: String
    ) {
        let problem = #expect(throws: FileProblem.self) { try read(Self.file(body)) }

        #expect(problem?.line == 3)
        #expect(problem?.field.contains(field) == true, "\(problem?.field ?? "")")
        #expect(problem?.reason.contains(reason) == true, "\(problem?.reason ?? "")")
    }

    @Test func `companions of a Heltec V3 switch themselves off, those of a RAK 4631 and others do not`() throws {
        let battery = #""battery": 3.7"#
        func lowest(_ node: String, _ body: String = battery) throws -> UInt16? {
            try self.body(body, node: node).autoShutdownMillivolts
        }

        #expect(try lowest(#""role": "companion", "#) == 3400)
        #expect(try lowest(#""role": "companion", "#, battery + #", "auto_shutdown_v": 0"#) == 0)
        #expect(try lowest(#""role": "companion", "board": "rak4631", "#) == nil)
        #expect(try lowest(#""role": "repeater", "#) == nil)
        #expect(throws: FileProblem.self) { try body(#""battery": 6.5"#, node: #""board": "rak4631", "#) }
        #expect(throws: FileProblem.self) { try body(battery, node: #""role": "external", "#) }
    }

    @Test func `each part by name measures what its telemetry has`() {
        for part in SensorPart.all {
            var environment = Environment(board: .heltecV3)
            environment.parts = part.parts
            let records = LPPReader(environment.telemetry(mask: .environment, processor: .absent, at: .start))

            #expect(Array(records).count == 1 + part.readings.count, "\(part.name)")
            #expect(Set(part.readings.map(\.word)).count == part.readings.count)
            for reading in part.readings {
                let range = reading.quantity.row.range
                #expect(range.contains(reading.range.lowerBound) && range.contains(reading.range.upperBound))
            }
        }
        #expect(Set(SensorPart.all.map(\.name)).count == 17)
        #expect(SensorPart.all.reduce(SensorParts()) { $0.union($1.parts) }.rawValue == 0x1FFFF)
    }

    @Test func `telemetry has the values of the moment`() throws {
        let plan = try read(Self.file(Self.full))
        var world = plan.world(seed: Seed(1))
        world.run(until: .seconds(6 * 3600 + 1))
        let environment = try #require(world.environment(of: NodeID(index: 0)))

        let records = Array(LPPReader(environment.telemetry(mask: .all, processor: .last, at: world.now)))

        #expect(records.map(\.channel) == [1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 1])
        let values = records.map(\.numbers)
        #expect(values[7] == [1500] && values[6] == [1210])
        #expect(records[2].type == .temperature && -40...110 ~= values[2][0])
        // Whole degrees of an ESP32.
        #expect(records[10].numbers == [300])
        #expect(records[1].type == .gps && abs(values[1][0] - 470_600) <= 2)
    }

    @Test func `a world without the words is as it was`() throws {
        let text =
            #"{"format": "meshbed world 1", "nodes": [{"name": "a"}, {"name": "b", "role": "companion", "links": [{"to": "a"}]}]}"#
        let plan = try read(text)

        #expect(plan.equipment.allSatisfy { $0.body == nil && $0.board.bridge == .none && !$0.board.logsPackets })
        #expect(plan.bridges.isEmpty)
    }

    // MARK: Bridges and packet logs

    private static func joined(_ bridge: String, nodes: String = #"{"name": "a"}, {"name": "b"}"#) -> String {
        #"{"format": "meshbed world 1", "bridges": [\#(bridge)], "nodes": [\#(nodes), {"name": "c", "role": "sensor"}]}"#
    }

    @Test func `bridges join repeaters, whose settings take the words of the console`() throws {
        let plan = try read(
            Self.joined(
                #"{"kind": "rs232", "between": ["a", "b"]}"#,
                nodes: #"{"name": "a", "repeater": {"bridge_baud": 9600, "bridge_source": "rx"}}, {"name": "b"}"#))

        #expect(plan.bridges == [WorldBridge([0, 1], kind: .rs232)])
        #expect(plan.equipment.map(\.board.bridge) == [.rs232, .rs232, .none])
        #expect(plan.equipment[0].setup.preferences.bridgeBaud == 9600)
        #expect(plan.equipment[0].setup.preferences.bridgeSource == 1)
        #expect(plan.description.bridges == plan.bridges)
    }

    @Test(arguments: [
        (joined(#"{"kind": "usb", "between": ["a", "b"]}"#), "\"rs232\" or \"espnow\""),
        (joined(#"{"kind": "rs232", "between": ["a"]}"#), "two nodes, this has 1"),
        (joined(#"{"kind": "rs232", "between": ["a", "b", "c"]}"#), "two nodes, this has 3"),
        (joined(#"{"kind": "espnow", "between": ["a", "d"]}"#), "there is no node \"d\""),
        (joined(#"{"kind": "espnow", "between": ["a", "c"]}"#), "\"c\" is no repeater"),
        (joined(#"{"kind": "espnow", "between": ["a", "a"]}"#), "has a bridge already"),
        (
            joined(
                #"{"kind": "espnow", "between": ["a", "b"]}"#,
                nodes: #"{"name": "a", "board": "rak4631"}, {"name": "b"}"#),
            "no ESP32"
        ),
        (
            joined(
                #"{"kind": "rs232", "between": ["a", "b"]}"#,
                nodes: #"{"name": "a"}, {"name": "b", "repeater": {"bridge_channel": 3}}"#), "refused by the firmware"
        ),
    ])
    func `a bridge that cannot be is an error`(text: String, reason: String) {
        let problem = #expect(throws: FileProblem.self) { try read(text) }

        #expect(problem?.reason.contains(reason) == true, "\(problem?.reason ?? "")")
    }

    @Test func `packets are logged on the console of the nodes that say so`() throws {
        let plan = try read(
            #"{"format": "meshbed world 1", "log_packets": true, "nodes": [{"name": "a", "board": "rak4631"}, {"name": "b", "log_packets": false}]}"#
        )

        #expect(plan.equipment.map(\.board.logsPackets) == [true, false])
    }
}
