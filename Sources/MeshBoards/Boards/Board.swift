package import MeshCompanion
import MeshFiles
package import MeshTransports

/// The facts of a bench file about one board, beside its address.
package struct Board: Hashable, Sendable {
    /// The name by which tests ask for it.
    package var label: String
    /// The serial number of its USB device, which says which board it is wherever it is plugged in.
    package var usb: String?
    /// The version of the firmware that its owner has installed.
    package var firmware: FirmwareVersion?
    /// All that may be done to it beside reading and writing settings that are put back, in the order of the
    /// permissions.
    package var permissions: [BoardPermission]
    /// The user's commands for its power.
    var power: PowerCommands?
    /// The line of its serial port that restarts it.
    package var reset: ResetLine?
    /// The place of labgrid behind which it is, if it is on no port of this machine.
    package var place: String?

    /// False for a board that a command line names without any file: its owner has said nothing about it.
    package var isListed = true

    init(label: String, permissions: [BoardPermission] = BoardPermission.allCases) {
        self.label = label
        self.permissions = permissions
    }

    package func allows(_ permission: BoardPermission) -> Bool { permissions.contains(permission) }

    /// The abilities that the permissions give.
    var allowed: Abilities { permissions.reduce(into: []) { $0.formUnion($1.ability) } }

    /// Runs the user's command for the power; where there is none to cycle it, that for off and that for on.
    package func switchPower(_ verb: PowerCommands.Verb) throws(Bench.Problem) {
        let commands = verb == .cycle ? power?.cycling : power?[verb].map { [$0] }
        guard let power, let commands else {
            throw .lacks(label, reason: "has no command for \"\(verb.rawValue)\" in its \"power\"")
        }
        for words in commands {
            do throws(UserCommand.Failure) {
                try UserCommand(words, limitSeconds: power.limitSeconds).run()
            } catch {
                throw .lacks(label, reason: "keeps its power: \(error)")
            }
        }
    }

    /// The commands that switch the power off and on again, where they may be run.
    package var powerCycle: [[String]]? { allows(.power) ? power?.cycling : nil }
}
