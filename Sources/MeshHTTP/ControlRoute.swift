/// One operation of a service: a method, a path with places for names, and the code that answers.
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
    /// The route of a request; throws a refusal where there is none.
    ///
    /// - Parameter list: the place where a user finds all paths.
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

    /// Every operation, as `GET /nodes/{node}`.
    package func operations<Service>() -> [String] where Element == ControlRoute<Service> {
        map { "\($0.method) /" + $0.pattern.joined(separator: "/") }
    }

    /// The methods of a path: none where there is no such path.
    package func methods<Service>(at path: [String]) -> [String] where Element == ControlRoute<Service> {
        filter { $0.fits(path) }.map(\.method)
    }
}
