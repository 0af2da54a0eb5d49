public import FoundationEssentials
import Logging
import MeshCompanion
import MeshCore
import MeshPacket
import MeshWire

// Handlers that the founding Sync Guide sets. New code wires `MessageIntake` and `DiscoveryTaker`, or subscribes to
// `StackEvents`.

// MARK: Messages

/// Handles a message of a contact in the form of the founding Sync Guide.
///
/// `contact` is `nil` for an unknown sender.
public typealias FoundingContactHandler =
    @Sendable (_ message: FoundingContactMessage, _ contact: ContactDTO?) async throws -> Void
/// Handles a text on a channel in the form of the founding Sync Guide.
///
/// `channel` is `nil` for an unknown slot.
public typealias FoundingChannelHandler =
    @Sendable (_ message: FoundingChannelMessage, _ channel: ChannelDTO?) async throws -> Void

/// Handlers that come before those of the intake, until they are removed.
struct FoundingMessageHandlers: Sendable {
    var contact: ContactMessageHandler?
    var channel: ChannelMessageHandler?
    var signed: ContactMessageHandler?
    var commandAnswer: ContactMessageHandler?

    /// An intake with these handlers in place of its own; the intake itself where there are none.
    func replacing(in intake: MessageIntake?) -> MessageIntake? {
        guard contact != nil || channel != nil || signed != nil || commandAnswer != nil else { return intake }
        return MessageIntake(
            contact: contact ?? intake?.contact, channel: channel ?? intake?.channel,
            signed: signed ?? intake?.signed, commandAnswer: commandAnswer ?? intake?.commandAnswer,
            isOpen: { intake?.isOpen() ?? true }, reopen: { await intake?.reopen() ?? true },
            takeAtOnce: { message, arrival in !handles(message) && intake?.takeAtOnce(message, arrival) == true })
    }

    private func handles(_ message: MessageResult) -> Bool {
        switch message {
        case .contactMessage(let received):
            switch received.message.textType {
            case .cliData: commandAnswer != nil
            case .signedPlain: signed != nil
            default: contact != nil
            }
        case .channelMessage: channel != nil
        case .channelDatagram, .noMoreMessages: false
        }
    }
}

extension MessagePollingService {
    /// Sets the handler of texts of contacts, in place of the intake; `nil` restores the intake.
    ///
    /// Errors of the handler are logged. The message is lost then, because the radio has forgotten it.
    public func setContactMessageHandler(_ handler: FoundingContactHandler?) {
        foundingHandlers.contact = contactHandler(handler)
    }

    /// Sets the handler of texts on channels, in place of the intake; `nil` restores the intake.
    ///
    /// Errors of the handler are logged. The message is lost then, because the radio has forgotten it.
    public func setChannelMessageHandler(_ handler: FoundingChannelHandler?) {
        foundingHandlers.channel = channelHandler(handler)
    }

    /// Sets the handler of posts of rooms, in place of the intake; `nil` restores the intake.
    ///
    /// Errors of the handler are logged. The post is lost then, because the radio has forgotten it.
    public func setSignedMessageHandler(_ handler: FoundingContactHandler?) {
        foundingHandlers.signed = contactHandler(handler)
    }

    /// Sets the handler of answers to command lines, in place of the intake; `nil` restores the intake.
    ///
    /// Errors of the handler are logged. The answer is lost then, because the radio has forgotten it.
    public func setCLIMessageHandler(_ handler: FoundingContactHandler?) {
        foundingHandlers.commandAnswer = contactHandler(handler)
    }

    private func contactHandler(_ handler: FoundingContactHandler?) -> ContactMessageHandler? {
        guard let handler else { return nil }
        return { [store, dependencies] received, arrival in
            let message = FoundingContactMessage(received)
            do {
                let sender = try await store?.fetchContact(
                    deviceID: arrival.deviceID, publicKeyPrefix: message.senderPublicKeyPrefix)
                try await handler(message, sender?.contact)
            } catch { Self.log(error, dependencies) }
        }
    }

    private func channelHandler(_ handler: FoundingChannelHandler?) -> ChannelMessageHandler? {
        guard let handler else { return nil }
        return { [store, dependencies] received, arrival in
            let message = FoundingChannelMessage(received)
            do {
                let channel = try await store?.fetchChannel(deviceID: arrival.deviceID, index: message.channelIndex)
                try await handler(message, channel)
            } catch { Self.log(error, dependencies) }
        }
    }

    private static func log(_ error: any Error, _ dependencies: ServiceDependencies) {
        dependencies.log.error("a message was not handled and is lost", metadata: ["error": "\(error)"])
    }
}

extension RoomServerService {
    /// Stores a post that a room of the connected radio sent; returns `nil` when it was there already.
    ///
    /// Throws `notConnected` before the radio has introduced itself, and `sessionNotFound` for a sender that is no
    /// room.
    @discardableResult
    public func handleIncomingMessage(
        senderPublicKeyPrefix: Data, timestamp: UInt32, authorPrefix: Data, text: String
    ) async throws -> RoomMessageDTO? {
        guard let own = await session.currentSelfInfo else { throw StackError(.rooms, .notConnected) }
        return try await handleIncomingMessage(
            deviceID: StableIdentifier.device(publicKey: Data(own.publicKey.array)),
            senderPublicKeyPrefix: senderPublicKeyPrefix, timestamp: timestamp, authorPrefix: authorPrefix, text: text)
    }
}

extension RepeaterAdminService {
    /// Gives the answer to a command line to the command that waits for it; any other is emitted as an event.
    public func invokeCLIHandler(_ message: FoundingContactMessage, fromContact contact: ContactDTO) async {
        guard await !remoteNodes.handleCLIResponse(senderPrefix: contact.publicKey, text: message.text) else { return }
        let session = StableIdentifier.session(deviceID: contact.deviceID, publicKey: contact.publicKey)
        events.emit(.commandAnswered(sessionID: session, text: message.text))
    }
}

// MARK: Discoveries

extension AdvertisementService {
    /// Sets the handler for nodes that the radio leaves to the user to add, in place of the receiver.
    ///
    /// `nil` restores the receiver.
    public func setNewContactDiscoveredHandler(
        _ handler: (@Sendable (_ contactName: String, _ contactID: UUID) async -> Void)?
    ) {
        foundingHandlers.newContact = handler
    }

    /// Sets the handler of requests for a synchronisation of contacts, in place of the receiver; `nil` restores it.
    public func setContactSyncRequestHandler(_ handler: (@Sendable (_ deviceID: UUID) async -> Void)?) {
        foundingHandlers.contactSync = handler
    }

    /// Removes both handlers: they may hold the services that end.
    func dropFoundingHandlers() { foundingHandlers = DiscoveryTaker() }
}

extension DiscoveryTaker {
    /// A taker with these handlers in place of its own.
    func replaced(by handlers: DiscoveryTaker) -> DiscoveryTaker {
        DiscoveryTaker(
            newContact: handlers.newContact ?? newContact, contactSync: handlers.contactSync ?? contactSync)
    }
}
