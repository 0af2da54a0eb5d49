/// Services behind the beginnings of paths: `/app/…` is answered by one, `/control/…` by another.
///
/// A service sees a path without its beginning, so it can be mounted anywhere, also several times.
package struct MountedServices: WebService {
    /// One of them. The empty beginning matches all paths that no other one matches.
    package struct Mount: Sendable {
        package var prefix: [String]
        package var service: any WebService

        package init(_ prefix: String, _ service: any WebService) {
            self.prefix = prefix.split(separator: "/").map(String.init)
            self.service = service
        }
    }

    /// The longest beginning first.
    private let mounts: [Mount]

    package init(_ mounts: [Mount]) {
        self.mounts = mounts.sorted { $0.prefix.count > $1.prefix.count }
    }

    package func answer(_ request: WebRequest) async -> WebAnswer {
        guard let mount = mount(of: request.path) else {
            return WebAnswer(WebRefusal(.notFound, "there is no such path"))
        }
        var inner = request
        inner.path.removeFirst(mount.prefix.count)
        return await mount.service.answer(inner)
    }

    package func methods(at path: [String]) -> [String] {
        mount(of: path).map { $0.service.methods(at: Array(path.dropFirst($0.prefix.count))) } ?? []
    }

    package func isOpen(_ path: [String]) -> Bool {
        mount(of: path).map { $0.service.isOpen(Array(path.dropFirst($0.prefix.count))) } ?? false
    }

    private func mount(of path: [String]) -> Mount? { mounts.first { path.starts(with: $0.prefix) } }
}
