internal import Synchronization

/// Finds the name of a key path that spans several objects, such as `room.floor` for `\.room?.floor`.
///
/// Swift offers no way to split a key path into its components. Therefore, the key paths that a class's relationships
/// allow are composed until one matches. A composed key path never equals a literal one, because they differ in whether
/// they record that the path is writable. Instead, their types and hash values are compared. The hash covers all
/// components, and its 64 bits depend on a seed that is chosen per process, so that nobody can construct a collision.
///
/// A path with `!` after `?`, such as `\.room?.annex!.floor`, ends by wrapping its value in an optional, which no composed
/// path does. For such a path, the descriptions are compared, which contain the address of each component's accessor.
enum EntityPath {
    private struct Key: Hashable {
        let type: ObjectIdentifier
        let hash: Int

        init(_ keyPath: AnyKeyPath) {
            type = ObjectIdentifier(Swift.type(of: keyPath))
            hash = keyPath.hashValue
        }
    }

    /// The key path that a search is for.
    private struct Target {
        let key: Key
        // The description without the component that wraps the value; nil unless `!` comes after `?`.
        private let unwrapped: Substring?

        init(_ keyPath: AnyKeyPath, _ description: String) {
            key = Key(keyPath)
            let marks = description.filter { "?!".contains($0) }
            unwrapped = description.hasSuffix("?") && marks.contains("?!") ? description.dropLast() : nil
        }

        func matches(_ keyPath: AnyKeyPath) -> Bool {
            Key(keyPath) == key || unwrapped.map { keyPath.debugDescription == $0 } ?? false
        }
    }

    /// A key path to an object that may be missing.
    fileprivate struct Way {
        let keyPath: AnyKeyPath
        let name: String
        let destination: any Entity.Type
    }

    // The maximum number of relationships in a path, and of candidates to compare.
    private static let depth = 4
    private static let limit = 20_000
    private static let known = Mutex<[Key: String?]>([:])

    /// Returns the name of the property at a key path.
    ///
    /// - Parameters:
    ///   - keyPath: A stored property, or a path to one through to-one relationships.
    ///   - type: The class that the path starts at.
    /// - Returns: The dotted name, or nil if the path leads through anything else.
    static func name<Object: Entity>(of keyPath: PartialKeyPath<Object>, from type: Object.Type) -> String? {
        if let name = Object.propertyName(for: keyPath) { return name }
        // A path with a single component needs no search.
        let description = keyPath.debugDescription
        guard description.contains(where: { "?!".contains($0) }) else { return nil }
        let target = Target(keyPath, description)
        if let known = known.withLock({ $0[target.key] }) { return known }
        let name = search(target, from: type)
        known.withLock { $0[target.key] = .some(name) }
        return name
    }

    private static func search(_ target: Target, from type: any Entity.Type) -> String? {
        var ways = type.firstSteps
        var count = 0
        for _ in 0..<depth {
            var further: [Way] = []
            for way in ways {
                for (step, property) in way.destination.steps(after: way.keyPath) {
                    count += 1
                    let name = "\(way.name).\(property.name)"
                    if target.matches(step) { return name }
                    guard count < limit else { return nil }
                    if let destination = property.toOne { further.append(Way(step, name, destination)) }
                }
            }
            ways = further
        }
        return nil
    }
}

extension EntityPath.Way {
    fileprivate init(_ keyPath: AnyKeyPath, _ name: String, _ destination: any Entity.Type) {
        self.init(keyPath: keyPath, name: name, destination: destination)
    }
}

extension _EntityProperty {
    /// The destination of a to-one relationship, or nil for any other property.
    fileprivate var toOne: (any Entity.Type)? {
        guard case .relationship(let relationship, let destination) = role, !relationship.isToMany else { return nil }
        return destination
    }
}

extension Entity {
    fileprivate static var firstSteps: [EntityPath.Way] {
        _entitySchema.properties.compactMap { property in
            property.toOne.map { EntityPath.Way(property.keyPath, property.name, $0) }
        }
    }

    /// The next components after an object that may be missing, with `?` and with `!`.
    fileprivate static func steps(after keyPath: AnyKeyPath) -> [(AnyKeyPath, _EntityProperty)] {
        let unwrap: KeyPath<Self?, Self> = \.!
        let forced = keyPath.appending(path: unwrap)
        let schema = _entitySchema
        let optional = zip(schema.steps, schema.properties)
            .compactMap { step, property in
                keyPath.appending(path: step).map { ($0, property) }
            }
        return optional
            + schema.properties.compactMap { property in
                forced?.appending(path: property.keyPath).map { ($0, property) }
            }
    }
}

extension Condition {
    /// Creates a comparison of a stored property.
    init<Object: Entity>(
        _ keyPath: PartialKeyPath<Object>,
        _ comparison: Condition.Comparison,
        _ options: TextOptions = []
    ) {
        self.init(of: keyPath) { .comparison(.path($0), comparison, options) }
    }

    /// Creates a comparison that depends on the order of values.
    init<Object: Entity>(
        ordered keyPath: PartialKeyPath<Object>,
        _ comparison: Condition.Comparison
    ) {
        do {
            let name = Object.propertyName(for: keyPath) ?? ""
            try RawOrder.check(type(of: keyPath).valueType, "the order by “\(name)”", of: Object.entityName)
            self.init(keyPath, comparison)
        } catch {
            self.init(.refused(error))
        }
    }

    /// Creates a condition on a stored property.
    ///
    /// For any other property, the error is thrown by the fetch.
    init<Object: Entity>(
        of keyPath: PartialKeyPath<Object>,
        _ node: (Term.Path) -> Condition.Node
    ) {
        guard let name = Object.propertyName(for: keyPath) ?? (Object.isID(keyPath) ? "_id" : nil) else {
            var failure = StoreError.notStored(keyPath, in: Object.entityName)
            failure.message += "; to follow relationships, use a #Predicate"
            self.init(.refused(failure))
            return
        }
        self.init(.about(Object.entityName, node(Term.Path([name]))))
    }
}

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
