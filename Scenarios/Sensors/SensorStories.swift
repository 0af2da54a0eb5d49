import MeshTestbed

/// Stations that measure.
enum SensorStories {
    static let all = [telemetryNextDoor, telemetryOverHill, stationWithoutPower]

    private static let alice = Person.stack("alice")
    private static let bob = Person.client("bob")
    private static let meadow = Sensor("meadow")
    private static let hill = Repeater("hill")

    static let telemetryNextDoor = Scenario(
        "telemetry-next-door", .sensors,
        """
        Alice logs in at the sensor on the meadow and reads what it measures: at least the voltage of its battery, \
        which every station has.
        """,
        tags: [.smoke]
    ) {
        alice.hears(meadow)
        alice.knows(meadow)

        alice.logsIn(at: meadow)
        alice.readsTelemetry(of: meadow)
    }

    static let telemetryOverHill = Scenario(
        "telemetry-over-the-hill", .sensors,
        """
        The meadow is behind the hill. Bob logs in over the repeater, and reads the station again when a while has \
        passed: the way that was found the first time serves the second.
        """
    ) {
        chain(bob, hill, meadow)
        bob.knows(meadow)

        bob.logsIn(at: meadow)
        bob.readsTelemetry(of: meadow)
        pause(.seconds(300))
        bob.readsTelemetry(of: meadow)
        bob.knowsWay(to: meadow, hops: 1).now
    }

    static let stationWithoutPower = Scenario(
        "station-without-power", .sensors,
        """
        The station's battery runs flat for a minute. Alice gets no answer then; when the sun is back the station \
        answers again, and still knows her.
        """,
        tags: [.faults]
    ) {
        alice.hears(meadow)
        alice.knows(meadow)

        alice.logsIn(at: meadow)
        alice.readsTelemetry(of: meadow)
        pause(.seconds(10))
        meadow.hasNoPower(for: .seconds(60))
        pause(.seconds(90))
        alice.readsTelemetry(of: meadow)
    }
}
