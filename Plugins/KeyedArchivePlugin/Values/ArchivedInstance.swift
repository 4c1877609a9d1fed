/// An object of a class that is not known here: its class and its fields, as data.
///
/// It is written back as it was read, so that what a program does not know is not lost.
public struct ArchivedInstance: Sendable {
    /// What a field holds.
    public enum FieldValue: Sendable {
        /// A value that is an object of its own in the archive; nil for the null reference.
        case object(ArchivedValue?)
        /// A boolean, a number, a string or data that stands in the field itself.
        case inline(ArchivedValue)
        /// A list of objects.
        case objects([ArchivedValue?])
    }

    /// What a field is, apart from its values, which lie in the buffer.
    enum Role: Sendable {
        case none
        case object
        case inline
        /// Which members are there, and not the null reference.
        case list([Bool])
    }

    struct Slot: Sendable {
        let name: String
        let role: Role
        /// Where the field's values begin in the buffer.
        let start: Int
    }

    /// The class.
    public let archivedClass: ArchivedClass
    let slots: [Slot]
    let buffer: ValueBuffer

    /// Makes an object of its class and fields.
    ///
    /// - Parameters:
    ///   - archivedClass: The class.
    ///   - fields: Names and values, in any order; of equal names the last one counts.
    public init(_ archivedClass: ArchivedClass, fields: [String: FieldValue]) {
        self.init(archivedClass, fields: fields.map { (name: $0, value: $1) })
    }

    init(_ archivedClass: ArchivedClass, fields: [(name: String, value: FieldValue)]) {
        self.archivedClass = archivedClass
        var slots: [Slot] = []
        slots.reserveCapacity(fields.count)
        var values: [ArchivedValue] = []
        values.reserveCapacity(fields.count)
        for (name, value) in fields.sorted(by: { $0.name.precedes($1.name) }) {
            let start = values.count
            slots.append(Slot(name: name, role: Self.add(value, to: &values), start: start))
        }
        self.slots = slots
        buffer = values.isEmpty ? .empty : ValueBuffer(values)
    }

    private static func add(_ value: FieldValue, to values: inout [ArchivedValue]) -> Role {
        switch value {
        case .object(nil):
            return .none
        case .object(let value?):
            values.append(value)
            return .object
        case .inline(let value):
            values.append(value)
            return .inline
        case .objects(let members):
            values.append(contentsOf: members.compactMap(\.self))
            return .list(members.map { $0 != nil })
        }
    }

    /// The fields in the order of their names.
    public var fields: [(name: String, value: FieldValue)] {
        slots.map { ($0.name, value(of: $0)) }
    }

    func value(of slot: Slot) -> FieldValue {
        switch slot.role {
        case .none: return .object(nil)
        case .object: return .object(buffer.values[slot.start])
        case .inline: return .inline(buffer.values[slot.start])
        case .list(let arePresent):
            var next = slot.start
            return .objects(
                arePresent.map { isPresent in
                    defer { next += isPresent ? 1 : 0 }
                    return isPresent ? buffer.values[next] : nil
                }
            )
        }
    }

    /// Finds a field.
    ///
    /// - Parameter name: The field's name.
    /// - Returns: Its value; nil if there is none, or if it is the null reference or a list.
    public subscript(name: String) -> ArchivedValue? {
        guard let slot = slot(name) else { return nil }
        switch slot.role {
        case .object, .inline: return buffer.values[slot.start]
        case .none, .list: return nil
        }
    }

    func slot(_ name: String) -> Slot? {
        let position = slots.firstPosition { slots[$0].name.precedes(name) }
        return position < slots.count && slots[position].name.isIdentical(to: name) ? slots[position] : nil
    }
}

/// What readers of known classes ask for.
extension ArchivedInstance {
    /// How many fields there are.
    var count: Int { slots.count }

    func integer(_ name: String) -> Int? { self[name]?.int }

    /// Whether there is no field but these.
    func hasOnly(_ names: Set<String>) -> Bool {
        slots.allSatisfy { names.contains($0.name) }
    }

    /// Whether a field is absent or the null reference.
    func isNone(_ name: String) -> Bool {
        guard let slot = slot(name) else { return true }
        if case .none = slot.role { return true }
        return false
    }

    /// A field's value by a conversion that may fail; the outer nil is its failure, the inner one absence.
    func optional<Value>(_ name: String, _ convert: (ArchivedValue) -> Value?) -> Value?? {
        if isNone(name) { return .some(nil) }
        return self[name].flatMap(convert).map { .some($0) }
    }
}

extension ArchivedInstance.FieldValue {
    /// An integer in the field itself.
    static func integer(_ number: Int) -> Self { .inline(.integer(Int128(number))) }
}
