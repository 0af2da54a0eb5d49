import MeshTime
import Testing

@testable import MeshStudy

@Suite struct `Histograms` {
    @Test(arguments: Vectors.distances)
    func `distances are those of scipy`(vector: DistanceVector) throws {
        let first = try DistanceVector.histogram(vector.first, vector.firstWeights)
        let second = try DistanceVector.histogram(vector.second, vector.secondWeights)

        #expect(agree(first.wasserstein(to: second), vector.wasserstein, within: 1e-13))
        #expect(agree(second.wasserstein(to: first), vector.wasserstein, within: 1e-13))
    }

    @Test func `a sample is a histogram of weights one`() throws {
        let sample = try Sample([3, 1, 3, 2, 3])
        let histogram = try DistanceVector.histogram([1, 2, 3], [1, 1, 3])

        #expect(Histogram(sample) == histogram)
        #expect(
            sample.wasserstein(to: try Sample([1, 2, 3]))
                == histogram.wasserstein(to: Histogram(try Sample([1, 2, 3]))))
    }

    @Test func `distances are metrics`() throws {
        var random = RandomStream(state: 1)
        for _ in 0..<50 {
            let three = try (0..<3).map { _ in
                try Histogram((0..<6).map { _ in .init(Double(random.index(below: 8)), random.unit() + 0.01) })
            }
            let direct = three[0].wasserstein(to: three[2])
            #expect(three[0].wasserstein(to: three[0]) == 0)
            #expect(agree(direct, three[2].wasserstein(to: three[0]), within: 1e-13))
            #expect(direct <= three[0].wasserstein(to: three[1]) + three[1].wasserstein(to: three[2]) + 1e-12)
        }
    }

    @Test func `moving all values moves the distance`() throws {
        let values = [1, 4, 4.5, 9.0]
        let first = try Sample(values)

        #expect(first.wasserstein(to: try Sample(values.map { $0 + 2.5 })) == 2.5)
        #expect(first.wasserstein(to: first) == 0)
        #expect(first.wasserstein(to: try Sample(values + values)) == 0)
    }

    @Test func `parts joined in any order are the whole`() throws {
        var random = RandomStream(state: 7)
        var bins = (0..<60).map { _ in Histogram.Bin(Double(random.index(below: 9)), random.unit()) }
        let whole = try Histogram(bins)
        for _ in 0..<20 {
            bins.shuffle(using: &random)
            #expect(try Histogram(bins) == whole)
        }
        #expect(whole.bins.map(\.value) == Set(bins.map(\.value)).sorted())
    }

    @Test func `bins without weight do not count, and need one with weight`() throws {
        #expect(try DistanceVector.histogram([1, 2, 2, -0.0, 0], [0, 1, 2, 1, 1]).bins == [.init(0, 2), .init(2, 3)])
        #expect(reason { _ = try Histogram([]) } == .empty)
        #expect(reason { _ = try Histogram([.init(1, 0)]) } == .empty)
        #expect(reason { _ = try Histogram([.init(1, -1)]) } != nil)
        #expect(reason { _ = try Histogram([.init(.nan, 1)]) } == .notFinite)
        #expect(reason { _ = try Histogram([.init(1, .nan)]) } == .notFinite)
        #expect(reason { _ = try Histogram([.init(1, 1e308), .init(2, 1e308)]) } == .notFinite)
    }

    @Test func `a distance beyond a Double is infinite, never NaN`() throws {
        let greatest = Double.greatestFiniteMagnitude
        let low = try Sample([-greatest])
        let high = try Sample([greatest])

        #expect(low.wasserstein(to: high) == .infinity)
        #expect(try Sample([-greatest, greatest]).wasserstein(to: try Sample([-greatest, greatest])) == 0)
    }
}
