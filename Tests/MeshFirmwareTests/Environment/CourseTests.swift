import Foundation
import MeshFirmware
import MeshTime
import Testing

@Suite struct CourseTests {
    private static let hour: Int64 = 3_600_000

    private static func at(hour: Double) -> Instant { .milliseconds(Int64(hour * 3_600_000)) }

    @Test func `a ramp leads straight from one value to the other and stays there`() {
        let course = Course.ramp(from: 10, to: 30, starting: .seconds(100), lasting: .seconds(200))

        #expect(
            [0, 100, 150, 200, 299, 300, 9999].map { course.value(at: .seconds($0)) } == [10, 10, 15, 20, 29.9, 30, 30])
    }

    @Test func `a line without points is 0, with one it is constant, and two at one time make a jump`() {
        let jump = Course.line([.init(.seconds(10), 1), .init(.seconds(20), 2), .init(.seconds(20), 7)])

        #expect(Course.line([]).value(at: .seconds(5)) == 0)
        #expect(Course.line([.init(.seconds(3), 4)]).value(at: .start) == 4)
        #expect([15, 20, 21].map { jump.value(at: .seconds($0)) } == [1.5, 7, 7])
    }

    @Test func `steps hold each value until the next one's time`() {
        let course = Course.steps(first: 1, then: [.init(.seconds(10), 2), .init(.seconds(20), -3)])

        #expect([0, 9, 10, 19, 20, 100].map { course.value(at: .seconds($0)) } == [1, 1, 2, 2, -3, -3])
        #expect(Course.steps(first: 5, then: []).value(at: .seconds(1)) == 5)
    }

    @Test(arguments: [0.0, 6, 14.5, 23.75])
    func `a day is highest at its hour, lowest twelve hours off, and the same every day`(hour: Double) {
        let course = Course.day(minimum: -4, maximum: 12, maximumAtHour: hour)

        #expect(course.value(at: Self.at(hour: hour)) == 12)
        #expect(course.value(at: Self.at(hour: hour + 12)) == -4)
        for minute in stride(from: 0, to: 1440, by: 7) {
            let time = Instant.seconds(minute * 60)
            let value = course.value(at: time)
            #expect(value == course.value(at: time + .seconds(86_400 * 365)))
            let angle = (Double(minute) / 60 - hour) / 12 * Double.pi
            #expect(abs(value - (4 + 8 * cos(angle))) <= 0.0101 * 16, "minute \(minute)")
        }
    }

    @Test(arguments: [-1.0, 24, .nan, .infinity])
    func `what is no hour of a day is midnight`(hour: Double) {
        let course = Course.day(minimum: 0, maximum: 1, maximumAtHour: hour)

        #expect(course.value(at: .start) == 1)
    }

    @Test func `noise stays within its amplitude, changes at its interval, and depends on the seed alone`() {
        let course = Course.noisy(.constant(20), amplitude: 0.5, every: .seconds(60), seed: Seed(1))
        let other = Course.noisy(.constant(20), amplitude: 0.5, every: .seconds(60), seed: Seed(2))

        let values = (0..<1000).map { course.value(at: .seconds($0 * 60)) }

        #expect(values.allSatisfy { 19.5...20.5 ~= $0 })
        #expect(Set(values).count == 1000)
        #expect(abs(values.reduce(0, +) / 1000 - 20) < 0.03)
        #expect(values == (0..<1000).map { course.value(at: .seconds($0 * 60 + 59)) })
        #expect(values != (0..<1000).map { other.value(at: .seconds($0 * 60)) })
        #expect(Course.noisy(.constant(1), amplitude: 0, every: .zero, seed: Seed(3)).value(at: .seconds(9)) == 1)
    }

    @Test func `courses nest`() {
        let base = Course.day(minimum: 0, maximum: 10, maximumAtHour: 12)
        let course = Course.noisy(base, amplitude: 1, every: .seconds(1), seed: Seed(4))

        for hour in 0..<24 {
            let time = Self.at(hour: Double(hour))
            #expect(abs(course.value(at: time) - base.value(at: time)) <= 1)
        }
    }
}
