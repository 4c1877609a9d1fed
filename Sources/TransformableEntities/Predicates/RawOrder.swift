internal import TransformableStore

/// Checks whether a type's order is the same as that of its raw values, which is what a database uses.
enum RawOrder {
    /// Throws an error if the type's order may differ from that of its raw values.
    ///
    /// A type can define `<` in any way. The orders are known to agree only if all values can be compared.
    static func check(_ type: any Any.Type, _ part: String, of entity: String? = nil) throws(StoreError) {
        let type = (type as? any OptionalType.Type)?.wrapped ?? type
        guard !(type is any PlainValue.Type), let type = type as? any RawRepresentable.Type else { return }
        if let cases = type as? any (CaseIterable & Comparable & RawRepresentable).Type, agrees(cases) { return }
        throw StoreError(
            .unsupported,
            "\(part) is not supported: “\(type)” may not have the order of its raw values; compare its “rawValue”",
            entity: entity
        )
    }

    private static func agrees<Value: CaseIterable & Comparable & RawRepresentable>(_ type: Value.Type) -> Bool {
        let raw = type.allCases.sorted().map { $0.rawValue as? any Comparable }
        return zip(raw, raw.dropFirst()).allSatisfy { $0?.isSmaller(than: $1) ?? false }
    }
}

extension Comparable {
    fileprivate func isSmaller(than other: (any Comparable)?) -> Bool {
        (other as? Self).map { self < $0 } ?? false
    }
}
