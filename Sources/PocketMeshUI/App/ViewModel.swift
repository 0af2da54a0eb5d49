import FoundationEssentials
import MeshCompanion
import PocketMeshServices

/// The common part of all view models: made without arguments, given the app's state once, then sent the events.
@MainActor
public protocol ViewModel: AnyObject {
    init()
    /// Connects the model to services and events of the state; a second call replaces the first.
    func configure(appState: AppState)
    /// The last error; `nil` once it was read or something succeeded.
    var error: ErrorPresentation? { get set }
}

extension ViewModel {
    /// The user has read the error.
    public func clearError() { error = nil }

    /// Reads something, and keeps the error; an error of an earlier action of the user stays.
    @discardableResult
    func read(_ body: () async throws -> Void) async -> Bool {
        do {
            try await body()
            return true
        } catch is CancellationError {
            return false
        } catch {
            self.error = ErrorPresentation(error)
            return false
        }
    }

    /// Runs an action, and keeps its error; returns whether it succeeded. The end of a task is no error.
    @discardableResult
    func attempt(_ body: () async throws -> Void) async -> Bool {
        do {
            try await body()
            error = nil
            return true
        } catch is CancellationError {
            return false
        } catch {
            self.error = ErrorPresentation(error)
            return false
        }
    }
}

/// Loads something anew as often as it is asked, never twice at a time.
///
/// Requests during a run lead to one more run.
@MainActor
final class Reloader {
    private var task: Task<Void, Never>?
    private var isAskedAgain = false

    func ask(_ load: @escaping @MainActor () async -> Void) {
        if task != nil { return isAskedAgain = true }
        task = Task(name: "reload of a page") {
            repeat {
                isAskedAgain = false
                await load()
            } while isAskedAgain && !Task.isCancelled
            task = nil
        }
    }
}

extension AppState {
    /// Returns the radio whose rows are shown, or throws when there is none.
    func requiredDeviceID() throws(StackError) -> UUID {
        guard let deviceID else { throw StackError(.store, .deviceNotFound) }
        return deviceID
    }

    /// The services, or that there is no connection.
    func requiredServices(_ operation: StackError.Operation) throws(StackError) -> ServiceContainer {
        guard let services else { throw StackError(operation, .notConnected) }
        return services
    }

    /// Returns whether an error says that the radio does not know a command.
    static func isUnknownCommand(_ error: any Error) -> Bool {
        guard case .session(let session)? = (error as? StackError)?.underlying else { return false }
        if case .refused(_, .unsupportedCmd) = session { return true }
        return false
    }
}
