import CDBus

/// A message on the bus; freed with the value.
final class BusMessage {
    let pointer: OpaquePointer

    /// Owns a reference from now on.
    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit { dbus_message_unref(pointer) }

    // MARK: Making

    static func call(_ request: BusRequest) throws(BusError) -> BusMessage {
        guard isBusName(request.destination), isPath(request.path), isInterface(request.interface),
            dbus_validate_member(request.method, nil) != 0, request.arguments.allSatisfy(\.isValid),
            let pointer = dbus_message_new_method_call(
                request.destination, request.path, request.interface, request.method)
        else { throw .invalid("a call of \(request.interface).\(request.method) at \(request.path)") }
        return BusMessage(pointer, carrying: request.arguments)
    }

    static func signal(
        _ path: String, _ interface: String, _ name: String, _ arguments: [BusValue]
    ) throws(BusError) -> BusMessage {
        guard isPath(path), isInterface(interface), dbus_validate_member(name, nil) != 0,
            arguments.allSatisfy(\.isValid), let pointer = dbus_message_new_signal(path, interface, name)
        else { throw .invalid("the signal \(interface).\(name) of \(path)") }
        return BusMessage(pointer, carrying: arguments)
    }

    /// Makes the answer to a call; `nil` where the bus does not accept it.
    static func answer(_ call: BusCall, _ result: Result<[BusValue], BusError>) -> BusMessage? {
        let type: Int32
        var values: [BusValue] = []
        var errorName: String?
        switch result {
        case .success(let carried): (type, values) = (DBUS_MESSAGE_TYPE_METHOD_RETURN, carried)
        case .failure(let error):
            guard case .refused(let name, let text) = error else { return nil }
            (type, values, errorName) = (DBUS_MESSAGE_TYPE_ERROR, [.string(text)], name)
        }
        guard values.allSatisfy(\.isValid), dbus_validate_bus_name(call.sender, nil) != 0,
            errorName.map({ dbus_validate_error_name($0, nil) != 0 }) ?? true, let pointer = dbus_message_new(type)
        else { return nil }
        let message = BusMessage(pointer, carrying: values)
        dbus_message_set_destination(pointer, call.sender)
        dbus_message_set_reply_serial(pointer, call.serial)
        dbus_message_set_no_reply(pointer, 1)
        if let errorName { dbus_message_set_error_name(pointer, errorName) }
        return message
    }

    private convenience init(_ pointer: OpaquePointer, carrying values: [BusValue]) {
        self.init(pointer)
        append(values)
    }

    // The library ends a program that hands it a name of the wrong shape.
    private static func isPath(_ text: String) -> Bool { dbus_validate_path(text, nil) != 0 }
    private static func isInterface(_ text: String) -> Bool { dbus_validate_interface(text, nil) != 0 }
    private static func isBusName(_ text: String) -> Bool { dbus_validate_bus_name(text, nil) != 0 }

    // MARK: Taking apart

    /// The kind of a message of the bus.
    enum Kind {
        case answer(to: UInt32, Result<[BusValue], BusError>)
        case signal(BusSignal)
        case call(BusCall)
        case other
    }

    var kind: Kind {
        switch dbus_message_get_type(pointer) {
        case DBUS_MESSAGE_TYPE_METHOD_RETURN:
            return .answer(to: dbus_message_get_reply_serial(pointer), .success(values))
        case DBUS_MESSAGE_TYPE_ERROR:
            let error = BusError.refused(
                name: Self.text(dbus_message_get_error_name(pointer)), text: values.first?.text ?? "")
            return .answer(to: dbus_message_get_reply_serial(pointer), .failure(error))
        case DBUS_MESSAGE_TYPE_SIGNAL:
            return .signal(
                BusSignal(
                    sender: Self.text(dbus_message_get_sender(pointer)),
                    path: Self.text(dbus_message_get_path(pointer)),
                    interface: Self.text(dbus_message_get_interface(pointer)),
                    name: Self.text(dbus_message_get_member(pointer)), arguments: values))
        case DBUS_MESSAGE_TYPE_METHOD_CALL:
            return .call(
                BusCall(
                    sender: Self.text(dbus_message_get_sender(pointer)),
                    path: Self.text(dbus_message_get_path(pointer)),
                    interface: Self.text(dbus_message_get_interface(pointer)),
                    method: Self.text(dbus_message_get_member(pointer)), arguments: values,
                    serial: dbus_message_get_serial(pointer), wantsAnswer: dbus_message_get_no_reply(pointer) == 0))
        default: return .other
        }
    }

    private static func text(_ start: UnsafePointer<CChar>?) -> String { start.map { String(cString: $0) } ?? "" }

    // MARK: Writing

    private func append(_ values: [BusValue]) {
        var iterator = DBusMessageIter()
        dbus_message_iter_init_append(pointer, &iterator)
        for value in values { Self.append(value, to: &iterator) }
    }

    private static func append(_ value: BusValue, to iterator: inout DBusMessageIter) {
        switch value {
        case .string(let text): append(text, BusType.string, to: &iterator)
        case .objectPath(let text): append(text, BusType.objectPath, to: &iterator)
        case .boolean(let flag):
            var word: UInt32 = flag ? 1 : 0
            dbus_message_iter_append_basic(&iterator, BusType.boolean, &word)
        case .byte(var byte): dbus_message_iter_append_basic(&iterator, BusType.byte, &byte)
        case .int16(var number): dbus_message_iter_append_basic(&iterator, BusType.int16, &number)
        case .uint16(var number): dbus_message_iter_append_basic(&iterator, BusType.uint16, &number)
        case .int32(var number): dbus_message_iter_append_basic(&iterator, BusType.int32, &number)
        case .uint32(var number): dbus_message_iter_append_basic(&iterator, BusType.uint32, &number)
        case .array(let element, let parts): append(parts, in: BusType.array, signature: element, to: &iterator)
        case .entry(let key, let value): append([key, value], in: BusType.entry, to: &iterator)
        case .structure(let members): append(members, in: BusType.structure, to: &iterator)
        case .variant(let value):
            append([value], in: BusType.variant, signature: value.signature, to: &iterator)
        }
    }

    private static func append(_ text: String, _ type: Int32, to iterator: inout DBusMessageIter) {
        text.withCString { start in
            var start: UnsafePointer<CChar>? = start
            dbus_message_iter_append_basic(&iterator, type, &start)
        }
    }

    private static func append(
        _ parts: [BusValue], in container: Int32, signature: String? = nil, to iterator: inout DBusMessageIter
    ) {
        var inner = DBusMessageIter()
        dbus_message_iter_open_container(&iterator, container, signature, &inner)
        for part in parts { append(part, to: &inner) }
        dbus_message_iter_close_container(&iterator, &inner)
    }

    // MARK: Reading

    /// The arguments of the message; values of other types are left out.
    private var values: [BusValue] {
        var iterator = DBusMessageIter()
        guard dbus_message_iter_init(pointer, &iterator) != 0 else { return [] }
        return Self.values(&iterator)
    }

    private static func values(_ iterator: inout DBusMessageIter) -> [BusValue] {
        var values: [BusValue] = []
        repeat {
            let type = dbus_message_iter_get_arg_type(&iterator)
            if type == BusType.none { break }
            if let value = value(of: type, &iterator) { values.append(value) }
        } while dbus_message_iter_next(&iterator) != 0
        return values
    }

    private static func value(of type: Int32, _ iterator: inout DBusMessageIter) -> BusValue? {
        switch type {
        case BusType.string: return .string(text(&iterator))
        case BusType.objectPath: return .objectPath(text(&iterator))
        case BusType.boolean: return .boolean(basic(UInt32(0), &iterator) != 0)
        case BusType.byte: return .byte(basic(UInt8(0), &iterator))
        case BusType.int16: return .int16(basic(Int16(0), &iterator))
        case BusType.uint16: return .uint16(basic(UInt16(0), &iterator))
        case BusType.int32: return .int32(basic(Int32(0), &iterator))
        case BusType.uint32: return .uint32(basic(UInt32(0), &iterator))
        case BusType.array:
            var inner = DBusMessageIter()
            dbus_message_iter_recurse(&iterator, &inner)
            let signature = dbus_message_iter_get_signature(&inner)
            defer { dbus_free(signature) }
            return .array(of: signature.map { String(cString: $0) } ?? "", values(&inner))
        case BusType.entry:
            let parts = members(&iterator)
            return parts.count == 2 ? .entry(key: parts[0], value: parts[1]) : nil
        case BusType.structure: return .structure(members(&iterator))
        case BusType.variant: return members(&iterator).first.map(BusValue.variant)
        default: return nil
        }
    }

    private static func members(_ iterator: inout DBusMessageIter) -> [BusValue] {
        var inner = DBusMessageIter()
        dbus_message_iter_recurse(&iterator, &inner)
        return values(&inner)
    }

    private static func text(_ iterator: inout DBusMessageIter) -> String {
        var start: UnsafePointer<CChar>?
        dbus_message_iter_get_basic(&iterator, &start)
        return start.map { String(cString: $0) } ?? ""
    }

    private static func basic<T: BitwiseCopyable>(_ zero: T, _ iterator: inout DBusMessageIter) -> T {
        var value = zero
        dbus_message_iter_get_basic(&iterator, &value)
        return value
    }
}

/// The codes of types; the library has them as macros, which do not come over.
private enum BusType {
    static let none: Int32 = 0
    static let string = code("s")
    static let objectPath = code("o")
    static let boolean = code("b")
    static let byte = code("y")
    static let int16 = code("n")
    static let uint16 = code("q")
    static let int32 = code("i")
    static let uint32 = code("u")
    static let array = code("a")
    static let entry = code("e")
    static let structure = code("r")
    static let variant = code("v")

    private static func code(_ letter: Unicode.Scalar) -> Int32 { Int32(letter.value) }
}
