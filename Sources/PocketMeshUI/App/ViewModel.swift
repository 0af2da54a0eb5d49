import Foundation
import MeshCompanion
import MeshCore
import PocketMeshServices

/// What all view models are: made without anything, given the app's state once, and then told what happens.
@MainActor
public protocol ViewModel: AnyObject {
    init()
    /// Takes services and events from the state; a second call replaces the first.
    func configure(appState: AppState)
    /// What went wrong last; `nil` once it was read or something succeeded.
    var error: ErrorPresentation? { get set }
}

extension ViewModel {
    /// The user has read the error.
    public func clearError() { error = nil }

    /// Does it, and keeps what went wrong; whether it went well. The end of a task is no error.
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

/// Loads something anew as often as it is asked, never twice at a time: what is asked while it runs is one more run.
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

    /// Returns when nothing is being loaded any more.
    func finish() async { await task?.value }
}

extension AppState {
    /// The radio whose rows are shown, or why there are none.
    func requiredDeviceID() throws(StackError) -> UUID {
        guard let deviceID else { throw StackError(.store, .deviceNotFound) }
        return deviceID
    }

    /// The services, or that there is no connection.
    func requiredServices(_ operation: StackError.Operation) throws(StackError) -> ServiceContainer {
        guard let services else { throw StackError(operation, .notConnected) }
        return services
    }

    /// Whether an error says that the radio does not know a command.
    static func isUnknownCommand(_ error: any Error) -> Bool {
        guard case .session(let session)? = (error as? StackError)?.underlying else { return false }
        if case .refused(_, .unsupportedCmd) = session { return true }
        return false
    }
}
