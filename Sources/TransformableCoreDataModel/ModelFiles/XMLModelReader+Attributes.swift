extension XMLModelReader {
    private static let compositeDepthLimit = 8
    private static let compositeElementsLimit = 100_000

    mutating func attributes(of element: XMLElement, place: CoreDataNote) throws(CoreDataError) -> [CoreDataAttribute] {
        var attributes: [CoreDataAttribute] = []
        for child in element.children where child.name == "attribute" {
            let name = try required("name", of: child)
            let place = CoreDataNote(entity: place.entity, property: name, "")
            check(child, known: Known.attribute, place: place)
            var attribute = try attribute(child, name, place: place)
            // Composites are declared outside of entities and can refer to each other, so they are resolved last.
            if element.name == "entity", attribute.type == .composite {
                try resolve(&attribute, depth: 1, child)
            }
            attributes.append(attribute)
        }
        return attributes
    }

    private mutating func attribute(
        _ element: XMLElement,
        _ name: String,
        place: CoreDataNote
    ) throws(CoreDataError) -> CoreDataAttribute {
        var attribute = CoreDataAttribute(
            name,
            try type(of: element),
            optional: flag("optional", of: element, place: place)
        )
        attribute.isTransient = flag("transient", of: element, place: place)
        attribute.isIndexed = flag("indexed", of: element, place: place)
        attribute.transformerName = text("valueTransformerName", of: element)
        attribute.className = text("customClassName", of: element)
        if element["usesScalarValueType"] != nil {
            attribute.usesScalarType = flag("usesScalarValueType", of: element, place: place)
        }
        attribute.allowsExternalStorage = flag("allowsExternalBinaryDataStorage", of: element, place: place)
        attribute.compositeName = text("composite", of: element)
        attribute.allowsCloudEncryption = flag("allowsCloudEncryption", of: element, place: place)
        attribute.preservesValueOnDeletion = flag("preserveAfterDeletion", of: element, place: place)
        attribute.isIndexedBySpotlight = flag("spotlightIndexingEnabled", of: element, place: place)
        if element["syncable"] != nil { attribute.isSyncable = flag("syncable", of: element, place: place) }
        attribute.renamingIdentifier = renaming(of: element)
        attribute.versionHashModifier = text("versionHashModifier", of: element)
        attribute.userInfo = try userInfo(of: element, place)
        if let expression = text("derivationExpression", of: element) {
            attribute.derivation = CoreDataDerivation(expression)
        }
        readRules(of: element, into: &attribute)
        readDefault(of: element, into: &attribute, place: place)
        return attribute
    }

    private func type(of element: XMLElement) throws(CoreDataError) -> CoreDataAttributeType {
        guard let name = text("attributeType", of: element) else {
            return element["composite"] == nil ? .undefined : .composite
        }
        guard let type = CoreDataAttributeType(name: name) else {
            throw fault("the attribute type “\(name)” is unknown", element)
        }
        return type
    }

    private func readRules(of element: XMLElement, into attribute: inout CoreDataAttribute) {
        func number(_ names: String...) -> String? {
            names.lazy.compactMap { text($0, of: element) }.first.map(CoreDataDefaultValue.canonicalNumber)
        }
        attribute.minimum = number("minDateTimeInterval", "minValueString")
        attribute.maximum = number("maxDateTimeInterval", "maxValueString")
        attribute.pattern = text("regularExpressionString", of: element)
    }

    private mutating func readDefault(
        of element: XMLElement,
        into attribute: inout CoreDataAttribute,
        place: CoreDataNote
    ) {
        if attribute.type == .date, let interval = text("defaultDateTimeInterval", of: element).flatMap(Double.init) {
            attribute.defaultValue = .date(interval)
            return
        }
        guard let text = element["defaultValueString"], !text.isEmpty || attribute.type == .string else { return }
        let (value, note) = CoreDataDefaultValue.reading(text, as: attribute.type)
        attribute.defaultValue = value
        if let note { self.note("the default “\(text)” was \(note)", place, isLoss: false) }
    }

    /// Adds the elements of a composite attribute.
    private mutating func resolve(
        _ attribute: inout CoreDataAttribute,
        depth: Int,
        _ element: XMLElement
    ) throws(CoreDataError) {
        guard let name = attribute.compositeName, let elements = composites[name] else {
            throw fault("the composite of “\(attribute.name)” is not declared", element)
        }
        compositeElements += elements.count
        guard depth <= Self.compositeDepthLimit, compositeElements <= Self.compositeElementsLimit else {
            throw fault("the composite “\(name)” contains itself or too many others", element)
        }
        attribute.elements = elements
        for index in elements.indices where elements[index].type == .composite {
            try resolve(&attribute.elements[index], depth: depth + 1, element)
        }
    }
}
