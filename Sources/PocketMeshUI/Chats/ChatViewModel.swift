public import FoundationEssentials
public import Observation
public import PocketMeshServices

/// A conversation with a contact or on a channel: its messages page by page, the draft, and sending.
@MainActor @Observable
public final class ChatViewModel: ViewModel {
    /// Messages of a page.
    public static let pageSize = 50

    /// The conversation in view.
    public private(set) var conversation: Conversation?
    /// The messages that were loaded, oldest first.
    public private(set) var messages: [MessageBubble] = []
    /// True when the store has older ones.
    public private(set) var hasOlder = false
    /// True while a page is being read.
    public private(set) var isLoading = false
    /// True while a message is being written to the radio.
    public private(set) var isSending = false
    /// The typed text; kept when sending fails.
    public var draft = ""
    /// The message that is answered.
    public private(set) var replyTarget: MessageQuote?
    /// Messages that wait for the radio, in all conversations.
    public private(set) var queuedCount = 0
    /// The message to scroll to, which a notification or a search has named.
    public private(set) var focusedMessageID: UUID?
    /// The pictures of the contact that are still coming.
    public private(set) var incomingPictures: [IncomingPicture] = []
    /// Answers to choose from.
    public private(set) var quickReplies: [String] = QuickReplies.standard
    /// The last failure, where another try is offered.
    public private(set) var retry: RetryPresentation?
    /// The last error, for the page; `nil` when there is none.
    public var error: ErrorPresentation?

    @ObservationIgnored var appState: AppState?
    /// The action that failed last, for another try.
    @ObservationIgnored private var unfinished: (@MainActor () async throws -> Void)?
    /// The rows of `messages`, oldest first.
    @ObservationIgnored private var rows: [MessageDTO] = []
    @ObservationIgnored private var quoted: [UUID: MessageDTO] = [:]
    @ObservationIgnored private var pictures: [UUID: ImageTransferProgress] = [:]
    @ObservationIgnored private var observation: MessageEventBroadcaster.Subscription?
    @ObservationIgnored private let reloader = Reloader()
    /// The bubbles that were made, each with its source.
    @ObservationIgnored private var shown: [UUID: Shown] = [:]
    @ObservationIgnored private var shownName: String?
    /// The language of the bubbles that were made.
    @ObservationIgnored private var shownLanguage: String?

    private struct Shown {
        let row: MessageDTO
        let previous: Date?
        let progress: ImageTransferProgress?
        let bubble: MessageBubble
    }

    public init() {}

    /// The used part of the message's room.
    public var counter: ByteCounter {
        ByteCounter(draft, limit: conversation.flatMap { appState?.textLimit(of: $0) } ?? 160)
    }
    /// True when the typed text can be sent or queued.
    public var canSend: Bool { counter.canSend && conversation != nil }
    /// The line above the conversation: the way to the contact, or how a channel is read.
    public var subtitle: String {
        switch conversation {
        case .direct(let contact): Measures.route(to: contact)
        case .channel: Texts.string(.channelSubtitle)
        case .room, nil: ""
        }
    }

    public func configure(appState: AppState) {
        self.appState = appState
        observation?.cancel()
        observation = appState.messageEventBroadcaster.observe { [weak self] in self?.take($0.event) }
    }

    // MARK: Opening and reading

    /// Shows a conversation: its newest page, and that of `messageID` where one is named; it counts as read.
    public func open(_ conversation: Conversation, at messageID: UUID? = nil) async {
        guard let appState, conversation.thread != nil else { return }
        close()
        self.conversation = conversation
        focusedMessageID = messageID
        await read {
            let text = try await appState.store.setting(forKey: AppState.SettingKey.quickReplies)
            quickReplies = QuickReplies.read(text)
        }
        if let draft = appState.notificationService.consumeDraft(for: conversation.id) { self.draft = draft }
        setActive(true)
        await reload()
        while let messageID, hasOlder, error == nil, !rows.contains(where: { $0.id == messageID }) { await loadOlder() }
        if let thread = conversation.thread { await appState.markRead(thread) }
    }

    /// Leaves the conversation; the typed text stays with the page that asks for it.
    public func close() {
        setActive(false)
        (conversation, focusedMessageID, replyTarget, retry, unfinished) = (nil, nil, nil, nil, nil)
        (messages, rows, quoted, pictures, shown, hasOlder) = ([], [], [:], [:], [:], false)
        incomingPictures = []
    }

    private func setActive(_ isActive: Bool) {
        guard let service = appState?.notificationService, let conversation else { return }
        switch conversation {
        case .direct(let contact):
            service.activeContactID = isActive ? contact.id : nil
        case .channel(let channel):
            service.activeChannelIndex = isActive ? channel.index : nil
            service.activeChannelDeviceID = isActive ? channel.deviceID : nil
        case .room: break
        }
    }

    /// Reads again the messages in view, and those since; a page at least.
    public func reload() async {
        guard let appState, let conversation, let thread = conversation.thread else { return }
        await read {
            let deviceID = try appState.requiredDeviceID()
            var page: (rows: [MessageDTO], hasOlder: Bool)
            var anchor: Int64?
            repeat {
                anchor = rows.first?.receivedOrder
                page = try await rowsInView(of: thread, deviceID, from: anchor)
                // A page that was put on top meanwhile must not go again.
            } while anchor != rows.first?.receivedOrder && self.conversation?.id == conversation.id
            guard self.conversation?.id == conversation.id else { return }
            (rows, hasOlder) = page
            queuedCount = try await appState.store.countPendingMessages(deviceID: deviceID)
            if let fresh = try await appState.conversation(id: conversation.id) { self.conversation = fresh }
            incomingPictures = await picturesUnderWay(from: conversation.id)
            try await present()
        }
    }

    private func picturesUnderWay(from contactID: UUID) async -> [IncomingPicture] {
        guard let images = appState?.services?.imageService else { return [] }
        return await images.incomingTransfers.filter { $0.contactID == contactID }.map { IncomingPicture($0) }
    }

    /// Returns the rows from the oldest in view on, and whether there are older ones.
    ///
    /// Without a row in view it is the newest page.
    private func rowsInView(
        of thread: MessageThread, _ deviceID: UUID, from oldest: Int64?
    ) async throws -> (rows: [MessageDTO], hasOlder: Bool) {
        guard let store = appState?.store else { return ([], false) }
        var page = try await store.fetchMessages(
            deviceID: deviceID, thread: thread, limit: max(Self.pageSize, rows.count) + 1)
        guard let oldest else { return (page.suffix(Self.pageSize), page.count > Self.pageSize) }
        // Newer messages push nothing out of view.
        while let first = page.first, first.receivedOrder >= oldest {
            let more = try await store.fetchMessages(
                deviceID: deviceID, thread: thread, limit: Self.pageSize, before: first.receivedOrder)
            if more.isEmpty { break }
            page = more + page
        }
        return (page.filter { $0.receivedOrder >= oldest }, page.first.map { $0.receivedOrder < oldest } ?? false)
    }

    /// Brings the page before the oldest message in view.
    public func loadOlder() async {
        guard let appState, let thread = conversation?.thread, hasOlder, !isLoading else { return }
        isLoading = true
        defer { isLoading = false }
        await read {
            let anchor = rows.first?.receivedOrder
            let page = try await appState.store.fetchMessages(
                deviceID: try appState.requiredDeviceID(), thread: thread, limit: Self.pageSize + 1, before: anchor)
            guard rows.first?.receivedOrder == anchor else { return }
            hasOlder = page.count > Self.pageSize
            try await present(older: page.suffix(Self.pageSize))
        }
    }

    /// Makes bubbles of the rows; bubbles of rows in an unchanged place are reused.
    private func present() async throws {
        guard let conversation else { return }
        try await readQuoted(rows)
        let language = Texts.string(.language)
        if (conversation.displayName, language) != (shownName, shownLanguage) { shown = [:] }
        (shownName, shownLanguage) = (conversation.displayName, language)
        var (previous, next, bubbles) = (Date?.none, [UUID: Shown](minimumCapacity: rows.count), [MessageBubble]())
        bubbles.reserveCapacity(rows.count)
        for row in rows {
            let entry = bubble(of: row, below: previous, in: conversation)
            next[row.id] = entry
            bubbles.append(entry.bubble)
            previous = row.shownDate
        }
        (shown, messages) = (next, bubbles)
    }

    /// Puts an older page above the present rows.
    ///
    /// Of those only the first bubble changes, which has another one above it.
    private func present(older page: [MessageDTO]) async throws {
        guard let conversation else { return }
        try await readQuoted(page)
        var previous: Date?
        let above = page.map { row in
            let entry = bubble(of: row, below: previous, in: conversation)
            shown[row.id] = entry
            previous = row.shownDate
            return entry.bubble
        }
        if let first = rows.first, !messages.isEmpty {
            let entry = bubble(of: first, below: previous, in: conversation)
            shown[first.id] = entry
            messages[0] = entry.bubble
        }
        rows.insert(contentsOf: page, at: 0)
        messages.insert(contentsOf: above, at: 0)
    }

    private func bubble(of row: MessageDTO, below previous: Date?, in conversation: Conversation) -> Shown {
        let progress = pictures[row.id]
        if let known = shown[row.id], known.row == row, known.previous == previous, known.progress == progress {
            return known
        }
        let bubble = MessageBubble(
            row, in: conversation, after: previous, quoted: row.replyToID.flatMap { quoted[$0] }, progress: progress,
            style: appState?.style ?? PresentationStyle())
        return Shown(row: row, previous: previous, progress: progress, bubble: bubble)
    }

    /// Looks up the messages that rows answer, as far as they are stored.
    private func readQuoted(_ rows: [MessageDTO]) async throws {
        for id in rows.compactMap(\.replyToID) where quoted[id] == nil {
            if let row = self.rows.first(where: { $0.id == id }) {
                quoted[id] = row
            } else {
                quoted[id] = try await appState?.store.fetchMessage(id: id)
            }
        }
    }

    private func take(_ event: MessageEvent) {
        guard let conversation else { return }
        switch event {
        case .directMessageReceived(_, let contact):
            if contact.id == conversation.id { refresh() }
        case .channelMessageReceived(let message, _):
            if message.channelID == conversation.id { refresh() }
        case .messageStatusUpdated, .messageFailed, .messageRetrying, .messageChanged, .conversationsChanged,
            .connectionChanged:
            refresh()
        case .routingChanged(let contactID, _):
            if contactID == conversation.id { refresh() }
        case .imageProgressed(let id, let done, let total, _):
            pictures[id] = done < total ? ImageTransferProgress(done: done, total: total) : nil
            refresh()
        default: break
        }
    }

    private func refresh() {
        reloader.ask { [weak self] in
            guard let self else { return }
            await reload()
            // Read as soon as it is seen; without an open conversation nobody sees it.
            guard let appState, let conversation, conversation.unreadCount > 0, let thread = conversation.thread else {
                return
            }
            await appState.markRead(thread)
        }
    }

    // MARK: Answering

    /// Answers a message of the conversation.
    public func reply(to messageID: UUID) {
        guard let conversation, let row = row(messageID) else { return }
        replyTarget = MessageQuote(
            messageID: row.id, sender: MessageBubble.sender(of: row, in: conversation),
            text: String(row.text.prefix(80)))
    }

    /// Answers nothing any more.
    public func cancelReply() { replyTarget = nil }

    /// The details of a message in view, with its way.
    public func details(of messageID: UUID) async -> MessageDetails? {
        guard let appState, let conversation, let row = row(messageID) else { return nil }
        var details = MessageDetails(
            row, sender: MessageBubble.sender(of: row, in: conversation), style: appState.style)
        await read { details.way = try await way(of: row, in: conversation, appState) }
        return details
    }

    private func way(
        of row: MessageDTO, in conversation: Conversation, _ appState: AppState
    ) async throws -> MessageWay? {
        let store = appState.store
        let way = try await MessageWaySource(
            message: row, conversation: conversation,
            attempts: store.fetchMessageAttempts(messageID: row.id),
            heard: store.fetchHeardPackets(deviceID: row.deviceID),
            contacts: store.fetchContacts(deviceID: row.deviceID),
            own: store.fetchDevice(id: row.deviceID), style: appState.style
        ).way()
        return way.attempts.isEmpty && way.copies.isEmpty ? nil : way
    }

    func row(_ id: UUID) -> MessageDTO? { rows.first { $0.id == id } }

    // MARK: Sending

    /// Sends the typed text: at once with a radio, else it waits in the queue.
    ///
    /// Returns whether it was accepted; else the text stays.
    @discardableResult
    public func send() async -> Bool {
        guard canSend, !isSending else { return false }
        let (text, target) = (draft, replyTarget)
        (draft, replyTarget) = ("", nil)
        isSending = true
        defer { isSending = false }
        let isTaken = await attempt { try await enqueue(text, replyTo: target?.messageID) }
        if !isTaken { (draft, replyTarget) = (text, target) }
        await reload()
        return isTaken
    }

    /// Sends a text that was not typed: one of the quick replies.
    @discardableResult
    public func send(text: String) async -> Bool {
        let kept = draft
        draft = text
        let isTaken = await send()
        draft = kept
        return isTaken
    }

    private func enqueue(_ text: String, replyTo: UUID?) async throws {
        guard let appState, let conversation else { return }
        let deviceID = try appState.requiredDeviceID()
        let outbox = MessageOutbox(
            store: appState.store, profile: appState.profile, dependencies: appState.dependencies)
        switch conversation {
        case .direct(let contact):
            _ = try await outbox.enqueueDirectMessage(text: text, to: contact, replyToID: replyTo)
        case .channel(let channel):
            _ = try await outbox.enqueueChannelMessage(
                text: text, channelIndex: channel.index, deviceID: deviceID, replyToID: replyTo)
        case .room: return
        }
        appState.messageEventBroadcaster.broadcast(.conversationsChanged)
        drain(appState, deviceID)
    }

    /// Sends the waiting messages to the radio; their rows show the outcome.
    private func drain(_ appState: AppState, _ deviceID: UUID) {
        guard let services = appState.services, appState.connectionState.canSend else { return }
        follow { _ = try await services.messageService.drainQueue(deviceID: deviceID) }
    }

    /// Goes on beside the page; errors are shown, and the rows are read again.
    ///
    /// A picture resumes by itself: another try would send it twice, and is not offered.
    func follow(isRepeatable: Bool = true, _ body: @escaping @MainActor () async throws -> Void) {
        let id = conversation?.id
        Task(name: "sending of a page") { [weak self] in
            do {
                try await body()
                if id == self?.conversation?.id { self?.dismissRetry() }
            } catch {
                if id == self?.conversation?.id { self?.failed(error, in: isRepeatable ? body : nil) }
            }
            await self?.reload()
        }
    }

    private func failed(_ error: any Error, in body: (@MainActor () async throws -> Void)?) {
        guard !(error is CancellationError) else { return }
        let shown = ErrorPresentation(error)
        self.error = shown
        unfinished = body
        if retry == nil { retry = RetryPresentation(shown) } else { retry?.failedAgain(shown) }
    }

    /// True when another try of the last failed action is offered.
    public var canTryAgain: Bool { unfinished != nil && retry?.canRetry == true }

    /// Repeats the last failed action, as long as another try is offered.
    public func tryAgain() {
        guard canTryAgain, let unfinished else { return }
        follow(unfinished)
    }

    /// Withdraws the offer of another try: it succeeded, or the user has read about the failure.
    public func dismissRetry() { (retry, unfinished) = (nil, nil) }

    /// Sends a message again that was given up.
    public func retry(messageID: UUID) async {
        guard let appState, let row = row(messageID), row.hasFailed else { return }
        await attempt {
            let services = try appState.requiredServices(.messages)
            switch conversation {
            case .direct(let contact):
                follow(isRepeatable: row.kind != .image) {
                    if row.kind == .image {
                        _ = try await services.imageService.resendImage(messageID: messageID)
                    } else {
                        _ = try await services.messageService.retryDirectMessage(messageID: messageID, to: contact)
                    }
                }
            case .channel: follow { try await services.messageService.resendChannelMessage(messageID: messageID) }
            case .room, nil: break
            }
        }
    }

    /// Deletes a message that waits in the queue.
    public func deleteQueued(messageID: UUID) async {
        guard let appState else { return }
        await attempt {
            let outbox = MessageOutbox(
                store: appState.store, profile: appState.profile, dependencies: appState.dependencies)
            try await outbox.deleteQueued(messageID: messageID)
            appState.messageEventBroadcaster.broadcast(.conversationsChanged)
        }
        await reload()
    }

    /// Deletes a message here; others keep it.
    public func delete(messageID: UUID) async {
        guard let appState else { return }
        await attempt {
            try await appState.store.deleteMessage(id: messageID)
            appState.messageEventBroadcaster.broadcast(.conversationsChanged)
        }
        await reload()
    }

    /// Messages of this conversation with a text in them, oldest first.
    public func search(_ text: String, before anchor: Int64? = nil) async -> [MessageBubble] {
        guard let appState, let conversation, let thread = conversation.thread, !text.isEmpty else { return [] }
        var found: [MessageDTO] = []
        await attempt {
            found = try await appState.store.searchMessages(
                deviceID: try appState.requiredDeviceID(), for: text, in: thread, limit: Self.pageSize, before: anchor)
        }
        return found.map {
            MessageBubble($0, in: conversation, after: nil, quoted: nil, progress: nil, style: appState.style)
        }
    }

    // MARK: Pictures

    /// Makes a picture small enough and sends it to the contact; channels carry none.
    public func sendImage(_ data: Data) async {
        await attempt {
            let (images, contact) = try pictureService()
            let jpeg = try images.prepare(imageData: data)
            follow(isRepeatable: false) { _ = try await images.sendImage(jpeg, to: contact) }
        }
    }

    /// The cost of sending a picture to the contact; `nil` after an error, which is shown.
    public func cost(ofImage data: Data) async -> PictureCost? {
        var cost: PictureCost?
        await attempt {
            let (images, contact) = try pictureService()
            let jpeg = try images.prepare(imageData: data)
            cost = PictureCost(try await images.plan(of: jpeg, to: contact), bytes: jpeg.count)
        }
        return cost
    }

    private func pictureService() throws -> (images: ImageService, contact: ContactDTO) {
        guard let appState, case .direct(let contact) = conversation else {
            throw StackError(.pictures, .invalidRecipient)
        }
        return (try appState.requiredServices(.pictures).imageService, contact)
    }

    /// Ends the sending of a picture.
    public func cancelImage(messageID: UUID) async {
        guard let appState else { return }
        await attempt { try await appState.requiredServices(.pictures).imageService.cancel(transferID: messageID) }
        await reload()
    }

    /// A picture's file and its type; `nil` where the message has none.
    public func image(of messageID: UUID) async -> BlobDTO? {
        guard let appState else { return nil }
        return try? await appState.store.fetchBlob(messageID: messageID)
    }
}
