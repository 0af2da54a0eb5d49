import MeshTime
import Testing

@testable import MeshStudy

@Suite struct `Logarithm and exponential` {
    @Test func `they agree with the C library to two units of the last place`() {
        for (number, expected) in Vectors.logarithms {
            #expect((Elementary.log(number) - expected).magnitude <= 2 * expected.ulp, "log \(number)")
        }
        for (power, expected) in Vectors.exponentials {
            #expect((Elementary.exp(power) - expected).magnitude <= 2 * expected.ulp, "exp \(power)")
        }
    }

    @Test func `they are inverse to each other`() {
        var random = RandomStream(state: 1)
        for _ in 0..<2000 {
            let power = (random.unit() - 0.5) * 1400
            #expect((Elementary.log(Elementary.exp(power)) - power).magnitude <= 1e-15 * max(1, power.magnitude))
        }
    }

    @Test func `every number has an answer`() {
        #expect(Elementary.log(0) == -.infinity && Elementary.log(.infinity) == .infinity)
        #expect(Elementary.log(-1).isNaN && Elementary.log(.nan).isNaN && Elementary.log(-.infinity).isNaN)
        #expect(Elementary.exp(-.infinity) == 0 && Elementary.exp(.infinity) == .infinity)
        #expect(Elementary.exp(.nan).isNaN && Elementary.exp(1e300) == .infinity && Elementary.exp(-1e300) == 0)
    }

    @Test func `draws stay below their bound and reach every number`() {
        var random = RandomStream(state: 1)
        var seen = [Int](repeating: 0, count: 7)
        for _ in 0..<7000 {
            seen[random.index(below: 7)] += 1
            #expect((0..<1).contains(random.unit()))
        }

        // 1,000 ± 29 each.
        #expect(seen.allSatisfy { (850...1150).contains($0) })
        #expect(random.index(below: 0) == 0 && random.index(below: -5) == 0 && random.index(below: .max) >= 0)
    }
}
