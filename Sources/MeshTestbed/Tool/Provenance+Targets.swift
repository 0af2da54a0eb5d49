import MeshBoards
package import MeshReports

extension Provenance.Run {
    /// On virtual time.
    package init(virtual subject: Subject, seed: UInt64?) {
        self.init(subject, seed: seed, time: "virtual")
    }

    /// Over a link to a real radio, or to an emulated one that is reached as a real one is.
    package init(overLink target: String, seed: UInt64? = nil) {
        self.init(
            .target(target), seed: seed, time: "clock",
            repeatability: .notReproducible("the target is reached over real links"))
    }

    /// Of something that plays on a target by the clock unless the target is in this process.
    init(on target: Target, seed: UInt64?) {
        if target.isRepeatable {
            self.init(virtual: .target("\(target)"), seed: seed)
        } else {
            self.init(overLink: "\(target)", seed: seed)
        }
    }

    /// Of the suite, which lets a rig hold the time of the radio where there is one.
    init(checking target: Target, seed: UInt64?) {
        self.init(on: target, seed: seed)
        switch target.place {
        case .emulator, .modelled: break
        // The rig is one of this process, with a new radio.
        case .wired: (time, repeatability) = ("held by a rig", .reproducible)
        case .radios where target.rig != nil:
            (time, repeatability) = ("held by a rig", .reproducibleIf("the rig and its radio are the same"))
        case .radios: break
        }
    }
}
