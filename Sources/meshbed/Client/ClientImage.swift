import ArgumentParser
import FoundationEssentials
import Glibc
import MeshFiles
import MeshTestbed
import PocketMeshServices
import PocketMeshUI

/// `meshbed client image`.
struct ClientImage: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "image", abstract: "Send a picture, or save a received one.", subcommands: [Send.self, Save.self])

    @OptionGroup var options: ClientOptions

    /// The largest file that is read, in bytes.
    static let fileLimit = 20_000_000

    struct Send: ClientCommand {
        static let configuration = CommandConfiguration(
            abstract: "Send a JPEG to a contact along a known path, made small.",
            discussion: """
                The picture is made to fit into 96 x 96 pixels, and compressed until it takes few enough chunks. The \
                other app reports the chunks that it lacks, and these are sent again until it has all of them. An app \
                of the founding protocol sends no report; then the picture is sent and not confirmed. Over repeaters \
                its cost is shown, and a question asked; --yes answers for a script.

                Example:
                  meshbed client image send bob hill.jpg
                """)

        @OptionGroup var options: ClientOptions

        @Flag(help: "Don't ask.")
        var yes = false

        @Argument(help: "The contact's name, or the beginning of its key.")
        var name: String

        @Argument(help: "The picture's file.")
        var file: String

        func perform(_ app: ClientApp, _ connection: ClientApp.Connection) async throws -> Bool {
            let contact = try await connection.contact(name, of: [.chat])
            let images = connection.services.imageService
            let jpeg = try images.prepare(
                imageData: Data(try FileSystem.readInput(file, atMost: ClientImage.fileLimit)))
            let cost = PictureCost(try await images.plan(of: jpeg, to: contact), bytes: jpeg.count)
            guard try mayCost(cost) else { return false }
            let id = try await images.sendImage(jpeg, to: contact) { progress in
                StandardError.progress("Sending: \(progress.done) of \(progress.total) chunks …")
            }
            StandardError.progress("Waiting for \(contact.displayName) …")
            await images.waitForConfirmation(of: id)
            StandardError.endProgress()
            guard let message = try await app.store.fetchMessage(id: id) else { return false }
            Console.out(
                options.json
                    ? try json(MessageRow(sent: message, to: contact.displayName))
                    : "\(Self.words(for: message.status)) \(contact.displayName): \(jpeg.count) bytes")
            return message.status == .delivered || message.status == .sent
        }

        private static func words(for status: MessageStatus) -> String {
            switch status {
            case .delivered: "arrived at"
            case .sent: "sent, not confirmed by"
            default: "\(status) to"
            }
        }

        /// Prints the cost of the picture, and asks for consent when repeaters bear it.
        private func mayCost(_ cost: PictureCost) throws -> Bool {
            guard let question = cost.question, !yes else { return true }
            guard isatty(STDIN_FILENO) == 1 else { throw ClientError.needsYes }
            Console.note("\(question) Send it? (y/n)")
            guard readLine()?.lowercased().hasPrefix("y") == true else {
                Console.note("meshbed client: nothing was sent")
                return false
            }
            return true
        }
    }

    struct Save: OfflineClientCommand {
        static let configuration = CommandConfiguration(
            abstract: "Save the latest picture of a conversation; no radio is needed.",
            discussion: """
                Example:
                  meshbed client --db radio.sqlite image save bob hill.jpg
                """)

        @OptionGroup var options: ClientOptions

        @Argument(help: "The contact's name.")
        var name: String

        @Argument(help: "The file to write.")
        var file: String

        func run() async throws {
            do {
                let data = try await latest(in: ClientSetup(options).db)
                try FileSystem.writeOutput(file, [UInt8](data))
                if !options.json { Console.out("\(data.count) bytes in \(file)") }
            } catch {
                throw Console.failed("client", error)
            }
        }

        func latest(in db: String?) async throws -> Data {
            guard let db else { throw ClientError.noDatabase("pictures are kept in a database") }
            let store = try PersistenceStore(path: db, options: .init(isReadOnly: true))
            guard let device = try await store.fetchActiveDevice() else { throw ClientError.noRadio }
            let contact = try await store.fetchContacts(deviceID: device.id).contact(name)
            let messages = try await store.fetchMessages(
                deviceID: device.id, thread: .contact(contact.id), limit: 10_000)
            guard let message = messages.last(where: { $0.kind == .image && !$0.isOutgoing }),
                let blob = try await store.fetchBlob(messageID: message.id)
            else { throw ClientError.noPicture(contact.displayName) }
            return blob.data
        }
    }
}
