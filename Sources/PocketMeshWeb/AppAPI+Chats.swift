import FoundationEssentials
import MeshFiles
import MeshHTTP
import PocketMeshUI

// Chats: the list, and conversations with contacts and on channels.
extension AppAPI {
    nonisolated static let chatRoutes: [WebRoute<AppAPI>] = [
        WebRoute("GET", "/chats") { api, _ in
            await api.chatList.load()
            return try await api.tellChats()
        },
        WebRoute("POST", "/chats/favorites-first") { api, call in
            await api.chatList.setFavoritesFirst(try call.fields("isOn").bool("isOn") ?? true)
            return try await api.tellChats()
        },
        WebRoute("POST", "/search") { api, call in
            await api.chatList.search(try call.fields("text").needString("text"))
            return try await api.tellMatches()
        },
        WebRoute("POST", "/search/more") { api, call in
            _ = try call.fields()
            await api.chatList.searchMore()
            return try await api.tellMatches()
        },
        WebRoute("POST", "/chats/{id}/open") { api, call in try await api.openChat(call) },
        WebRoute("POST", "/chats/{id}/close") { api, call in try await api.closeChat(call) },
        WebRoute("GET", "/chats/{id}") { api, call in try await api.readChat(call) },
        WebRoute("GET", "/chats/{id}/messages") { api, call in try await api.readOlder(call) },
        WebRoute("GET", "/chats/{id}/messages/{message}") { api, call in try await api.readDetails(call) },
        WebRoute("GET", "/chats/{id}/messages/{message}/image") { api, call in try await api.readImage(call) },
        WebRoute("POST", "/chats/{id}/send") { api, call in
            let text = try call.fields("text").needString("text")
            return try await api.withChat(call) { model in
                model.draft = text
                return await model.send()
            }
        },
        WebRoute("POST", "/chats/{id}/reply") { api, call in
            let message = try AppAPI.message(call, isNeeded: false)
            return try await api.withChat(call) { model in
                if let message { model.reply(to: message) } else { model.cancelReply() }
            }
        },
        WebRoute("POST", "/chats/{id}/retry") { api, call in
            try await api.withMessage(call) { await $0.retry(messageID: $1) }
        },
        WebRoute("POST", "/chats/{id}/try-again") { api, call in
            _ = try call.fields()
            return try await api.withChat(call) { $0.tryAgain() }
        },
        WebRoute("POST", "/chats/{id}/dismiss-retry") { api, call in
            _ = try call.fields()
            return try await api.withChat(call) { $0.dismissRetry() }
        },
        WebRoute("POST", "/chats/{id}/delete-queued") { api, call in
            try await api.withMessage(call) { await $0.deleteQueued(messageID: $1) }
        },
        WebRoute("POST", "/chats/{id}/delete") { api, call in
            try await api.withMessage(call) { await $0.delete(messageID: $1) }
        },
        WebRoute("POST", "/chats/{id}/cancel-image") { api, call in
            try await api.withMessage(call) { await $0.cancelImage(messageID: $1) }
        },
        WebRoute("PUT", "/chats/{id}/image") { api, call in
            let bytes = call.request.body
            guard !bytes.isEmpty else { throw WebRefusal(.badRequest, "the body is to be a picture") }
            return try await api.withChat(call) { await $0.sendImage(Data(bytes)) }
        },
        WebRoute("PUT", "/chats/{id}/image/cost") { api, call in try await api.readCost(call) },
    ]

    // MARK: The list

    private struct ChatsRecord: Encodable {
        let rows: [ConversationRow]
        let unread: Int
        let favoritesFirst: Bool
    }

    private func tellChats() throws -> WebAnswer {
        try told(
            chatList,
            ChatsRecord(rows: chatList.rows, unread: chatList.unreadTotal, favoritesFirst: chatList.favoritesFirst))
    }

    private struct MatchesRecord: Encodable {
        let text: String
        let matches: [MessageMatch]
        let hasMore: Bool
    }

    private func tellMatches() throws -> WebAnswer {
        try told(
            chatList,
            MatchesRecord(text: chatList.searchText, matches: chatList.matches, hasMore: chatList.hasMoreMatches))
    }

    // MARK: A conversation

    private struct ChatHead: Encodable {
        let id: UUID
        let kind: NodeKind
        let name: String
        let avatar: NodeAvatar
        let isFavorite: Bool
    }

    private struct CostRecord: Encodable {
        /// `nil` when the picture cannot be sent; the error says why.
        let cost: PictureCost?
    }

    private struct ChatRecord: Encodable {
        let row: ChatHead
        let subtitle: String
        let messages: [MessageBubble]
        let hasOlder: Bool
        let counter: ByteCounter
        let draft: String
        let replyTarget: MessageQuote?
        let quickReplies: [String]
        let queuedCount: Int
        let incomingPictures: [IncomingPicture]
        let focusedMessageID: UUID?
        let retry: RetryPresentation?
        let canRetry: Bool
        /// True when the request was accepted.
        let isTaken: Bool
    }

    private func tell(_ model: ChatViewModel, limit: Int = ChatViewModel.pageSize, isTaken: Bool) throws
        -> WebAnswer
    {
        guard let conversation = model.conversation else {
            throw WebRefusal(.notFound, "there is no such conversation")
        }
        let avatar = NodeAvatar(conversation)
        // What was named is part of the answer, however old it is.
        let named = model.focusedMessageID.flatMap { id in model.messages.firstIndex { $0.id == id } }
        let count = max(limit, named.map { model.messages.count - $0 } ?? 0)
        let record = ChatRecord(
            row: ChatHead(
                id: conversation.id, kind: avatar.kind, name: conversation.displayName, avatar: avatar,
                isFavorite: conversation.isFavorite),
            subtitle: model.subtitle, messages: model.messages.suffix(count),
            hasOlder: model.hasOlder || model.messages.count > count, counter: model.counter, draft: model.draft,
            replyTarget: model.replyTarget, quickReplies: model.quickReplies, queuedCount: model.queuedCount,
            incomingPictures: model.incomingPictures, focusedMessageID: model.focusedMessageID, retry: model.retry,
            canRetry: model.canTryAgain, isTaken: isTaken)
        return try told(model, record)
    }

    /// The view model of a conversation, opened.
    private func chat(_ call: WebCall, at messageID: UUID? = nil) async throws -> ChatViewModel {
        let id = try id(call)
        let (model, isNew) = chats.model(id)
        guard isNew || messageID != nil || model.conversation == nil else { return model }
        guard let conversation = try await state.conversation(id: id), !conversation.isRoom else {
            chats.remove(id)
            throw WebRefusal(.notFound, "there is no such conversation")
        }
        await model.open(conversation, at: messageID)
        // The page has closed meanwhile: nobody has seen what was kept for it, and nobody looks at the conversation.
        guard chats.shown(id) === model else {
            model.close()
            keepDraft(model.draft, ofChat: id)
            throw WebRefusal(.notFound, "the page of the conversation was closed before it was read")
        }
        return model
    }

    private func openChat(_ call: WebCall) async throws -> WebAnswer {
        let message = try Self.message(call, isNeeded: false)
        // Whoever looks at it from here on has it counted as read, also where it was open before.
        chats.remove(try id(call))
        return try tell(try await chat(call, at: message), isTaken: true)
    }

    private func readChat(_ call: WebCall) async throws -> WebAnswer {
        try call.checkQuery("limit")
        let limit = try call.number("limit", in: 1...500, else: ChatViewModel.pageSize)
        return try await withChat(call, limit: limit) { await $0.reload() }
    }

    private func closeChat(_ call: WebCall) async throws -> WebAnswer {
        let id = try id(call)
        // A page that says nothing was closed before it was answered: what it was to be given stays.
        let draft = try call.fields("draft").string("draft") ?? chats.shown(id)?.draft ?? ""
        if try await state.conversation(id: id)?.isRoom == false { keepDraft(draft, ofChat: id) }
        chats.remove(id)
        return try done()
    }

    private func keepDraft(_ draft: String, ofChat id: UUID) {
        if !draft.isEmpty { state.notificationService.saveDraft(draft, for: id) }
    }

    private func withChat(
        _ call: WebCall, limit: Int = ChatViewModel.pageSize, _ body: @MainActor (ChatViewModel) async -> Void
    ) async throws -> WebAnswer {
        let model = try await chat(call)
        await body(model)
        return try tell(model, limit: limit, isTaken: true)
    }

    private func withChat(
        _ call: WebCall, _ body: @MainActor (ChatViewModel) async -> Bool
    ) async throws -> WebAnswer {
        let model = try await chat(call)
        let isTaken = await body(model)
        return try tell(model, isTaken: isTaken)
    }

    private func withMessage(
        _ call: WebCall, _ body: @MainActor (ChatViewModel, UUID) async -> Void
    ) async throws -> WebAnswer {
        guard let message = try Self.message(call, isNeeded: true) else { return try done() }
        return try await withChat(call) { await body($0, message) }
    }

    private nonisolated static func message(_ call: WebCall, isNeeded: Bool) throws -> UUID? {
        let fields = try call.fields("messageID")
        guard let text = isNeeded ? try fields.needString("messageID") : try fields.string("messageID") else {
            return nil
        }
        guard let id = UUID(uuidString: text) else { throw fields.problem("messageID", "is no identifier") }
        return id
    }

    private struct MessagesRecord: Encodable {
        let messages: [MessageBubble]
        let hasOlder: Bool
    }

    /// The messages before one: those that are there, else the next pages of the store.
    private func readOlder(_ call: WebCall) async throws -> WebAnswer {
        try call.checkQuery("before", "limit")
        guard let before = Int64(call.text("before") ?? "") else {
            throw WebRefusal(.badRequest, "before must be the order of a message")
        }
        let limit = try call.number("limit", in: 1...500, else: ChatViewModel.pageSize)
        let model = try await chat(call)
        func older() -> ArraySlice<MessageBubble> { model.messages.prefix { $0.order < before } }
        while older().count < limit, model.hasOlder, model.error == nil { await model.loadOlder() }
        let found = older().suffix(limit)
        return try told(
            model, MessagesRecord(messages: Array(found), hasOlder: model.hasOlder || older().count > found.count))
    }

    private func readDetails(_ call: WebCall) async throws -> WebAnswer {
        let model = try await chat(call)
        guard let details = await model.details(of: try id(call, "message")) else {
            throw WebRefusal(.notFound, "there is no such message")
        }
        return try WebAnswer(details)
    }

    private func readCost(_ call: WebCall) async throws -> WebAnswer {
        let bytes = call.request.body
        guard !bytes.isEmpty else { throw WebRefusal(.badRequest, "the body is to be a picture") }
        let model = try await chat(call)
        return try told(model, CostRecord(cost: await model.cost(ofImage: Data(bytes))))
    }

    private func readImage(_ call: WebCall) async throws -> WebAnswer {
        let model = try await chat(call)
        guard let blob = await model.image(of: try id(call, "message")) else {
            throw WebRefusal(.notFound, "the message has no picture")
        }
        // Whatever it says of itself, a browser gets it as a picture or not at all.
        return WebAnswer(type: "image/jpeg", body: .whole(Array(blob.data)))
    }
}
