/// A case of an enumeration as it is printed: its name, and what of its values may be seen.
///
/// An enumeration with one value that must not be printed has to say how all its cases are.
struct CaseWords {
    let name: String
    let values: [Any]

    init(_ name: String, _ values: Any...) {
        self.name = name
        self.values = values
    }

    var text: String {
        values.isEmpty ? name : "\(name)(\(values.map { "\($0)" }.joined(separator: ", ")))"
    }

    func mirror<Subject>(_ subject: Subject) -> Mirror {
        Mirror(subject, children: values.map { (label: name, value: $0) }, displayStyle: .enum)
    }
}
