extension Int {
    /// The number before its noun, in the singular or the plural: `1 frame`, `2 frames`.
    package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
