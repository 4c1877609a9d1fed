internal import Foundation

extension ManagedObject {
    func setDefaults() throws {
        for attribute in entity.defaults {
            guard let value = attribute.description.defaultValue else { continue }
            let slot = try attribute.slot(any: value.value(for: attribute))
            slot.isDirty = true
            keep(slot, attribute)
        }
    }
}

extension DefaultValue {
    func value(for attribute: StoredAttribute) throws -> Any {
        switch self {
        case .integer(let number): try Self.fitted(number, "\(number)", attribute)
        case .number(let number): try Self.fitted(number, "\(number)", attribute)
        case .string(let text): try attribute.value(fromText: text)
        case .boolean(let flag): try Self.fitted(flag, "\(flag)", attribute)
        case .now: Date()
        case .newUUID: UUID()
        }
    }

    /// Converts a value for the attribute: as it is, or as its text if only the text is exact.
    private static func fitted(_ value: Any, _ text: String, _ attribute: StoredAttribute) throws -> Any {
        do {
            return try attribute.any(attribute.slot(any: value)) ?? value
        } catch {
            guard attribute.valueType != String.self, let read = try? attribute.value(fromText: text) else {
                throw error
            }
            return read
        }
    }
}
