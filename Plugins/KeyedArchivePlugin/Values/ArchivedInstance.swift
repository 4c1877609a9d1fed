internal import Foundation
internal import _PropertyLists

/// An object of an unknown class: its class and its fields.
///
/// It is encoded in the same way as it was decoded, so that nothing is lost.
public struct ArchivedInstance: Sendable {
    /// The value of a field.
    public enum FieldValue: Sendable {
        /// A value that is an object in the archive, or nil for the null reference.
        case object(ArchivedValue?)
        /// A Boolean, a number, a string, or data that is stored in the field itself.
        case inline(ArchivedValue)
        /// A list of objects.
        case objects([ArchivedValue?])
    }

    /// The kind of a field.
    ///
    /// Its values are stored in the buffer.
    enum Role: Sendable {
        case none
        case object
        case inline
        /// A list, with the information which members are not the null reference.
        case list([Bool])
    }

    struct Slot: Sendable {
        let name: String
        let role: Role
        /// The index of the field's first value in the buffer.
        let start: Int
    }

    /// The class.
    public let archivedClass: ArchivedClass
    let slots: [Slot]
    let buffer: ValueBuffer

    /// Creates an object.
    ///
    /// - Parameters:
    ///   - archivedClass: The class.
    ///   - fields: The names and values of the fields.
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

    /// The fields, sorted by name.
    public var fields: [(name: String, value: FieldValue)] {
        slots.map { ($0.name, value(of: $0)) }
    }

    private func value(of slot: Slot) -> FieldValue {
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

    /// Returns the value of a field.
    ///
    /// - Parameter name: The name of the field.
    /// - Returns: The value, or nil if there is no such field, or if it is the null reference or a list.
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

/// Methods for parsing known classes.
extension ArchivedInstance {
    /// The number of fields.
    var count: Int { slots.count }

    func integer(_ name: String) -> Int? { self[name]?.int }

    /// The number of bytes of packed integers in an object of a known class, which is at least that of the integers.
    var packedCount: Int {
        switch archivedClass.symbol {
        case .indexSet, .mutableIndexSet: self["NSRangeData"]?.data?.count ?? 0
        case .indexPath: self["NSIndexPathData"]?.data?.count ?? 0
        case .attributedString, .mutableAttributedString: self["NSAttributeInfo"]?.data?.count ?? 0
        default: 0
        }
    }

    /// Returns whether there are no other fields than these.
    func hasOnly(_ names: Set<String>) -> Bool {
        slots.allSatisfy { names.contains($0.name) }
    }

    /// Returns whether a field is absent or the null reference.
    func isNone(_ name: String) -> Bool {
        guard let slot = slot(name) else { return true }
        if case .none = slot.role { return true }
        return false
    }

    /// Converts the value of a field.
    ///
    /// The outer optional is nil if the conversion fails, and the inner one if there is no value.
    func optional<Value>(_ name: String, _ convert: (ArchivedValue) -> Value?) -> Value?? {
        if isNone(name) { return .some(nil) }
        return self[name].flatMap(convert).map { .some($0) }
    }
}

extension ArchivedInstance.FieldValue {
    /// Returns an integer that is stored in the field itself.
    static func integer(_ number: Int) -> Self { .inline(.integer(Int128(number))) }
}
