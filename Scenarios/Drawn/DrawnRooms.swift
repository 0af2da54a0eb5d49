import MeshTestbed

/// Scenarios that a seed makes, about rooms.
enum DrawnRooms {
    static let all = [busyRoom]

    static let busyRoom = DrawnScenario(
        "busy-room", .rooms,
        """
        Members of a room post, go away, enter again and miss what is posted meanwhile, and the room itself restarts. \
        Whoever is a member in the end has every post that the room still has, once, in its order, and of its author.
        """,
        tags: [.faults]
    ) { draw in
        let mesh = draw.mesh(
            people: 2...4, repeaters: 0...2, rooms: 1, shapes: [.line, .star, .villages], loss: 0...0.2)
        let room = mesh.rooms[0]
        mesh.links
        mesh.knownContacts
        States.ofRooms
        always(room.postsAreTrue)
        always(room.postsArrive)

        draw.entries(of: mesh.people, into: room, over: .seconds(30), again: 0...3, until: .seconds(150))
        draw.posts(3...10, of: mesh.people, in: room, over: .seconds(150))
        draw.absences(0...2, of: mesh.people, over: .seconds(120))
        draw.faults(
            0...3,
            of: [
                .loss, .partition, .deafPerson, .deafRepeater, .personRestart, .linkLoss, .roomRestart,
                .roomWithoutPower,
            ], in: mesh, over: .seconds(120))
        if draw.chance("many notices", 0.2) {
            at(draw.moment("many notices", .seconds(120))) {
                room.announces(draw.count("notices", in: 20...40))
            }
        }
        pause(.seconds(240))
        everythingIsSettled(within: .seconds(600))
        mesh.people.map { Step.does($0.enters(room).ifPossible) }
        room.hasBroughtAll(within: .seconds(1200))
        pause(.seconds(75))
    }
}
