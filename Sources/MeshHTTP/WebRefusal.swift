import MeshFiles

/// A refusal of a request, with a code for programs and a sentence for people.
package struct WebRefusal: Error, Hashable, Sendable {
    /// The kinds of refusals, as `openapi.json` names them; each has a status of HTTP.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        case badRequest = "bad-request"
        case unauthorized, forbidden
        case notFound = "not-found"
        case notAllowed = "not-allowed"
        case conflict
        case tooLarge = "too-large"
        case busy, ended

        package var status: Int {
            switch self {
            case .badRequest: 400
            case .unauthorized: 401
            case .forbidden: 403
            case .notFound: 404
            case .notAllowed: 405
            case .conflict: 409
            case .tooLarge: 413
            case .busy, .ended: 503
            }
        }
    }

    package var code: Code
    /// One sentence for people.
    package var message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension WebRefusal {
    /// An error of a service: its own refusal, a mistake in the body, or else a conflict.
    package init(_ error: any Error) {
        switch error {
        case let error as WebRefusal: self = error
        case let error as FileProblem: self.init(.badRequest, error.inOneLine)
        default: self.init(.conflict, "\(error)")
        }
    }
}

extension FileProblem {
    /// The field and what is wrong with it; a request has one line.
    fileprivate var inOneLine: String { field.isEmpty ? reason : "\(field): \(reason)" }
}
