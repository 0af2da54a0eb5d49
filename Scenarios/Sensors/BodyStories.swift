import MeshTestbed

/// Nodes with a battery, a panel, sensors and a place, and repeaters that a wire joins.
enum BodyStories {
    static let all = [sunGoes, batteryAlert, frost, twoValleys, walkingRepeater, phoneRadioOff]

    private static let alice = Person.stack("alice")
    private static let bob = Person.client("bob")
    private static let meadow = Sensor("meadow")

    /// A milliampere-hour, which lasts a minute and a half without the sun.
    private static let hill = Repeater("hill").hasBody { body in
        var cell = BatteryCell(capacity: 1, charge: 50, load: 20_000, panel: 60_000)
        cell.transmitLoad = 120_000
        cell.sun = [Int](repeating: 1000, count: 24)
        body.battery = .cell(cell)
    }

    static let sunGoes = Scenario(
        "hill-without-sun", .repeaters,
        """
        The repeater on the hill lives on its panel. The sun goes, its cell runs empty and Alice's text stays undelivered. \
        When the sun is back the cell recovers, the repeater starts by itself, and the next text arrives.
        """,
        tags: [.faults]
    ) {
        chain(alice, hill, bob)
        acquainted(alice, bob)

        alice.sends("by day", to: bob)
        bob.has("by day").within(.seconds(20))
        hill.losesSun()
        hill.isOff().within(.seconds(300))
        alice.sends("by night", to: bob)
        pause(.seconds(60))
        Not(bob.has("by night")).now
        hill.hasSunAgain()
        hill.isOn().within(.seconds(180))
        pause(.seconds(20))
        alice.sends("in the morning", to: bob)
        bob.has("in the morning").within(.seconds(60))
    }

    static let batteryAlert = Scenario(
        "battery-alert", .sensors,
        """
        Bob looks after the station on the meadow. Its battery falls below the voltage of its first alert, then below that \
        of the second, and the station tells him each time.
        """
    ) {
        bob.hears(meadow)
        bob.knowsNextDoor(meadow)

        bob.logsIn(at: meadow)
        meadow.batteryBecomes(.millivolts(3550))
        bob.has("Battery is low").within(.seconds(180))
        meadow.batteryBecomes(.millivolts(3350))
        meadow.batteryReads(3.35...3.35).now
        bob.has("Battery is critical!").within(.seconds(180))
    }

    static let frost = Scenario(
        "frost-on-the-meadow", .sensors,
        """
        The station on the meadow has a climate sensor and a meter at its panel. Bob reads a mild evening, a current that \
        flows out at night, and the frost of the morning.
        """
    ) {
        let station = meadow.hasSensors([.bme280, .ina219])
            .measuring(.temperature, .constant(11.5))
            .measuring(.voltage1, .constant(4.1))
            .measuring(.current1, .constant(-0.25))
        bob.hears(station)
        bob.knowsNextDoor(station)

        bob.logsIn(at: station)
        bob.reads(.temperature, of: station, in: 11.4...11.5)
        bob.reads(.current, of: station, in: -0.251 ... -0.249)
        station.nowMeasures(.temperature, .constant(-5.3))
        station.nowMeasures(.current1, .constant(0.6))
        bob.reads(.temperature, of: station, in: -5.4 ... -5.2)
        bob.reads(.current, of: station, in: 0.59...0.61)
    }

    static let twoValleys = Scenario(
        "two-valleys-one-wire", .repeaters,
        """
        Between Alice's valley and Bob's no radio reaches. A repeater stands at each end of a wire through the mountain: \
        her text, his confirmation and his answer go over the wire.
        """
    ) {
        let west = Repeater("west")
        let east = Repeater("east")
        chain(alice, west)
        chain(east, bob)
        west.isBridged(to: east)
        acquainted(alice, bob)

        alice.sends("through the mountain", to: bob)
        bob.has("through the mountain").within(.seconds(30))
        alice.sees("through the mountain", as: .delivered).within(.seconds(60))
        bob.sends("and back", to: alice)
        alice.has("and back").within(.seconds(30))
    }

    static let walkingRepeater = Scenario(
        "repeater-with-gps", .repeaters,
        """
        A repeater on a boat gets its place from its GPS, and its adverts have it. Alice sees where it is; without a fix \
        the last place stays.
        """
    ) {
        let boat = Repeater("boat").hasGPS(
            GPSSignal(way: [
                WayPoint(latitude: 47_050_000, longitude: 8_300_000),
                WayPoint(.seconds(600), latitude: 47_060_000, longitude: 8_300_000),
            ]))
        alice.hears(boat)
        alice.knows(boat)

        pause(.seconds(60))
        boat.isTold("advert")
        alice.knowsPlace(of: boat, latitude: 47.051, longitude: 8.3, within: 100).within(.seconds(20))
        pause(.seconds(240))
        boat.losesFix()
        pause(.seconds(400))
        boat.isTold("advert")
        alice.knowsPlace(of: boat, latitude: 47.0552, longitude: 8.3, within: 150).within(.seconds(20))
        boat.findsFix()
        pause(.seconds(30))
        boat.isTold("advert")
        alice.knowsPlace(of: boat, latitude: 47.06, longitude: 8.3, within: 20).within(.seconds(20))
    }

    static let phoneRadioOff = Scenario(
        "radio-switches-itself-off", .restarts,
        """
        Carl's radio switches itself off when its battery is low, as a Heltec V3 does. Charged again it stays off, until \
        he switches it on himself.
        """,
        tags: [.faults]
    ) {
        let carl = Person.client("carl").hasBattery(.millivolts(3800)).switchingOff(below: 3.4)
        alice.hears(carl)
        acquainted(alice, carl)

        alice.sends("charge it", to: carl)
        carl.has("charge it").within(.seconds(20))
        carl.batteryBecomes(.millivolts(3350))
        carl.isOff().within(.seconds(10))
        carl.batteryBecomes(.millivolts(4000))
        carl.isOff().stays(for: .seconds(120))
        carl.isSwitchedOn()
        carl.isOn().within(.seconds(10))
    }
}
