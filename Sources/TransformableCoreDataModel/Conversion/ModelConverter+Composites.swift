internal import TransformableModel

extension ModelConverter {
    /// Converts a composite, which can be a structure of SwiftData or an enumeration.
    mutating func convertComposite(
        _ attribute: CoreDataAttribute,
        into result: inout EntityDescription,
        place: CoreDataNote
    ) {
        if let raw = attribute.rawValue {
            var plain = raw
            plain.isOptional = attribute.isOptional
            plain.defaultValue = raw.defaultValue ?? attribute.defaultValue
            plain.renamingIdentifier = attribute.renamingIdentifier
            note("the enumeration became a plain attribute of its raw type \(raw.type.name)", place, isLoss: false)
            result.attributes.append(convertPlain(plain, place: place))
            return
        }
        guard !attribute.isTransient else {
            note("dropped the transient composite", place)
            return
        }
        var parts: [AttributeDescription] = []
        for element in attribute.elements { append(element, prefix: "", to: &parts, place: place) }
        guard !parts.isEmpty else {
            note("dropped the composite, because it has no elements", place)
            return
        }
        var composite = CompositeDescription(attribute.name, optional: attribute.isOptional, parts: parts)
        composite.renamedFrom = formerNames(attribute.renamingIdentifier)
        if let cases = attribute.userInfo["enum"] {
            note("the enumeration with the cases \(cases) became a composite of their values", place, isLoss: false)
        }
        result.composites.append(composite)
    }

    /// Adds an element to the parts of a composite, or the elements of a composite in it.
    private mutating func append(
        _ element: CoreDataAttribute,
        prefix: String,
        to parts: inout [AttributeDescription],
        place: CoreDataNote
    ) {
        let name = prefix + element.name
        let place = CoreDataNote(entity: place.entity, property: "\(place.property ?? "").\(name)", "")
        guard element.type != .composite else {
            if element.rawValue == nil {
                let text = "the parts of this inner composite became parts of the outer one, with names joined by “_”"
                note(text, place, isLoss: false)
            }
            if let raw = element.rawValue {
                append(raw.renamed(element.name), prefix: prefix, to: &parts, place: place)
            } else {
                for inner in element.elements { append(inner, prefix: "\(name)_", to: &parts, place: place) }
            }
            return
        }
        guard !element.isTransient else {
            note("dropped the transient element", place)
            return
        }
        let part = convertPlain(element.renamed(name), place: place)
        if part.type == .data {
            let remedy = "name the expression “json” in a map to read them"
            note("these bytes are JSON if SwiftData stored an array in a structure: \(remedy)", place, isLoss: false)
        }
        parts.append(part)
    }
}

extension CoreDataAttribute {
    /// The element that holds the raw value of an enumeration of SwiftData, or `nil` if the composite is something else.
    var rawValue: CoreDataAttribute? {
        // The list of cases says that the elements are the associated values.
        let isEnumeration = ["YES", "1", "true"].contains(userInfo["EnumType"]) && userInfo["enum"] == nil
        guard isEnumeration, elements.count == 1, elements[0].name == name, elements[0].type != .composite else {
            return nil
        }
        return elements[0]
    }

    fileprivate func renamed(_ name: String) -> Self {
        var copy = self
        copy.name = name
        return copy
    }
}
