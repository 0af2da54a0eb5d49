import MeshFiles
import MeshFirmware
import MeshTime
import MeshWire

/// The part that measures a value, for the error about one that it cannot measure.
struct Measurer {
    /// The part in words, as `"a BME280"`.
    let name: String
    /// The range that it measures, in the unit of the file.
    let range: ClosedRange<Double>
    /// The unit in the file; empty for none.
    let unit: String

    /// The error about a value beyond the range.
    func problem(with value: Double, at path: String, line: Int) -> FileProblem {
        let unit = unit.isEmpty ? "" : " \(unit)"
        return FileProblem(
            line: line, field: path,
            reason: "\(value.short)\(unit) is beyond what \(name) measures, "
                + "\(range.lowerBound.short)…\(range.upperBound.short)\(unit)")
    }
}

/// The course of a value in a file: a number, a ramp, points, steps, a day, hours, each with noise if wanted.
struct CourseFields {
    /// The most points of a course.
    static let mostPoints = 1000

    private static let kinds = ["value", "from", "points", "steps", "min", "by_hour"]

    /// From when on times count.
    let start: Instant
    /// The seed of noise; each value of a node has its own.
    let seed: Seed

    /// True for an object that is a course, and not something else that may stand in its place.
    static func isCourse(_ fields: JSONFields) -> Bool { kinds.contains { fields.member($0) != nil } }

    /// The course of a member; `nil` when it is missing.
    ///
    /// - Parameters:
    ///   - factor: makes the core's unit of the file's.
    ///   - name: the name of the noise; that of the member when `nil`.
    func read(
        _ key: String, in fields: JSONFields, _ measurer: Measurer, factor: Double = 1, name: String? = nil
    ) throws(FileProblem) -> Course? {
        guard let value = fields.member(key) else { return nil }
        if case .number(let number) = value.content {
            try check(number, measurer, fields.path(key), value.line)
            return .constant(number * factor)
        }
        return try course(try JSONFields(value, at: fields.path(key)), measurer, factor, seed.part(name ?? key))
    }

    private func check(
        _ number: Double, _ measurer: Measurer, _ path: String, _ line: Int, noise: Double = 0
    ) throws(FileProblem) {
        guard measurer.range.contains(number - noise) else {
            throw measurer.problem(with: number - noise, at: path, line: line)
        }
        guard measurer.range.contains(number + noise) else {
            throw measurer.problem(with: number + noise, at: path, line: line)
        }
    }

    private func course(
        _ fields: JSONFields, _ measurer: Measurer, _ factor: Double, _ noiseSeed: Seed
    ) throws(FileProblem) -> Course {
        let width = measurer.range.upperBound - measurer.range.lowerBound
        let noise = try fields.number("noise", in: 0...width) ?? 0
        func number(_ key: String, in fields: JSONFields) throws(FileProblem) -> Double {
            guard let value = fields.member(key) else { throw fields.missing(key) }
            guard case .number(let number) = value.content else {
                throw fields.problem(key, "must be a number, this is \(value.kind)")
            }
            try check(number, measurer, fields.path(key), value.line, noise: noise)
            return number * factor
        }
        guard let kind = Self.kinds.first(where: { fields.member($0) != nil }) else {
            let known = Self.kinds.joined(separator: ", ")
            throw FileProblem(
                line: fields.line, field: fields.path, reason: "is no course of a value: it has none of \(known)")
        }
        try fields.allow(members(of: kind) + ["noise", "noise_every"])
        let course: Course
        switch kind {
        case "value": course = .constant(try number("value", in: fields))
        case "from":
            guard let span = try fields.span("for"), span > .zero else { throw fields.missing("for") }
            course = .ramp(
                from: try number("from", in: fields), to: try number("to", in: fields),
                starting: start + (try fields.span("at") ?? .zero), lasting: span)
        case "min":
            course = .day(
                minimum: try number("min", in: fields), maximum: try number("max", in: fields),
                maximumAtHour: try fields.number("max_at_hour", in: 0...24) ?? 15)
        case "by_hour":
            course = .hours(
                try hours(fields) { value throws(FileProblem) in
                    try check(value.number, measurer, value.path, value.line, noise: noise)
                    return value.number * factor
                })
        default:
            let points = try points(kind, fields) { point throws(FileProblem) in try number("value", in: point) }
            course = kind == "points" ? .line(points) : .steps(first: points[0].value, then: points)
        }
        guard noise > 0 else { return course }
        let interval = try fields.span("noise_every") ?? .seconds(10)
        guard interval > .zero else { throw fields.problem("noise_every", "must be longer than nothing") }
        return .noisy(course, amplitude: noise * factor, every: interval, seed: noiseSeed)
    }

    private func members(of kind: String) -> [String] {
        switch kind {
        case "from": ["from", "to", "at", "for"]
        case "min": ["min", "max", "max_at_hour"]
        default: [kind]
        }
    }

    /// The 24 values of a list, from midnight on.
    private func hours(
        _ fields: JSONFields,
        _ value: ((number: Double, path: String, line: Int)) throws(FileProblem) -> Double
    ) throws(FileProblem) -> [Double] {
        let list = try fields.list("by_hour") ?? []
        guard list.count == 24 else { throw fields.problem("by_hour", "must have 24 values, this has \(list.count)") }
        var hours: [Double] = []
        for (hour, element) in list.enumerated() {
            let path = "\(fields.path("by_hour"))[\(hour)]"
            guard case .number(let number) = element.content else {
                throw FileProblem(
                    line: element.line, field: path, reason: "must be a number, this is \(element.kind)")
            }
            hours.append(try value((number, path, element.line)))
        }
        return hours
    }

    private func points(
        _ key: String, _ fields: JSONFields, _ value: (JSONFields) throws(FileProblem) -> Double
    ) throws(FileProblem) -> [Course.Point] {
        let list = try fields.list(key) ?? []
        guard (1...Self.mostPoints).contains(list.count) else {
            throw fields.problem(key, "must have 1 to \(Self.mostPoints) points, this has \(list.count)")
        }
        var points: [Course.Point] = []
        for (index, element) in list.enumerated() {
            let point = try JSONFields(element, at: "\(fields.path(key))[\(index)]")
            try point.allow(["at", "value"])
            let time = start + (try point.span("at") ?? .zero)
            if let last = points.last, time <= last.time {
                throw point.problem("at", "must be later than that of the point before")
            }
            points.append(Course.Point(time, try value(point)))
        }
        return points
    }
}

extension Double {
    /// The number without a fraction where it has none.
    var short: String { Int64(exactly: self).map { "\($0)" } ?? "\(self)" }
}
