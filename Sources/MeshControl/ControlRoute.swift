package import MeshFiles
package import MeshWorlds

/// One thing that a service does: a method, a path with places for names, and what is done.
///
/// ```swift
/// let routes = [ControlRoute<Shop>("GET", "/shelves/{shelf}") { shop, call in try shop.show(call["shelf"]) }]
/// ```
package struct ControlRoute<Service: Sendable>: Sendable {
    package let method: String
    /// The parts of the path; `{node}` stands for any.
    package let pattern: [String]
    package let perform: @Sendable (Service, ControlCall) async throws -> ControlAnswer

    package init(
        _ method: String, _ path: String,
        _ perform: @escaping @Sendable (Service, ControlCall) async throws -> ControlAnswer
    ) {
        self.method = method
        pattern = path.split(separator: "/").map(String.init)
        self.perform = perform
    }

    fileprivate func fits(_ path: [String]) -> Bool {
        pattern.count == path.count && zip(pattern, path).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }
}

extension Array {
    /// The route of a request; refuses what there is not.
    ///
    /// - Parameter list: where a user finds what there is.
    package func route<Service>(
        of request: ControlRequest, list: String
    ) throws(ControlRefusal) -> (ControlRoute<Service>, ControlCall) where Element == ControlRoute<Service> {
        let alike = filter { $0.fits(request.path) }
        guard !alike.isEmpty else { throw ControlRefusal(.notFound, "there is no such path; \(list) lists all") }
        guard let route = alike.first(where: { $0.method == request.method }) else {
            let methods = alike.map(\.method).joined(separator: ", ")
            throw ControlRefusal(.notAllowed, "the path takes \(methods)")
        }
        return (route, ControlCall(request, route.pattern))
    }

    /// The methods of a path; none where there is no such path.
    package func methods<Service>(at path: [String]) -> [String] where Element == ControlRoute<Service> {
        filter { $0.fits(path) }.map(\.method)
    }
}

/// A request with the names from its path.
package struct ControlCall: Sendable {
    package let request: ControlRequest
    private let names: [String: String]

    init(_ request: ControlRequest, _ pattern: [String]) {
        self.request = request
        let pairs = zip(pattern, request.path).filter { $0.0.hasPrefix("{") }
        names = Dictionary(uniqueKeysWithValues: pairs.map { (String($0.0.dropFirst().dropLast()), $0.1) })
    }

    /// The name at a place of the path.
    package subscript(_ place: String) -> String { names[place] ?? "" }

    /// The members of the body, which may be no others than these; no body is an empty object.
    package func fields(_ keys: String...) throws(FileProblem) -> JSONFields {
        let fields = try JSONFields(reading: request.body.isEmpty ? Array("{}".utf8) : request.body)
        try fields.allow(keys)
        return fields
    }

    /// Refuses unknown members of the query, and repeated ones.
    package func checkQuery(_ keys: String...) throws(ControlRefusal) {
        for (place, member) in request.query.enumerated() {
            guard keys.contains(member.name) else {
                throw ControlRefusal(.badRequest, "the query has a member that is not known here")
            }
            if request.query[..<place].contains(where: { $0.name == member.name }) {
                throw ControlRefusal(.badRequest, "\(member.name) is in the query twice")
            }
        }
    }

    /// A text of the query.
    package func text(_ key: String) -> String? { request.query.first { $0.name == key }?.value }

    /// A whole number of the query.
    package func number(_ key: String, in range: ClosedRange<Int>, else usual: Int) throws(ControlRefusal) -> Int {
        guard let text = text(key) else { return usual }
        guard let number = Int(text), range.contains(number) else {
            throw ControlRefusal(
                .badRequest, "\(key) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// The part of a list that is asked for: the number left out, and the most that follow.
    func page() throws(ControlRefusal) -> (offset: Int, limit: Int) {
        try checkQuery("offset", "limit")
        return (try number("offset", in: 0...Int(Int32.max), else: 0), try number("limit", in: 1...1000, else: 100))
    }

    /// A flag of the query.
    func flag(_ key: String) throws(ControlRefusal) -> Bool {
        try checkQuery(key)
        switch text(key) {
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
