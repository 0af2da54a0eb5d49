import MeshTestbed

/// Needs of those who keep a mesh.
enum MeshNeeds {
    static let all = [regionRollOut, hashCollision, powerCut]

    private static let alice = Person.client("alice")
    private static let bob = Person.client("bob")

    static let regionRollOut = FieldNeed(
        "A region that is rolled out one repeater at a time",
        threads: [
            FieldNeeds.firmware(.issue, 1751), FieldNeeds.firmware(.pull, 1791), FieldNeeds.firmware(.pull, 1810),
        ],
        finding: """
            A repeater without the region drops what is meant for it, whatever it does with other floods. Repeaters \
            must know the region first, people use it next, and floods without a scope are refused last.
            """,
        breaking: "Alice uses the region before the last repeater knows it."
    ) { isBroken in
        let row = [Repeater].row("step", 3)
        return Scenario(
            "region-roll-out", .needs,
            """
            Three repeaters on the way from Alice to Bob learn the region of the valley, one after the other. Until \
            the last one knows it Alice speaks without a region, and nobody notices the change. Then she uses it, \
            and repeaters refuse what has none.
            """
        ) {
            chain([alice, row[0], row[1], row[2], bob])

            for (number, repeater) in row.enumerated() {
                alice.says("before step \(number + 1)")
                bob.has("before step \(number + 1)").within(.seconds(30))
                if !isBroken || number < 2 {
                    repeater.isTold("region put valley")
                    repeater.isTold("region allowf valley")
                    repeater.isTold("region save")
                }
            }
            alice.scopesFloods(to: "valley")
            alice.says("to the valley")
            bob.has("to the valley").within(.seconds(30))
            for (number, repeater) in row.enumerated() {
                repeater.isTold("region denyf *")
                alice.says("refusing at \(number + 1)")
                bob.has("refusing at \(number + 1)").within(.seconds(30))
            }
            alice.unscopesFloods()
            alice.says("without a region")
            bob.has("without a region", times: 0).stays(for: .seconds(30))
        }
    }

    static let hashCollision = FieldNeed(
        "Two repeaters with the same first byte in a city",
        threads: [
            FieldNeeds.firmware(.issue, 562), FieldNeeds.firmware(.issue, 1706), FieldNeeds.firmware(.pull, 1478),
        ],
        finding: """
            Delivery survives a collision of path hashes, and the air pays for it: both repeaters carry on every \
            text that is sent along the path. With two bytes only the right one does.
            """,
        breaking: "Paths have one byte for each repeater instead of two."
    ) { isBroken in
        let (hill, twin) = (Repeater("hill") { $0.firstKeyByte = 0x5A }, Repeater("twin") { $0.firstKeyByte = 0x5A })
        return Scenario(
            "hash-collision", .needs,
            """
            Two repeaters of the city hear Alice, and their keys begin with the same byte. Only one of them hears \
            Bob. Alice's radio asks for two bytes of each repeater. The other one stays silent when she writes along \
            the path.
            """
        ) {
            chain(alice, hill, bob)
            alice.hears(twin)
            acquainted(alice, bob)

            alice.usesHashes(ofBytes: isBroken ? 1 : 2)
            bob.usesHashes(ofBytes: isBroken ? 1 : 2)
            alice.sends("finds the way", to: bob)
            alice.sees("finds the way", as: .delivered).within(.seconds(30))
            pause(.seconds(20))
            alice.knowsWay(to: bob, hops: 1).now
            for number in 1...3 {
                alice.sends("along the path \(number)", to: bob)
                bob.has("along the path \(number)", by: .direct).within(.seconds(30))
                pause(.seconds(10))
            }
            twin.hasTransmitted(.atMost(1)).now
        }
    }

    static let powerCut = FieldNeed(
        "Repeaters that all advert after a power cut",
        threads: [
            FieldNeeds.firmware(.issue, 1091), FieldNeeds.firmware(.pull, 1488), FieldNeeds.firmware(.pull, 1217),
        ],
        finding: """
            Since 1.14 an advert at the start goes no further than one hop. Ten repeaters that flooded theirs would \
            send a hundred frames, and nobody gets a word in for minutes.
            """,
        breaking: "All repeaters flood an advert when the power is back."
    ) { isBroken in
        let town = [Repeater].row("house", 8)
        return Scenario(
            "power-cut", .needs,
            """
            The power of a whole town fails, and is back for all repeaters at the same moment. Each tells its \
            neighbours that it is there, and none of them sets off a flood. Alice's text arrives soon after.
            """,
            tags: [.faults]
        ) {
            together(town)
            alice.hears(town[0])
            bob.hears(town[7])
            acquainted(alice, bob)

            town.haveNoPower(for: .seconds(30))
            pause(.seconds(40))
            for house in town {
                house.isTold(isBroken ? "advert" : "advert.zerohop")
                pause(.seconds(3))
            }
            pause(.seconds(20))
            alice.sends("the lights are on", to: bob)
            bob.has("the lights are on").within(.seconds(60))
            pause(.seconds(60))
            town.haveTransmitted(.atMost(40)).now
        }
    }
}
