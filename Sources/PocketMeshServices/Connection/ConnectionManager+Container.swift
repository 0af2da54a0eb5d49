public import MeshCore

// The manager with the stack's own services.
extension ConnectionManager {
    /// A manager whose connections have the services of the stack.
    public convenience init(
        store: PersistenceStore, transports: any TransportMaking, profile: StackProfile = .architectureV2,
        dependencies: ServiceDependencies, credentials: any CredentialStore, notifications: NotificationService,
        sessionConfiguration: SessionConfiguration = .default, bonds: (any BondKeeping)? = nil,
        imageCodec: (any ImageCodec)? = nil
    ) {
        self.init(
            store: store, transports: transports, profile: profile, dependencies: dependencies,
            sessionConfiguration: sessionConfiguration, bonds: bonds
        ) { session in
            ServiceContainer(
                session: session, store: store, profile: profile, dependencies: dependencies, credentials: credentials,
                notifications: notifications, imageCodec: imageCodec)
        }
    }

    /// The stack's services, while there is a connection that has them.
    public var container: ServiceContainer? { services?.container }
}
