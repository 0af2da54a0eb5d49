/// One operation of a service: a method, a path with places for names, and the code that answers.
///
/// ```swift
/// let routes = [WebRoute<Shop>("GET", "/shelves/{shelf}") { shop, call in try shop.show(call["shelf"]) }]
/// ```
package struct WebRoute<Service: Sendable>: Sendable {
    package let method: String
    /// The parts of the path; `{node}` stands for any.
    package let pattern: [String]
    package let perform: @Sendable (Service, WebCall) async throws -> WebAnswer

    package init(
        _ method: String, _ path: String,
        _ perform: @escaping @Sendable (Service, WebCall) async throws -> WebAnswer
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
        of request: WebRequest, list: String
    ) throws(WebRefusal) -> (WebRoute<Service>, WebCall) where Element == WebRoute<Service> {
        let alike = filter { $0.fits(request.path) }
        guard !alike.isEmpty else { throw WebRefusal(.notFound, "there is no such path; \(list) lists all") }
        guard let route = alike.first(where: { $0.method == request.method }) else {
            let methods = alike.map(\.method).joined(separator: ", ")
            throw WebRefusal(.notAllowed, "the path takes \(methods)")
        }
        return (route, WebCall(request, route.pattern))
    }

    /// Every operation, as `GET /nodes/{node}`.
    package func operations<Service>() -> [String] where Element == WebRoute<Service> {
        map { "\($0.method) /" + $0.pattern.joined(separator: "/") }
    }

    /// The methods of a path: none where there is no such path.
    package func methods<Service>(at path: [String]) -> [String] where Element == WebRoute<Service> {
        filter { $0.fits(path) }.map(\.method)
    }
}
