// Names that the founding documents give, so that programs written after them find them. New code says `PersistenceStore`
// and `StackError`, and tells the services apart by the operation of the error.

/// The database: `PersistenceStore`.
public typealias DataStore = PersistenceStore

/// The error of a synchronisation: `StackError` with the operation `sync`.
public typealias SyncCoordinatorError = StackError

/// The error of the database: `StackError` with the operation `store`.
public typealias PersistenceStoreError = StackError

/// The error of sessions with other nodes: `StackError` with the operation `nodes`.
public typealias RemoteNodeError = StackError

/// The error of posts in rooms: `StackError` with the operation `rooms`.
public typealias RoomServerError = StackError

/// The error of adverts: `StackError` with the operation `adverts`.
public typealias AdvertisementError = StackError
