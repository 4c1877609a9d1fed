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
        case .integer(let number):
            attribute.description.type == .decimal ? Decimal(number) : Self.wide(Double(number), number, attribute)
        case .number(let number): attribute.description.type == .decimal ? Decimal(number) : number
        case .string(let text): try attribute.value(fromText: text)
        case .boolean(let flag): flag
        case .now: Date()
        case .newUUID: UUID()
        }
    }

    private static func wide(_ number: Double, _ integer: Int64, _ attribute: StoredAttribute) -> Any {
        [.float, .double].contains(attribute.description.type) ? number as Any : integer as Any
    }
}
