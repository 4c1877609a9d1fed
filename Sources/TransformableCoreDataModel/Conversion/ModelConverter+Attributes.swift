internal import TransformableModel

extension ModelConverter {
    /// The size from which values are in files of their own.
    ///
    /// Core Data does not document its own limit.
    private static let externalThreshold = 100_000
    /// The transformers of the system whose output is a keyed archive.
    private static let archivers: Set = [
        "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer", "NSKeyedUnarchiveFromData",
        "NSKeyedUnarchiveFromDataTransformer",
    ]

    mutating func convert(
        _ attribute: CoreDataAttribute,
        of entity: CoreDataEntity,
        into result: inout EntityDescription
    ) {
        let place = CoreDataNote(entity: entity.name, property: attribute.name, "")
        guard self.attribute(attribute.name, in: Array(chain(of: entity.name).dropFirst())) == nil else {
            note("dropped this declaration, because an ancestor also declares the attribute", place)
            return
        }
        if attribute.type == .composite {
            convertComposite(attribute, into: &result, place: place)
        } else {
            var plain = convertPlain(attribute, place: place)
            derive(&plain, from: attribute, of: entity, place: place)
            result.attributes.append(plain)
        }
    }

    /// Converts an attribute, or an element of a composite, which is not a composite itself.
    mutating func convertPlain(_ attribute: CoreDataAttribute, place: CoreDataNote) -> AttributeDescription {
        var result = AttributeDescription(attribute.name, attribute.type.converted)
        result.isOptional = attribute.isOptional
        result.isTransient = attribute.isTransient
        result.userInfo = attribute.userInfo
        result.renamedFrom = formerNames(attribute.renamingIdentifier)
        if result.type == .undefined, !attribute.isTransient {
            note("became transient, because its type is \(attribute.type.name)", place)
            result.isTransient = true
        }
        if attribute.type == .transformable { convertTransformer(of: attribute, into: &result, place: place) }
        if attribute.type == .binary, let expression = expression(for: attribute, place) {
            (result.type, result.transformer) = (.transformed, expression)
        }
        // Values of other types are never in files.
        if attribute.allowsExternalStorage, !result.isTransient, [.data, .transformed].contains(result.type) {
            result.externalThreshold = Self.externalThreshold
        }
        convertIndex(of: attribute, into: &result, place: place)
        convertDefault(of: attribute, into: &result, place: place)
        convertRules(of: attribute, into: &result, place: place)
        keepSettings(of: attribute, in: &result, place: place)
        return result
    }

    /// Returns the expression in the map: that of the attribute, of its transformer, or of its class.
    private mutating func expression(for attribute: CoreDataAttribute, _ place: CoreDataNote) -> String? {
        let names = Self.mapNames(of: attribute, place)
        mappable.formUnion(names)
        return names.lazy.compactMap { [map] in map.transformers[$0] }.first
    }

    /// Returns the names by which a map can give an attribute an expression, the most specific one first.
    static func mapNames(of attribute: CoreDataAttribute, _ place: CoreDataNote) -> [String] {
        let path = [place.entity, place.property].compactMap(\.self).joined(separator: ".")
        return [path, attribute.transformerName, attribute.className].compactMap(\.self)
    }

    private mutating func convertTransformer(
        of attribute: CoreDataAttribute,
        into result: inout AttributeDescription,
        place: CoreDataNote
    ) {
        result.userInfo[Key.className] = attribute.className
        let name = attribute.transformerName
        result.userInfo[Key.transformer] = name
        if let expression = expression(for: attribute, place) {
            result.transformer = expression
            return
        }
        guard let name, !Self.archivers.contains(name) else { return }
        if name.hasSuffix("SecureUnarchiveFromData") || name.hasSuffix("SecureUnarchiveFromDataTransformer") {
            note("the transformer “\(name)” was read as a keyed archive, as its name suggests", place, isLoss: false)
            return
        }
        result.type = .data
        let remedy = "to decode them, add an expression for it to “transformers” in a map"
        note("the transformer “\(name)” belongs to the app, so the bytes are kept as data; \(remedy)", place)
    }

    private mutating func convertIndex(
        of attribute: CoreDataAttribute,
        into result: inout AttributeDescription,
        place: CoreDataNote
    ) {
        guard attribute.isIndexed else { return }
        if result.canBeIndexed {
            result.isIndexed = true
        } else {
            note("dropped the index, because SQL cannot compare the attribute", place)
        }
    }

    private mutating func convertDefault(
        of attribute: CoreDataAttribute,
        into result: inout AttributeDescription,
        place: CoreDataNote
    ) {
        guard let value = attribute.defaultValue else { return }
        guard let converted = value.converted(for: result.type) else {
            note("dropped the default \(value.text)", place)
            return
        }
        result.defaultValue = converted
    }

    private mutating func keepSettings(
        of attribute: CoreDataAttribute,
        in result: inout AttributeDescription,
        place: CoreDataNote
    ) {
        keepModifier(attribute.versionHashModifier, in: &result.userInfo, place)
        if attribute.isSyncable == false { result.userInfo[Key.syncable] = "NO" }
        let settings = [
            ("allowsCloudEncryption", attribute.allowsCloudEncryption),
            ("preservesValueOnDeletion", attribute.preservesValueOnDeletion),
            ("indexedBySpotlight", attribute.isIndexedBySpotlight),
        ]
        for (name, isSet) in settings where isSet {
            result.userInfo["coredata.\(name)"] = "YES"
            note("kept the setting \(name) as userInfo", place)
        }
    }
}

extension AttributeDescription {
    /// Whether SQL can compare the values.
    var canBeIndexed: Bool { type != .transformed && !isTransient && externalThreshold == nil }
}

extension CoreDataAttributeType {
    /// The type of the attribute in a model of this library.
    var converted: AttributeType {
        switch self {
        case .undefined, .objectID, .composite: .undefined
        case .integer16: .int16
        case .integer32: .int32
        case .integer64: .int64
        case .decimal: .decimal
        case .double: .double
        case .float: .float
        case .string: .string
        case .boolean: .boolean
        case .date: .date
        case .binary: .data
        case .uuid: .uuid
        case .uri: .url
        case .transformable: .transformed
        }
    }
}
