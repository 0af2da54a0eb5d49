public import MeshTime

extension WorldPlan {
    /// Adds a number of faults that the seed draws: kind, place, beginning and end.
    ///
    /// Each has a stream of its own, so one more changes none of the others. All are over before the last tenth of the
    /// run, so that a mesh shows whether it recovers. Each may do nothing, as the seed does not know the traffic.
    /// Nothing is drawn for a mesh of one node.
    public mutating func addRandomFaults(_ count: Int, span: TimeSpan, seed: Seed) {
        guard topology.nodes.count > 1, span.milliseconds >= 10 else { return }
        // A draw has 32 bits: milliseconds, and more of them at once in runs of more than seven weeks.
        let unit = 1 + span.milliseconds * 9 / 10 / Int64(UInt32.max)
        let limit = UInt32(clamping: span.milliseconds * 9 / 10 / unit)
        for number in 0..<count {
            var stream = seed.stream("fault", "draw", String(number))
            let begin = stream.draw(0, limit - 1)
            let end = begin + 1 + stream.draw(0, min(limit - begin, max(1, limit / 4)))
            var fault = Fault(
                kind(&stream), from: .milliseconds(Int64(begin) * unit), to: .milliseconds(Int64(end) * unit))
            fault.mayNotFire = true
            faults.append(fault)
        }
    }

    private func kind(_ stream: inout RandomStream) -> Fault.Kind {
        let node = pick(&stream)
        switch stream.draw(0, 10) {
        case 0: return .loss(perTenThousand: Int(stream.draw(500, 9000)))
        case 1: return .loss(perTenThousand: Int(stream.draw(500, 10_001)), from: node)
        case 2:
            let share = stream.draw(1, UInt32(clamping: topology.nodes.count))
            return .partition((0..<Int(share)).map(NodeID.init(index:)))
        case 3: return .deafness(node)
        case 4: return .crash(node)
        case 5: return .reboot(node, keepingFlash: stream.draw(0, 4) > 0)
        case 6: return .clockJump(node, seconds: Int32(stream.draw(0, 200_000)) - 100_000)
        case 7: return .flashFailure(node)
        case 8: return .corruption(perTenThousand: Int(stream.draw(100, 3000)), passesChecksum: stream.draw(0, 2) == 0)
        default:
            let delay = TimeSpan.milliseconds(stream.draw(100, 30_000))
            return .replay(near: node, perTenThousand: Int(stream.draw(500, 5000)), after: delay)
        }
    }

    private func pick(_ stream: inout RandomStream) -> NodeID {
        NodeID(index: Int(stream.draw(0, UInt32(clamping: topology.nodes.count))))
    }
}
