import ArgumentParser
import MeshBoards
import MeshCompliance
import MeshEmulator
import MeshTestbed
import MeshTransports

/// The radio that a user of an app names: an address, a label of the bench file, or a place of labgrid.
enum RadioWord: Hashable, Sendable {
    case address(RadioAddress)
    /// A word that is looked up when it is used.
    case board(String)

    /// The forms that it can have, in a sentence.
    static let forms = "\(RadioAddress.forms), \(LabgridPlace.form), or a label of the bench file"

    /// Reads an option.
    static func read(_ text: String) throws -> RadioWord {
        if BenchOptions.isBoard(text) { return .board(text) }
        do { return .address(try RadioAddress(text)) } catch { throw ValidationError("\(error)") }
    }

    /// The address, unless it has to be looked up.
    var address: RadioAddress? { if case .address(let address) = self { address } else { nil } }

    /// The address or the label, for people.
    var text: String {
        switch self {
        case .address(let address): "\(address)"
        case .board(let label): label
        }
    }

    /// Throws for a label that no radio has.
    func check(_ bench: BenchOptions) throws {
        if case .board(let word) = self { _ = try bench.target(word) }
    }

    /// Claims the radio, and finds its address; `nil` for an address of several programs' radios.
    ///
    /// A line has one user. At a TCP port, over Bluetooth and in this process radios settle that themselves.
    func claim(_ bench: BenchOptions, for purpose: String) throws -> (address: LinkAddress, claim: BoardClaim)? {
        switch self {
        case .board(let word):
            let claim = try bench.claim(word, for: purpose)
            guard let address = claim.target.addresses.first else {
                throw Bench.Problem.lacks(word, reason: "is emulated, and at no address")
            }
            return (address, claim)
        case .address(.link(let address)) where address.isLine:
            return (address, try BoardClaim(Target(address), for: purpose))
        case .address: return nil
        }
    }
}
