import MeshWorlds

/// One thing that the control API does: a method, a path with places for names, and what is done.
struct ControlRoute: Sendable {
    let method: String
    /// The parts of the path; `{node}` stands for any.
    let pattern: [String]
    let perform: @Sendable (ControlAPI, ControlCall) async throws -> ControlAnswer

    init(
        _ method: String, _ path: String,
        _ perform: @escaping @Sendable (ControlAPI, ControlCall) async throws -> ControlAnswer
    ) {
        self.method = method
        pattern = path.split(separator: "/").map(String.init)
        self.perform = perform
    }

    /// Everything that `openapi.json` lists.
    static let all: [ControlRoute] = [worlds, nodes, people, boards, clients, airs, messages, histories].flatMap { $0 }

    /// The route of a request; refuses what there is not.
    static func find(_ request: ControlRequest) throws(ControlRefusal) -> (ControlRoute, ControlCall) {
        let alike = all.filter { $0.fits(request.path) }
        guard !alike.isEmpty else { throw ControlRefusal(.notFound, "there is no such path; /openapi.json lists all") }
        guard let route = alike.first(where: { $0.method == request.method }) else {
            let methods = Self.methods(at: request.path).joined(separator: ", ")
            throw ControlRefusal(.notAllowed, "the path takes \(methods)")
        }
        return (route, ControlCall(request, route.pattern))
    }

    /// What a path takes.
    static func methods(at path: [String]) -> [String] { all.filter { $0.fits(path) }.map(\.method) }

    private func fits(_ path: [String]) -> Bool {
        pattern.count == path.count && zip(pattern, path).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }
}

/// A request with its names taken out of the path.
struct ControlCall: Sendable {
    let request: ControlRequest
    private let names: [String: String]

    init(_ request: ControlRequest, _ pattern: [String]) {
        self.request = request
        let pairs = zip(pattern, request.path).filter { $0.0.hasPrefix("{") }
        names = Dictionary(uniqueKeysWithValues: pairs.map { (String($0.0.dropFirst().dropLast()), $0.1) })
    }

    /// The name at a place of the path.
    subscript(_ place: String) -> String { names[place] ?? "" }

    /// The members of the body, which may be no others than these; no body is an empty object.
    func fields(_ keys: String...) throws(FileProblem) -> JSONFields {
        let fields = try JSONFields(reading: request.body.isEmpty ? Array("{}".utf8) : request.body)
        try fields.allow(keys)
        return fields
    }

    /// Refuses members of the query that nobody asked for, and those that are there twice.
    func checkQuery(_ keys: String...) throws(ControlRefusal) {
        for (place, member) in request.query.enumerated() {
            guard keys.contains(member.name) else {
                throw ControlRefusal(.badRequest, "the query has a member that is not known here")
            }
            if request.query[..<place].contains(where: { $0.name == member.name }) {
                throw ControlRefusal(.badRequest, "\(member.name) is in the query twice")
            }
        }
    }

    /// A whole number of the query.
    func number(_ key: String, in range: ClosedRange<Int>, else usual: Int) throws(ControlRefusal) -> Int {
        guard let text = request.query.first(where: { $0.name == key })?.value else { return usual }
        guard let number = Int(text), range.contains(number) else {
            throw ControlRefusal(
                .badRequest, "\(key) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A part of a list: how many are left out, and how many follow at most.
    func page() throws(ControlRefusal) -> (offset: Int, limit: Int) {
        try checkQuery("offset", "limit")
        return (try number("offset", in: 0...Int(Int32.max), else: 0), try number("limit", in: 1...1000, else: 100))
    }

    /// A flag of the query.
    func flag(_ key: String) throws(ControlRefusal) -> Bool {
        try checkQuery(key)
        switch request.query.first(where: { $0.name == key })?.value {
        case nil, "false": return false
        case "true": return true
        default: throw ControlRefusal(.badRequest, "\(key) must be true or false")
        }
    }
}

extension Sequence {
    /// The part of a list that a page shows.
    func page(_ page: (offset: Int, limit: Int)) -> [Element] { Array(dropFirst(page.offset).prefix(page.limit)) }
}
