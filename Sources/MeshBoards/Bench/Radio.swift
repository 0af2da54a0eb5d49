public import MeshTransports

/// One companion radio of a ``Bench``: its label, its address, and its permissions.
public struct Radio: Hashable, Sendable {
    /// The name by which tests ask for it.
    public var label: String
    /// The target that it stands for, or the fault in its address, which is thrown when the radio is looked up.
    public var target: Result<Target, LinkError>
    /// The labels of the radios that it hears.
    public var near: [String]

    /// - Parameters:
    ///   - rig: where the rig around the radio is steered, if there is one: that of `meshbed emulate --rig`.
    ///   - near: the labels of radios on the same bench that hear this one; one side is enough.
    ///   - allowed: `.restart` and `.destructive`, for who can do without the radio; the other abilities are found out.
    public init(
        _ label: String, _ target: Target, rig: LinkAddress? = nil, near: [String] = [],
        allowing allowed: Abilities = []
    ) {
        self.init(label, .success(target), rig, near, allowed)
    }

    /// The same for a word of a command line: `tcp://HOST:PORT`, `serial:PATH`, `emulator+tcp`.
    public init(
        _ label: String, _ word: String, rig: LinkAddress? = nil, near: [String] = [],
        allowing allowed: Abilities = []
    ) {
        self.init(label, Result { () throws(LinkError) in try Target(word) }, rig, near, allowed)
    }

    /// A radio of a bench file.
    init(_ target: Target, _ board: Board, near: [String]) {
        self.init(board.label, .success(target), nil, near, [])
    }

    private init(
        _ label: String, _ target: Result<Target, LinkError>, _ rig: LinkAddress?, _ near: [String],
        _ allowed: Abilities
    ) {
        self.label = label
        self.target = target.map {
            var target = $0
            target.label = label
            if rig != nil { target.rig = rig }
            target.allowed.formUnion(allowed)
            return target
        }
        self.near = near
    }
}
