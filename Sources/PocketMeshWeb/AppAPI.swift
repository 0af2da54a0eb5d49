import FoundationEssentials
package import MeshHTTP
package import PocketMeshUI

/// The app's state and its view models in words of HTTP: what pages show is read, and what their buttons do is posted.
///
/// ```swift
/// let api = AppAPI(state: appState, version: "1.2")
/// let pages = PageService(PageFile.app, index: "app/app.html")
/// let service = MountedServices([.init("", pages), .init("api", api)])
/// ```
///
/// It decides nothing: answers are the presentation values of `PocketMeshUI`, and commands are operations of its view
/// models. It knows neither a server of HTTP nor where it is mounted. Each conversation has a view model of its own, of
/// which the eight used last are kept.
@MainActor
package final class AppAPI: WebService {
    /// View models of one kind that are kept.
    static let modelLimit = 8

    let state: AppState
    let chatList = ChatListViewModel()
    let channels = ChannelsViewModel()
    let contacts = ContactsViewModel()
    let map = MapViewModel()
    let settings = SettingsViewModel()
    let onboarding = OnboardingViewModel()
    let picker = DevicePickerViewModel()
    var chats: RecentModels<ChatViewModel>
    var rooms: RecentModels<RoomConversationViewModel>
    var nodes: RecentModels<RepeaterStatusViewModel>
    var paths: RecentModels<PathManagementViewModel>
    /// The source of pictures for the pages' map; `nil` for none.
    let tiles: String?

    /// - Parameters:
    ///   - state: created and initialised by the caller.
    ///   - version: what "about" shows.
    ///   - tiles: the address of pictures for the pages' map, such as `https://tiles.example.org/{z}/{x}/{y}.png`.
    package init(state: AppState, version: String, tiles: String? = nil) {
        self.state = state
        self.tiles = tiles
        settings.version = version
        chats = RecentModels(state, limit: Self.modelLimit) { $0.close() }
        rooms = RecentModels(state, limit: Self.modelLimit) { $0.close() }
        nodes = RecentModels(state, limit: Self.modelLimit) { $0.close() }
        paths = RecentModels(state, limit: Self.modelLimit) { _ in }
        let models: [any ViewModel] = [chatList, channels, contacts, map, settings, onboarding, picker]
        for model in models { model.configure(appState: state) }
    }

    /// The operations of the API: `GET /chats` and so on.
    package nonisolated static var operations: [String] {
        routes.operations()
    }

    nonisolated static let routes: [WebRoute<AppAPI>] =
        [stateRoutes, deviceRoutes, chatRoutes, channelRoutes, contactRoutes, nodeRoutes, settingsRoutes].flatMap { $0 }

    package nonisolated func methods(at path: [String]) -> [String] { Self.routes.methods(at: path) }

    /// Texts are no secret: also a page without a token has to say why it shows nothing.
    package nonisolated func isOpen(_ path: [String]) -> Bool { path == ["texts"] }

    package nonisolated func answer(_ request: WebRequest) async -> WebAnswer {
        do {
            var request = request
            let language = try Self.language(of: &request)
            let (route, call) = try Self.routes.route(of: request, list: "the article about the app in a browser")
            return try await Texts.$language.withValue(language) { try await route.perform(self, call) }
        } catch {
            return WebAnswer(WebRefusal(error))
        }
    }

    /// The language of an answer: that of the query's `lang`, else the best one of the field `Accept-Language`.
    private nonisolated static func language(of request: inout WebRequest) throws(WebRefusal) -> TextLanguage? {
        guard let place = request.query.firstIndex(where: { $0.name == "lang" }) else {
            return TextLanguage(acceptedBy: request.languages)
        }
        guard let language = TextLanguage(tag: request.query.remove(at: place).value) else {
            let tags = TextLanguage.all.map(\.tag).joined(separator: ", ")
            throw WebRefusal(.badRequest, "lang must be a language of the app: \(tags)")
        }
        return language
    }

    // MARK: Answers

    /// Answers with the values for a page and the last error, which is reported once.
    func told(_ model: some ViewModel, _ record: some Encodable) throws -> WebAnswer {
        defer { model.clearError() }
        return try WebAnswer(Told(record: record, error: model.error))
    }

    /// Answers that the operation succeeded.
    func done() throws -> WebAnswer { try WebAnswer([String: String]()) }

    // MARK: Names in paths

    func id(_ call: WebCall, _ place: String = "id") throws(WebRefusal) -> UUID {
        guard let id = UUID(uuidString: call[place]) else {
            throw WebRefusal(.notFound, "\(place) of the path is no identifier")
        }
        return id
    }
}

/// A record with what went wrong beside it, in one object.
private struct Told<Record: Encodable>: Encodable {
    let record: Record
    let error: ErrorPresentation?

    private enum Key: CodingKey { case error }

    func encode(to encoder: any Encoder) throws {
        try record.encode(to: encoder)
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encodeIfPresent(error, forKey: .error)
    }
}

/// View models of one kind by what they show; the one that was used longest ago makes room.
@MainActor
struct RecentModels<Model: ViewModel> {
    private let state: AppState
    private let limit: Int
    private let close: @MainActor (Model) -> Void
    private var models: [(id: UUID, model: Model)] = []

    init(_ state: AppState, limit: Int, close: @escaping @MainActor (Model) -> Void) {
        self.state = state
        self.limit = limit
        self.close = close
    }

    /// Returns the view model, and whether it is new: a new one shows nothing yet.
    mutating func model(_ id: UUID) -> (model: Model, isNew: Bool) {
        if let index = models.firstIndex(where: { $0.id == id }) {
            let found = models.remove(at: index)
            models.append(found)
            return (found.model, false)
        }
        if models.count >= limit { close(models.removeFirst().model) }
        let model = Model()
        model.configure(appState: state)
        models.append((id, model))
        return (model, true)
    }

    /// The view model of what a page shows, without making one.
    func shown(_ id: UUID) -> Model? { models.first { $0.id == id }?.model }

    /// Ends one, if it is there.
    mutating func remove(_ id: UUID) {
        guard let index = models.firstIndex(where: { $0.id == id }) else { return }
        close(models.remove(at: index).model)
    }
}
