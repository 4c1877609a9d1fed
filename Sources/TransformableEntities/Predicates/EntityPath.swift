internal import Synchronization
internal import TransformableStore

/// Finds the names that a key path over several objects stands for: `room.floor` for `\.room?.floor`.
///
/// A key path cannot be taken apart, so those that a class's relationships allow are put together until one is the
/// same. Key paths that are put together never equal those that are written out, whose parts are the same but for a
/// note of what can be written through them. So what is compared is their type and their hash, of which every part is
/// a part: 64 bits with a seed of the process, which nobody can choose a path by.
enum EntityPath {
    private struct Key: Hashable {
        let type: ObjectIdentifier
        let hash: Int

        init(_ keyPath: AnyKeyPath) {
            type = ObjectIdentifier(Swift.type(of: keyPath))
            hash = keyPath.hashValue
        }
    }

    /// A way to an object that may be missing.
    fileprivate struct Way {
        let keyPath: AnyKeyPath
        let name: String
        let destination: any Entity.Type
    }

    // How many relationships a path leads through at most, and how many ways are tried.
    private static let depth = 4
    private static let limit = 20_000
    private static let known = Mutex<[Key: String?]>([:])

    /// Finds the name of what a key path leads to.
    ///
    /// - Parameters:
    ///   - keyPath: A stored property, or a path to one through relationships to one object.
    ///   - type: The class that it begins at.
    /// - Returns: The name or the path of names; nil if something else is on the way.
    static func name<Object: Entity>(of keyPath: PartialKeyPath<Object>, from type: Object.Type) -> String? {
        if let name = Object.propertyName(for: keyPath) { return name }
        // Of a single step nothing is looked for.
        guard keyPath.debugDescription.contains(where: { "?!".contains($0) }) else { return nil }
        let key = Key(keyPath)
        if let known = known.withLock({ $0[key] }) { return known }
        let name = search(key, from: type)
        known.withLock { $0[key] = .some(name) }
        return name
    }

    private static func search(_ key: Key, from type: any Entity.Type) -> String? {
        var ways = type.firstSteps
        var count = 0
        for _ in 0..<depth {
            var further: [Way] = []
            for way in ways {
                for (step, property) in way.destination.steps(after: way.keyPath) {
                    count += 1
                    let name = "\(way.name).\(property.name)"
                    if Key(step) == key { return name }
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
    /// What a relationship to one object leads to; nil for anything else.
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

    /// The ways on from an object that may be missing, with `?` and with `!`.
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
