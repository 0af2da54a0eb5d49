package import MeshFiles

/// A request with the names from its path.
package struct WebCall: Sendable {
    package let request: WebRequest
    private let names: [String: String]

    init(_ request: WebRequest, _ pattern: [String]) {
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
    package func checkQuery(_ keys: String...) throws(WebRefusal) {
        for (place, member) in request.query.enumerated() {
            guard keys.contains(member.name) else {
                throw WebRefusal(.badRequest, "the query has a member that is not known here")
            }
            if request.query[..<place].contains(where: { $0.name == member.name }) {
                throw WebRefusal(.badRequest, "\(member.name) is in the query twice")
            }
        }
    }

    /// A text of the query.
    package func text(_ key: String) -> String? { request.query.first { $0.name == key }?.value }

    /// A whole number of the query.
    package func number(_ key: String, in range: ClosedRange<Int>, else usual: Int) throws(WebRefusal) -> Int {
        guard let text = text(key) else { return usual }
        guard let number = Int(text), range.contains(number) else {
            throw WebRefusal(
                .badRequest, "\(key) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A part of a list: how many are left out, and how many follow at most.
    package func page() throws(WebRefusal) -> (offset: Int, limit: Int) {
        try checkQuery("offset", "limit")
        return (try number("offset", in: 0...Int(Int32.max), else: 0), try number("limit", in: 1...1000, else: 100))
    }

    /// A flag of the query.
    package func flag(_ key: String) throws(WebRefusal) -> Bool {
        try checkQuery(key)
        switch text(key) {
        case nil, "false": return false
        case "true": return true
        default: throw WebRefusal(.badRequest, "\(key) must be true or false")
        }
    }
}

extension Sequence {
    /// The part of a list that a page shows.
    package func page(_ page: (offset: Int, limit: Int)) -> [Element] {
        Array(dropFirst(page.offset).prefix(page.limit))
    }
}
