import FoundationEssentials
import PocketMeshServices

/// Numbers that rise with each change, for pages that load anew.
struct PageVersions {
    var services = 0
    var contacts = 0
    var conversations = 0
}

/// The page in view, and what is to be opened next.
struct PagesInView {
    var tab = AppTab.chats
    /// The pages above each tab's first one.
    var path = NavigationState()
    /// The conversation to open next, once, and the message to show in it.
    var chat: (contact: ContactDTO, messageID: UUID?)?
    var room: RemoteNodeSessionDTO?
    /// True when a page is to be shown, until one has asked for its address.
    var isNavigationPending = false
    /// True when the page of discovered nodes is to be opened, once.
    var isDiscoveryPending = false
}

/// The facts about the radio that is shown; they outlive its connection.
struct ShownRadio {
    var id: UUID?
    var linkQuality = LinkQuality()
    var capabilities = Capabilities()
    /// The error of the last synchronisation; `nil` once one succeeded.
    var syncFailure: ErrorPresentation?
}
