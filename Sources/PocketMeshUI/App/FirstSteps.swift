/// The first steps of a new user: under way at one of them, or over.
///
/// It governs the order of the steps, and that none follows the end. It does not store that they are over.
struct FirstSteps: ~Copyable {
    private enum State: ~Copyable {
        case underWay(OnboardingStep)
        case over
    }

    /// The result of a step further.
    enum OnAdvanced: Hashable {
        case moved
        /// The last step was made; its holder stores that, then ends the first steps.
        case toBeEnded
    }

    private var state = State.underWay(.welcome)

    init() {}

    private init(_ state: consuming State) { self.state = state }

    var isOver: Bool {
        switch state {
        case .over: true
        case .underWay: false
        }
    }

    var step: OnboardingStep {
        switch state {
        case .over: .done
        case .underWay(let step): step
        }
    }

    /// Goes one step further, except over the last one.
    mutating func advance() -> OnAdvanced {
        switch consume state {
        case .underWay(let step) where step.next != .done:
            self = Self(.underWay(step.next))
            return .moved
        case .underWay(let step): self = Self(.underWay(step))
        case .over: self = Self(.over)
        }
        return .toBeEnded
    }

    /// Goes one step back; returns `false` when the first steps are over.
    mutating func goBack() -> Bool {
        switch consume state {
        case .underWay(let step):
            self = Self(.underWay(step.previous))
            return true
        case .over:
            self = Self(.over)
            return false
        }
    }

    /// Goes to the choice of a radio; returns `false` when the first steps are over.
    mutating func goToScan() -> Bool {
        switch consume state {
        case .underWay:
            self = Self(.underWay(.deviceScan))
            return true
        case .over:
            self = Self(.over)
            return false
        }
    }

    mutating func end() { self = Self(.over) }

    mutating func restart() { self = Self(.underWay(.welcome)) }
}
