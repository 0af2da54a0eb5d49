import MeshTestSupport
import Testing

/// The numbered statements of the service stack's document, and the defects of real stacks that it lists.
///
/// What waits for another part of the project stands here, once, with the part that it waits for.
@Suite struct StatementBooks {
    private static let bluetooth = "waits for the Bluetooth work: no link of today scans, pairs or has an adapter"
    private static let userInterface = "waits for the user interface: facade, view models, page"

    static let statements = StatementBook(
        "SVC-", 1...187,
        exempt: [
            49: bluetooth, 51: bluetooth, 52: bluetooth, 61: bluetooth, 171: userInterface, 173: userInterface,
            174: userInterface, 175: userInterface, 176: userInterface, 177: userInterface, 179: userInterface,
        ])

    static let defects = StatementBook(
        "SVC-R-", 1...125, exempt: [88: bluetooth, 91: bluetooth, 95: bluetooth])

    @Test func `every statement of the stack is proven by a test or waits for a named part`() throws {
        #expect(try Self.statements.findings() == .init(provenCount: 187 - Self.statements.exempt.count))
    }

    @Test func `every defect of real stacks is staged by a test or waits for a named part`() throws {
        #expect(try Self.defects.findings() == .init(provenCount: 125 - Self.defects.exempt.count))
    }
}
