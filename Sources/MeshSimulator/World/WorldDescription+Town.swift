import MeshFirmware
import MeshTime
import MeshWire

extension WorldDescription {
    /// A valley with a town in it: alice in the west, bob in the east, and three repeaters from one to the other.
    ///
    /// There are a room server at the town hall and a weather station on the eastern hill. From end to end it is five
    /// kilometres, and all nodes say in their adverts where they are.
    ///
    /// All repeaters carry the region `town`; the outer ones carry `west` and `east` as well, so a flood of either
    /// ends halfway. Passwords are the firmware's: `password` for administrators, `hello` for the room. The
    /// measurements of the station follow the day, which begins at midnight with the run.
    public static let town = WorldDescription(
        name: "town",
        summary:
            "companion radios alice and bob, repeaters rep1, rep2 and rep3 from one to the other with regions west, "
            + "town and east, room server room1 at rep2, weather station sens1 at rep3",
        nodes: [
            person("alice", at: (50.9315, 6.8910)),
            relay("rep1", "West Hill", at: (50.9370, 6.9090), regions: "town", "west"),
            relay("rep2", "Town Hall", at: (50.9290, 6.9310), regions: "town"),
            relay("rep3", "East Hill", at: (50.9368, 6.9530), regions: "town", "east"),
            person("bob", at: (50.9310, 6.9690)), NodeDescription("room1", .roomServer, setup: room),
            NodeDescription("sens1", .sensor, board: station.board, setup: station.setup),
        ],
        links: [
            Link("alice", "rep1"), Link("rep1", "rep2"), Link("rep2", "rep3"), Link("rep3", "bob"),
            Link("rep2", "room1"), Link("rep3", "sens1"),
        ])

    private static func person(_ label: String, at place: (Double, Double)) -> NodeDescription {
        var node = NodeDescription(label, .companion(.wifi))
        node.place = GeoPoint(latitude: place.0, longitude: place.1)
        return node
    }

    private static func relay(
        _ label: String, _ name: String, at place: (Double, Double), regions: String...
    ) -> NodeDescription {
        var setup = ServerSetup(.repeater, board: .heltecV3)
        setup.preferences.name = .init(name)
        (setup.preferences.latitude, setup.preferences.longitude) = place
        for region in regions { setup.regions.put(.init(region)) }
        // Two repeaters run on the sun: full by evening, two thirds in the morning.
        setup.environment.battery = .cell(BatteryCell(capacity: 2000, charge: 70, load: 45_000, panel: 150_000))
        return NodeDescription(label, .repeater, setup: setup)
    }

    private static let room: ServerSetup = {
        var setup = ServerSetup(.roomServer, board: .heltecV3)
        setup.preferences.name = "Town Square"
        (setup.preferences.latitude, setup.preferences.longitude) = (50.9245, 6.9340)
        return setup
    }()

    private static let station: (board: BoardProfile, setup: ServerSetup) = {
        var board = BoardProfile.rak4631
        board.hasGPS = true
        board.gpsSearch = .seconds(1)
        var setup = ServerSetup(.sensor, board: board)
        setup.preferences.name = "East Hill Weather"
        setup.preferences.gpsEnabled = 1
        (setup.preferences.latitude, setup.preferences.longitude) = (50.9413, 6.9583)
        setup.environment.parts = [.bme280, .ina219]
        setup.environment.temperature = .day(minimum: 4, maximum: 17, maximumAtHour: 15)
        setup.environment.humidity = .day(minimum: 45, maximum: 90, maximumAtHour: 5)
        setup.environment.pressure = .constant(1018.4)
        setup.environment.battery = .cell(BatteryCell(capacity: 2000, charge: 80, load: 12_000, panel: 60_000))
        setup.environment.gps = GPSSignal(way: [
            WayPoint(latitude: 50_941_300, longitude: 6_958_300, millimetres: 62_000)
        ])
        return (board, setup)
    }()
}
