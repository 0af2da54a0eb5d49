public import Testing

/// The numbered statements that a test or a suite proves, as in `@Test(.proves("OTA-034"))`.
///
/// The statements stand in the documentation, each below a heading with its number. `StatementBookTests` compares both:
/// a number without a statement and a statement without a proof are failures there.
public struct Proves: TestTrait, SuiteTrait {
    /// Numbers with their prefix, as in `SVC-R-012`.
    public let numbers: [String]

    public init(_ numbers: [String]) { self.numbers = numbers }
}

extension Trait where Self == Proves {
    /// The test proves these statements.
    public static func proves(_ numbers: String...) -> Self { Proves(numbers) }
}
