import MeshBoards
import MeshCompliance
import MeshFirmware
import MeshTime
import MeshWire

extension RoleTopic {
    private static let alice = RoleProbe.alice

    /// State that outlives a restart.
    static let restarts = RoleTopic(
        "Restarts",
        [
            Row("INF-017", about: "After a restart an old login is accepted again", needs: .restart) { node in
                let packet = try node.login(alice, "password", at: node.nextStamp())
                try node.one(try node.hear(packet))
                try node.silence(try node.hear(packet))
                try node.wait(.seconds(10))
                try node.type("reboot")
                try node.wait(.seconds(20))
                try node.require("an answer", try node.answer(in: try node.hear(packet), for: alice) != nil, is: true)
            },
            Row("INF-016", about: "Administrators alone are kept", of: .room, needs: .restart) { node in
                try node.admit(alice)
                try node.require("an answer", try node.logIn(.bob, "hello") != nil, is: true)
                try node.wait(.seconds(10))
                try node.type("reboot")
                try node.wait(.seconds(20))
                try node.require("an answer", try node.answer(alice, telemetry) != nil, is: true)
                try node.silence(try node.request(.bob, telemetry))
            },
        ])
}
