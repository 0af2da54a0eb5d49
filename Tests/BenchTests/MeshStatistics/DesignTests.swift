import MeshTime
import Testing

@testable import MeshStudy

@Suite struct `Designs` {
    private static func parameters() throws -> [Parameter] {
        [
            try Parameter("spacing", in: -1...3),
            try Parameter("delay", in: 0.1...1000, scale: .logarithmic),
            try Parameter("retries", in: 1...5, isWhole: true),
        ]
    }

    @Test func `a grid combines all levels`() throws {
        let design = try Design.grid(Self.parameters(), levels: [3, 5, 9])

        #expect(design.points.count == 3 * 5 * 5)
        #expect(design.points.first == [-1, 0.1, 1])
        #expect(design.points.last == [3, 1000, 5])
        #expect(design.points[0..<6].map { $0[2] } == [1, 2, 3, 4, 5, 1])
        #expect(Set(design.points).count == design.points.count)
        let delays = [0.1, 1, 10, 100, 1000]
        for (index, delay) in delays.enumerated() {
            #expect(agree(design.points[5 * index][1], delay, within: 1e-14))
        }
    }

    @Test func `one level is the middle`() throws {
        let point = try Design.grid(Self.parameters(), levels: [1, 1, 1]).points

        #expect(point.count == 1 && point[0][0] == 1 && point[0][2] == 3)
        #expect(agree(point[0][1], 10, within: 1e-14))
    }

    @Test(arguments: [1, 2, 7, 100])
    func `a Latin hypercube has a point in every stratum`(count: Int) throws {
        var random = RandomStream(state: 3)
        let design = try Design.latinHypercube(Self.parameters(), points: count, using: &random)

        #expect(design.points.count == count)
        let spacings = design.points.map { Int(($0[0] + 1) / 4 * Double(count)) }
        let delays = design.points.map { point in
            Int(Elementary.log(point[1] / 0.1) / Elementary.log(10_000) * Double(count))
        }
        #expect(spacings.sorted() == Array(0..<count))
        #expect(delays.sorted() == Array(0..<count))
        for point in design.points {
            #expect((1...5).contains(point[2]) && Double(Int(point[2])) == point[2])
        }
        // Twenty of a hundred points for each of five whole numbers.
        guard count == 100 else { return }
        for retries in 1...5 { #expect(design.points.count { $0[2] == Double(retries) } == 20) }
    }

    @Test func `it repeats with the generator, differs with another, and pairs the strata at random`() throws {
        var (one, same, other) = (RandomStream(state: 1), RandomStream(state: 1), RandomStream(state: 2))
        let design = try Design.latinHypercube(Self.parameters(), points: 50, using: &one)

        #expect(try Design.latinHypercube(Self.parameters(), points: 50, using: &same) == design)
        #expect(try Design.latinHypercube(Self.parameters(), points: 50, using: &other) != design)
        // Points neither in order nor on a diagonal.
        let spacings = design.points.map { $0[0] }
        #expect(spacings != spacings.sorted())
        let ranks = design.points.sorted { $0[0] < $1[0] }.map { $0[1] }
        #expect(ranks != ranks.sorted())
    }

    @Test func `another parameter at the end leaves the values of the others`() throws {
        var (one, other) = (RandomStream(state: 1), RandomStream(state: 1))
        let all = try Design.latinHypercube(Self.parameters(), points: 20, using: &one)
        let two = try Design.latinHypercube(Array(Self.parameters().prefix(2)), points: 20, using: &other)

        #expect(all.points.map { Array($0.prefix(2)) } == two.points)
    }

    @Test func `whole numbers at the ends of their range work`() throws {
        var random = RandomStream(state: 8)
        let wide = try Parameter("wide", in: -0x1p52...0x1p52, isWhole: true)
        let powers = try Parameter("powers", in: 1...1024, scale: .logarithmic, isWhole: true)
        let design = try Design.latinHypercube([wide, powers], points: 500, using: &random)

        #expect(design.points.allSatisfy { wide.range.contains($0[0]) && powers.range.contains($0[1]) })
        #expect(design.points.contains { $0[1] == 1 })
        #expect(try Design.grid([powers], levels: [11]).points.map { $0[0] } == (0...10).map { Double(1 << $0) })
        let negative = try Parameter("negative", in: -3...(-1), isWhole: true)
        #expect(try Design.grid([negative], levels: [5]).points == [[-3], [-2], [-1]])
    }

    @Test func `designs without a meaning are refused`() throws {
        let parameters = try Self.parameters()
        var random = RandomStream(state: 1)

        #expect(reason { _ = try Design.grid([], levels: []) } == .empty)
        #expect(reason { _ = try Design.grid(parameters, levels: [2, 2]) } != nil)
        #expect(reason { _ = try Design.grid(parameters, levels: [2, 2, 0]) } != nil)
        #expect(reason { _ = try Design.grid(parameters, levels: [1000, 1001, 2]) } != nil)
        #expect(reason { _ = try Design.grid(parameters + parameters, levels: [1, 1, 1, 1, 1, 1]) } == .repeated)
        #expect(reason { _ = try Design.latinHypercube([], points: 3, using: &random) } == .empty)
        #expect(reason { _ = try Design.latinHypercube(parameters, points: 0, using: &random) } != nil)
        #expect(reason { _ = try Design.latinHypercube(parameters, points: .max, using: &random) } != nil)
    }

    @Test func `parameters without a meaning are refused`() {
        #expect(reason { _ = try Parameter("a", in: 1...1) } == .noWidth)
        #expect(reason { _ = try Parameter("a", in: 0...(.infinity)) } == .noWidth)
        #expect(reason { _ = try Parameter("a", in: 0...1, scale: .logarithmic) } != nil)
        #expect(reason { _ = try Parameter("a", in: 0.5...2, isWhole: true) } == .notWhole)
        #expect(reason { _ = try Parameter("a", in: 0...0x1p60, isWhole: true) } != nil)
        #expect(StatisticsError("delay", .noWidth).description == "delay is a range without a finite width")
    }
}
