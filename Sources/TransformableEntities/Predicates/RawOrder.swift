internal import TransformableStore

/// Whether a database, which keeps raw values, puts the values of a type in the order that Swift does.
enum RawOrder {
    /// Refuses a type whose own order may be another than that of its raw values.
    ///
    /// What `<` does is the type's affair, so that only values that can all be tried are known to agree.
    static func check(_ type: any Any.Type, _ part: String, of entity: String? = nil) throws(StoreError) {
        let type = (type as? any OptionalType.Type)?.wrapped ?? type
        guard !(type is any PlainValue.Type), let type = type as? any RawRepresentable.Type else { return }
        if let cases = type as? any (CaseIterable & Comparable & RawRepresentable).Type, agrees(cases) { return }
        throw StoreError(
            .unsupported,
            "\(part) cannot be had: “\(type)” may have another order than its raw values; compare its “rawValue”",
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
