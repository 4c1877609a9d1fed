/// The code of an importer, in which the parts in `<#…#>` are replaced.
enum ImporterTemplate {
    static let text = #"""
        // Generated from the model “<#model#>” by “transformable model swift-importer”.
        //
        // Loads a folder that “transformable store export” wrote into a Core Data store. The code uses only public API,
        // but it has not been run on an Apple platform yet. Try it with a new store first.

        import CoreData
        import Foundation

        /// Loads an exported store of the model “<#model#>” into Core Data.
        ///
        /// ```swift
        /// var importer = <#type#>(folder: url, context: context)
        /// try importer.load()
        /// print(importer.problems)
        /// ```
        ///
        /// Call it on the queue of the context. All objects are in memory until they are saved.
        public struct <#type#> {
            /// Returns the value of a transformable attribute.
            ///
            /// The last argument is what the export contains: a `String`, an `NSNumber`, an `NSArray`, an
            /// `NSDictionary`, or `Data` for a value in a file.
            public var transformable: (_ entity: String, _ attribute: String, _ value: Any) throws -> Any? = { $2 }
            /// What could not be loaded.
            public private(set) var problems: [String] = []

            private let folder: URL
            private let context: NSManagedObjectContext
            private var objects: [Reference: NSManagedObject] = [:]
            private var links: [Link] = []

            /// Creates an importer.
            public init(folder: URL, context: NSManagedObjectContext) {
                self.folder = folder
                self.context = context
            }

            /// Loads all objects and saves them.
            public mutating func load() throws {
                for entity in Self.entities { try loadObjects(of: entity) }
                for entity in Self.entities {
                    for name in entity.relationships.keys.sorted() { try loadLinks(of: entity.name, name) }
                }
                connect()
                try context.save()
            }

            // MARK: - Objects

            private mutating func loadObjects(of entity: Entity) throws {
                for line in try lines("\(entity.name).jsonl") {
                    guard let id = line["_id"] as? NSNumber else { continue }
                    let object = NSEntityDescription.insertNewObject(forEntityName: entity.name, into: context)
                    let reference = Reference(entity: entity.name, id: id.int64Value)
                    objects[reference] = object
                    removeDefaults(of: object)
                    for (name, value) in line where !name.hasPrefix("_") {
                        try set(value, name, of: object, reference, entity, line)
                    }
                }
            }

            /// Removes the defaults of a new object, because the export omits attributes without a value.
            ///
            /// Required attributes always have one. Accessors of scalar properties would not accept nil.
            private func removeDefaults(of object: NSManagedObject) {
                for (name, attribute) in object.entity.attributesByName
                where attribute.isOptional && !attribute.isTransient && !(attribute is NSDerivedAttributeDescription) {
                    object.setPrimitiveValue(nil, forKey: name)
                }
            }

            private mutating func set(
                _ value: Any,
                _ name: String,
                of object: NSManagedObject,
                _ source: Reference,
                _ entity: Entity,
                _ line: [String: Any]
            ) throws {
                // A reference is in a column with the name of the relationship, and with the name of the entity if
                // there are several.
                let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
                if let destination = entity.relationships[parts[0]] {
                    guard let id = value as? NSNumber else { return }
                    let target = Reference(entity: parts.count == 2 ? parts[1] : destination, id: id.int64Value)
                    let position = (line["_order.\(parts[0])"] as? NSNumber)?.int64Value
                    links.append(Link(source, parts[0], target, position: position))
                } else if let path = entity.parts[name] {
                    try setPart(value, path, of: object, entity)
                } else if let attribute = object.entity.attributesByName[name] {
                    if let value = try self.value(value, attribute, entity.name) {
                        object.setValue(value, forKey: name)
                    }
                } else {
                    note("\(entity.name).\(name) is not an attribute of the Core Data model")
                }
            }

            /// Sets an element of a composite.
            private mutating func setPart(
                _ value: Any,
                _ path: [String],
                of object: NSManagedObject,
                _ entity: Entity
            ) throws {
                guard #available(iOS 17, macOS 14, tvOS 17, watchOS 10, *),
                    let composite = object.entity.attributesByName[path[0]] as? NSCompositeAttributeDescription,
                    let element = composite.elements.first(where: { $0.name == path[1] })
                else {
                    note("\(entity.name).\(path.joined(separator: ".")) is not an element of the Core Data model")
                    return
                }
                guard let value = try self.value(value, element, entity.name) else { return }
                var parts = object.value(forKey: path[0]) as? [String: Any] ?? [:]
                parts[path[1]] = value
                object.setValue(parts, forKey: path[0])
            }

            private mutating func value(_ value: Any, _ attribute: NSAttributeDescription, _ entity: String) throws -> Any? {
                if value is NSNull { return nil }
                var value = value
                if let file = value as? [String: Any], let path = file["file"] as? String {
                    guard file["failure"] == nil else {
                        note("\(entity).\(attribute.name): a value could not be read when the store was exported; see “\(path)”")
                        return nil
                    }
                    value = try Data(contentsOf: folder.appendingPathComponent(path))
                }
                let found: Any?
                switch attribute.attributeType {
                case .doubleAttributeType, .floatAttributeType:
                    found = value as? NSNumber ?? (value as? String).flatMap(Double.init).map { NSNumber(value: $0) }
                case .decimalAttributeType:
                    found = (value as? String).map { NSDecimalNumber(string: $0, locale: Locale(identifier: "en_US_POSIX")) }
                case .dateAttributeType: found = (value as? String).flatMap(Self.date)
                case .UUIDAttributeType: found = (value as? String).flatMap(UUID.init(uuidString:))
                case .URIAttributeType: found = (value as? String).flatMap { URL(string: $0) }
                case .transformableAttributeType: found = try transformable(entity, attribute.name, value)
                default: found = value
                }
                if found == nil { note("\(entity).\(attribute.name): a value has an unexpected form") }
                return found
            }

            /// Returns the date of ISO 8601 text with any number of fractional digits.
            private static func date(_ text: String) -> Date? {
                if text.hasSuffix(" s since 2001") {
                    return Double(text.dropLast(" s since 2001".count)).map(Date.init(timeIntervalSinceReferenceDate:))
                }
                let parts = text.dropLast().split(separator: ".", maxSplits: 1)
                guard text.hasSuffix("Z"), let start = parts.first else { return nil }
                let whole = ISO8601DateFormatter().date(from: "\(start)Z")
                let fraction = parts.count == 2 ? Double("0.\(parts[1])") : 0
                guard let whole, let fraction else { return nil }
                return whole.addingTimeInterval(fraction)
            }

            // MARK: - Relationships

            private mutating func loadLinks(of entity: String, _ name: String) throws {
                for line in try lines("\(entity).\(name).jsonl") {
                    guard let id = line["_id"] as? NSNumber, let target = line[name] as? [String: Any],
                        let kind = target["entity"] as? String, let number = target["_id"] as? NSNumber
                    else { continue }
                    let source = Reference(entity: entity, id: id.int64Value)
                    let position = (line["_position"] as? NSNumber)?.int64Value
                    links.append(Link(source, name, Reference(entity: kind, id: number.int64Value), position: position))
                }
            }

            /// Connects the objects.
            ///
            /// Ordered relationships are set as a whole in the end, because setting their inverses adds objects to them.
            private mutating func connect() {
                var lists: [List: [NSManagedObject]] = [:]
                let ordered = links.enumerated().sorted { left, right in
                    let positions = (left.element.position ?? .min, right.element.position ?? .min)
                    return positions.0 == positions.1 ? left.offset < right.offset : positions.0 < positions.1
                }
                for link in ordered.map(\.element) {
                    guard let source = objects[link.source], let target = objects[link.target] else {
                        note("\(link.source.entity).\(link.name) refers to an object that was not exported")
                        continue
                    }
                    guard let relationship = source.entity.relationshipsByName[link.name] else {
                        note("\(link.source.entity).\(link.name) is not a relationship of the Core Data model")
                        continue
                    }
                    connect(source, target, relationship, &lists)
                }
                for (list, members) in lists {
                    list.object.setValue(NSOrderedSet(array: members), forKey: list.name)
                }
            }

            private func connect(
                _ source: NSManagedObject,
                _ target: NSManagedObject,
                _ relationship: NSRelationshipDescription,
                _ lists: inout [List: [NSManagedObject]]
            ) {
                if relationship.isToMany, relationship.isOrdered {
                    let list = List(object: source, name: relationship.name)
                    lists[list, default: []].append(target)
                } else if relationship.isToMany {
                    source.mutableSetValue(forKey: relationship.name).add(target)
                } else if let inverse = relationship.inverseRelationship, inverse.isToMany, inverse.isOrdered {
                    let list = List(object: target, name: inverse.name)
                    lists[list, default: []].append(source)
                } else {
                    source.setValue(target, forKey: relationship.name)
                }
            }

            // MARK: - Files

            /// Returns the objects in a file with one object on each line, or none if there is no such file.
            private func lines(_ name: String) throws -> [[String: Any]] {
                let url = folder.appendingPathComponent(name)
                guard FileManager.default.fileExists(atPath: url.path) else { return [] }
                return try Data(contentsOf: url).split(separator: UInt8(ascii: "\n")).map { line in
                    try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] ?? [:]
                }
            }

            private mutating func note(_ problem: String) {
                if !problems.contains(problem) { problems.append(problem) }
            }

            private struct Reference: Hashable {
                let entity: String
                let id: Int64
            }

            /// An ordered relationship of an object.
            private struct List: Hashable {
                let object: NSManagedObject
                let name: String
            }

            private struct Link {
                let source: Reference
                let name: String
                let target: Reference
                let position: Int64?

                init(_ source: Reference, _ name: String, _ target: Reference, position: Int64?) {
                    (self.source, self.name, self.target, self.position) = (source, name, target, position)
                }
            }

            private struct Entity {
                let name: String
                /// The destinations of relationships.
                let relationships: [String: String]
                /// The composite and the element that a column belongs to.
                let parts: [String: [String]]

                init(_ name: String, _ relationships: [String: String], parts: [String: [String]]) {
                    (self.name, self.relationships, self.parts) = (name, relationships, parts)
                }
            }

            private static let entities: [Entity] = [
        <#entities#>    ]
        }

        """#
}
