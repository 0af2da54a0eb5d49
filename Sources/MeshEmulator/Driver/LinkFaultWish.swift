package import MeshCompanion
package import MeshTransports

/// Faults that somebody asks for on the link of a client.
package struct LinkFaultWish: Sendable {
    /// Faults by their rates, in one direction.
    package struct Rates: Sendable {
        package let faults: LinkFaults
        package let way: FrameDirection
        package let mayNotFire: Bool

        package init(_ faults: LinkFaults, _ way: FrameDirection, mayNotFire: Bool = false) {
            self.faults = faults
            self.way = way
            self.mayNotFire = mayNotFire
        }
    }

    /// Rates in place of those that the direction has; `nil` for no others.
    package let rates: Rates?
    /// Planned faults beside those that are armed; `nil` for none.
    package let plan: LinkFaultPlan?

    package init(rates: Rates? = nil, plan: LinkFaultPlan? = nil) {
        self.rates = rates
        self.plan = plan
    }
}
