import MeshTestbed

/// Needs of a crowded air.
enum AirNeeds {
    static let all = [corruptFrames, denseHill, channelActivity, stuckPreamble, nappingRadio]

    private static let alice = Person.client("alice")
    private static let bob = Person.client("bob"), carol = Person.client("carol")

    static let corruptFrames = FieldNeed(
        "Corrupt frames that keep flooding",
        threads: [
            FieldNeeds.firmware(.pull, 3261), FieldNeeds.address("openhop-dev/openhop_repeater", .issue, 260),
        ],
        finding: """
            A spoiled frame is a new packet to everybody, since the path is not part of the packet hash. Each relay \
            carries it on once more. The code of two bytes keeps spoiled texts away from apps.
            """,
        breaking: "`flood.max` is left at 64 instead of 4."
    ) { isBroken in
        let roofs = (1...9).map { number in
            Repeater("roof-\(number)") { if !isBroken { $0.commands = ["set flood.max 4"] } }
        }
        let lines = (1...4).map { "line \($0) of the day" }
        return Scenario(
            "corrupt-frames", .needs,
            """
            One of nine repeaters in a town spoils what it sends, and the checksum fits all the same. Every spoiled \
            copy floods as a packet of its own. With a limit of four hops everybody has each line once. No app shows \
            a damaged one.
            """,
            tags: [.faults]
        ) {
            grid(roofs, columns: 3)
            alice.hears(roofs[0])
            bob.hears(roofs[0])
            bob.hears(roofs[3])

            roofs[1].spoilsFrames(1)
            for line in lines {
                alice.says(line)
                bob.has(line).within(.seconds(60))
                pause(.seconds(60))
            }
            roofs.haveTransmitted(.atMost(60)).now
            always(bob.showsOnly(lines))
        }
    }

    static let denseHill = FieldNeed(
        "Retransmit delay and receive delay on a dense hill",
        threads: [
            FieldNeeds.firmware(.issue, 2123), FieldNeeds.firmware(.pull, 2310), FieldNeeds.firmware(.issue, 2431),
        ],
        finding: """
            Repeaters that have heard the same frame draw a delay for their copy. The factor scales the range that they \
            draw from: with 0 all copies meet.
            """,
        breaking: "`txdelay` and `rxdelay` are 0 instead of 2 and 3."
    ) { isBroken in
        let hill = (1...8).map { number in
            Repeater("mast-\(number)") {
                $0.commands = isBroken ? ["set txdelay 0", "set rxdelay 0"] : ["set txdelay 2", "set rxdelay 3"]
            }
        }
        return Scenario(
            "dense-hill", .needs,
            """
            Eight repeaters on one hill hear each other, and Alice and Bob live on two sides of it. Each repeater \
            waits for a while of its own before it sends, longer if it has heard the frame badly. Bob misses none of \
            six lines.
            """
        ) {
            together(hill)
            for (number, mast) in hill.enumerated() {
                alice.hears(mast, snr: Double(10 - 2 * number))
                bob.hears(mast)
            }

            for number in 1...6 {
                alice.says("over the hill \(number)")
                pause(.seconds(40))
                bob.has("over the hill \(number)").now
            }
        }
    }

    static let channelActivity = FieldNeed(
        "Congestion, and who hears that the channel is taken",
        threads: [
            FieldNeeds.firmware(.issue, 2820), FieldNeeds.firmware(.pull, 1727), FieldNeeds.firmware(.pull, 3383),
        ],
        finding: """
            A radio that hears a frame waits for 120 to 360 ms and looks again, for 4 s at most. It cannot wait for \
            a sender that it does not hear. The setting `cad` of 1.17 changes nothing about that.
            """,
        breaking: "Alice and Carol do not hear each other."
    ) { isBroken in
        Scenario(
            "channel-activity", .needs,
            """
            Alice and Carol speak at the same time, each in the middle of the other's lines. Both radios hear that \
            the channel is taken and wait for their turn, and Bob has every line of both.
            """
        ) {
            bob.hears(alice)
            bob.hears(carol)
            if !isBroken { alice.hears(carol) }

            for number in 1...5 {
                alice.says("a rather long line of alice, number \(number)")
                pause(.milliseconds(250))
                carol.says("a rather long line of carol, number \(number)")
                pause(.seconds(10))
            }
            for number in 1...5 {
                bob.has("a rather long line of alice, number \(number)").now
                bob.has("a rather long line of carol, number \(number)").now
            }
        }
    }

    static let stuckPreamble = FieldNeed(
        "A stuck preamble detector that blocks sending",
        threads: [FieldNeeds.firmware(.pull, 2977), FieldNeeds.firmware(.pull, 3000)],
        finding: """
            Since 1.17.0 a driver sees preambles, and clears one that no header follows: the frame goes out at once. \
            Without the deadline every frame of the node would wait for 4 s, and then go out over whatever was on \
            the air. Up to 1.16 most drivers saw no preamble at all.
            """,
        breaking: "The repeater's driver sees preambles and knows no deadline for them."
    ) { isBroken in
        let hill = Repeater("hill") { $0.forgetsReceptions = isBroken }
        return Scenario(
            "stuck-preamble", .needs,
            """
            The chip of the repeater reports a preamble of which nothing comes. Its driver finds out and clears the \
            flag. Alice's texts pass without much delay and are confirmed at the first attempt.
            """,
            tags: [.faults]
        ) {
            chain(alice, hill, bob)
            alice.knows(bob, over: hill)
            bob.knows(alice, over: hill)

            hill.seesStuckPreamble()
            for number in 1...3 {
                alice.sends("text \(number)", to: bob)
                bob.has("text \(number)").within(.seconds(4))
                alice.sees("text \(number)", as: .delivered).within(.seconds(4))
                pause(.seconds(10))
            }
        }
    }

    static let nappingRadio = FieldNeed(
        "A battery-saving companion that hears late",
        threads: [
            FieldNeeds.firmware(.pull, 1347), FieldNeeds.firmware(.issue, 143),
            FieldNeeds.address("IoTThinks/MeshCore", .pull, 11),
        ],
        finding: """
            A receiver may sleep for as long as the preamble lasts, less the few symbols that detecting takes. At \
            SF8 and 62.5 kHz the 32 symbols since 1.16 are 131 ms; the 16 symbols before were 66 ms.
            """,
        breaking: "The receiver sleeps for 400 ms instead of 70 ms."
    ) { isBroken in
        Scenario(
            "napping-radio", .needs,
            """
            Bob's radio saves its battery: its receiver sleeps and listens by turns, and wakes up often enough to \
            find every preamble. All texts of Alice arrive at the first attempt.
            """
        ) {
            alice.hears(bob)
            acquainted(alice, bob)

            // Nothing is lost to a nap: that is the point.
            bob.naps(listening: .milliseconds(60), sleeping: .milliseconds(isBroken ? 400 : 70)).mayNotFire()
            for number in 1...6 {
                alice.sends("wake up \(number)", to: bob)
                alice.sees("wake up \(number)", as: .delivered).within(.seconds(10))
                pause(.milliseconds(3370))
            }
        }
    }
}
