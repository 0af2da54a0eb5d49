/// The differences that are allowed between a recorded frame and one that is received later.
public struct DifferenceRules: Hashable, Sendable {
    /// The classes of fields that may have any value.
    public var mayDiffer: Set<FieldClass>
    /// Single fields that may, by the name that a difference has for them.
    public var fields: Set<String>

    public init(mayDiffer: Set<FieldClass>, fields: Set<String> = []) {
        self.mayDiffer = mayDiffer
        self.fields = fields
    }

    /// Nothing may differ that means something.
    public static let none = DifferenceRules(mayDiffer: [])
    /// Another run of the same story, with the same identities: clocks, chance and measurements may differ.
    public static let replay = DifferenceRules(mayDiffer: [.time, .random, .measurement])
    /// Another run with other identities.
    public static let otherIdentities = DifferenceRules(mayDiffer: [.time, .random, .measurement, .key])

    /// Returns whether this field may differ: by its class, or by its name.
    public func allow(_ difference: FieldDifference) -> Bool {
        mayDiffer.contains(difference.fieldClass) || fields.contains(difference.field)
    }
}
