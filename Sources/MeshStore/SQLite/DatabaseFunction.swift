import CSQLite

/// A function of SQL over one text or blob, with a blob as its value; NULL and numbers become NULL.
struct DatabaseFunction: Sendable {
    let name: String
    /// The value, which follows from the bytes alone.
    let value: @Sendable (UnsafeRawBufferPointer) -> [UInt8]
}

extension Database {
    /// Lets the statements of this connection call a function.
    func add(_ function: DatabaseFunction) throws {
        let call = Unmanaged.passRetained(FunctionCall(value: function.value))
        // SQLite releases the call with the connection, and also when it refuses the function.
        try check(
            sqlite3_create_function_v2(
                handle, function.name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, call.toOpaque(),
                { context, _, arguments in
                    guard let context, let argument = arguments?[0] else { return }
                    FunctionCall.answer(context, argument)
                }, nil, nil, { call in call.map { Unmanaged<FunctionCall>.fromOpaque($0).release() } }))
    }
}

/// A function where the C library can hold it.
private final class FunctionCall {
    let value: @Sendable (UnsafeRawBufferPointer) -> [UInt8]

    init(value: @escaping @Sendable (UnsafeRawBufferPointer) -> [UInt8]) {
        self.value = value
    }

    static func answer(_ context: OpaquePointer, _ argument: OpaquePointer) {
        guard [SQLITE_BLOB, SQLITE_TEXT].contains(sqlite3_value_type(argument)),
            let call = sqlite3_user_data(context)
        else { return sqlite3_result_null(context) }
        let start = sqlite3_value_blob(argument)
        let bytes = UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(argument)))
        let value = Unmanaged<FunctionCall>.fromOpaque(call).takeUnretainedValue().value(bytes)
        value.withUnsafeBytes { value in
            guard let start = value.baseAddress, !value.isEmpty else {
                return sqlite3_result_zeroblob(context, 0)
            }
            sqlite3_result_blob64(
                context, start, UInt64(value.count), unsafeBitCast(-1, to: sqlite3_destructor_type.self))
        }
    }
}
