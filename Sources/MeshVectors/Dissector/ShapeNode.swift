import MeshWire

/// The steps of a walk up to the byte that decides on the others, and what follows for each of its values.
///
/// A walk branches on the data that it has walked. Which byte decides, and how, is found by asking the walk itself for
/// all values of each byte, so that no second description of a layout is needed.
struct ShapeNode: Hashable, Sendable {
    /// The steps that follow when the deciding byte is within these ranges.
    struct Branch: Hashable, Sendable {
        var values: [ClosedRange<UInt8>]
        let node: ShapeNode
    }

    let steps: [FieldShaper.Step]
    /// Empty where nothing is left to decide; otherwise the last step is the deciding byte.
    let branches: [Branch]

    /// Asks a walk that begins at an offset of the memory that it is given.
    init(from offset: Int, _ walk: (inout FieldShaper, UInt8) -> Void) {
        var memory = [UInt8](repeating: 0, count: Self.memorySize)
        self.init(&memory, offset, skipping: 0, walk)
    }

    /// Room for the longest paths and lists that one byte can announce, twice.
    private static let memorySize = 1024

    private init(
        _ memory: inout [UInt8], _ start: Int, skipping skipped: Int, _ walk: (inout FieldShaper, UInt8) -> Void
    ) {
        let whole = Self.shape(of: memory, start, keepsSteps: true, walk)
        for place in skipped..<max(skipped, whole.steps.count) {
            // Numbers with a sign are measurements, which decide on nothing.
            guard case .number(_, 1, false, _) = whole.steps[place] else { continue }
            let offset = whole.offsets[place]
            let kept = memory[offset]
            let isDeciding = (UInt8.min...UInt8.max).contains { value in
                memory[offset] = value
                return Self.shape(of: memory, start, keepsSteps: false, walk).signature != whole.signature
            }
            if isDeciding {
                var branches: [Branch] = []
                // Values with the same steps in front of zeros are followed by the same.
                var known: [UInt64: Int] = [:]
                for value in UInt8.min...UInt8.max {
                    memory[offset] = value
                    let signature = Self.shape(of: memory, start, keepsSteps: false, walk).signature
                    let branch =
                        known[signature]
                        ?? Self.place(of: ShapeNode(&memory, start, skipping: place + 1, walk), in: &branches)
                    known[signature] = branch
                    branches[branch].add(value)
                }
                memory[offset] = kept
                steps = Array(whole.steps[skipped...place])
                self.branches = branches
                return
            }
            memory[offset] = kept
        }
        steps = Array(whole.steps[min(skipped, whole.steps.count)...])
        branches = []
    }

    private static func shape(
        of memory: [UInt8], _ start: Int, keepsSteps: Bool, _ walk: (inout FieldShaper, UInt8) -> Void
    ) -> FieldShaper {
        memory.withUnsafeBytes { bytes in
            var shaper = FieldShaper(bytes, from: start, keepsSteps: keepsSteps)
            walk(&shaper, bytes[start])
            return shaper
        }
    }

    /// Returns the branch with this node, which is added if it is new.
    private static func place(of node: ShapeNode, in branches: inout [Branch]) -> Int {
        if let place = branches.firstIndex(where: { $0.node == node }) { return place }
        branches.append(Branch(values: [], node: node))
        return branches.count - 1
    }
}

extension ShapeNode.Branch {
    /// Adds a value above all that it has.
    fileprivate mutating func add(_ value: UInt8) {
        if let range = values.last, value > 0, range.upperBound == value - 1 {
            values[values.count - 1] = range.lowerBound...value
        } else {
            values.append(value...value)
        }
    }
}

extension FieldGroup {
    /// The shape of the group, from an offset on.
    static func shape(from offset: Int = 0) -> ShapeNode {
        ShapeNode(from: offset) { walker, _ in
            var fields = Self()
            fields.walk(&walker)
        }
    }
}
