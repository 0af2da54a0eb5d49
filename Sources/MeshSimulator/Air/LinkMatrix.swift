public import MeshFirmware

/// Who reaches whom, and how strongly: one signal per direction, `nil` for out of range.
public struct LinkMatrix: Sendable {
    public private(set) var nodeCount = 0
    /// Row by sender, column by listener.
    private var signals: [Signal?] = []

    public init() {}

    /// How the frames of `sender` arrive at `listener`.
    public subscript(sender: NodeID, listener: NodeID) -> Signal? {
        get { signals[place(sender, listener)] }
        set { signals[place(sender, listener)] = newValue }
    }

    mutating func addNode() {
        var grown = [Signal?](repeating: nil, count: (nodeCount + 1) * (nodeCount + 1))
        for sender in 0..<nodeCount {
            for listener in 0..<nodeCount {
                grown[sender * (nodeCount + 1) + listener] = signals[sender * nodeCount + listener]
            }
        }
        signals = grown
        nodeCount += 1
    }

    private func place(_ sender: NodeID, _ listener: NodeID) -> Int {
        precondition(sender.index < nodeCount && listener.index < nodeCount, "no such node")
        return sender.index * nodeCount + listener.index
    }
}
