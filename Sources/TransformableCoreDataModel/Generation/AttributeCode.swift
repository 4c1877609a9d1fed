internal import TransformableModel

/// The property of an attribute.
struct AttributeCode {
    let property: PropertyCode
    /// The module that declares the type, or `nil` if it is Swift's.
    let module: String?
    let notes: [CoreDataNote]

    init(_ attribute: AttributeDescription, in entity: String, _ context: CodeContext) {
        var builder = AttributeCodeBuilder(attribute, entity, context)
        property = builder.derived() ?? (attribute.isTransient ? builder.transient() : builder.stored())
        module = builder.type.module
        notes = builder.notes
    }
}

private struct AttributeCodeBuilder {
    private let attribute: AttributeDescription
    private let entity: String
    private let context: CodeContext
    let type: SwiftType
    private(set) var notes: [CoreDataNote] = []

    init(_ attribute: AttributeDescription, _ entity: String, _ context: CodeContext) {
        self.attribute = attribute
        self.entity = entity
        self.context = context
        type = SwiftType(of: attribute, in: entity, context)
    }

    /// Returns the property of a derived attribute, or `nil` if programs set the attribute.
    mutating func derived() -> PropertyCode? {
        guard let derivation = attribute.derivation else { return nil }
        if case .count(let relationship) = derivation {
            var property = PropertyCode(attribute.name, mark: "", type: type.text)
            // Only the model's own types are certain to be integers.
            let label = type.isPlain ? "clamping: " : ""
            property.computation = "\(type.text)(\(label)\(SwiftText.identifier(relationship)).count)"
            return property
        }
        let initial = attribute.isOptional ? nil : placeholder(of: derivation)
        let options = [".derived(\(Self.code(derivation)))"] + columnOptions + historyOptions
        let mark = context.type("Attribute", in: "TransformableEntities")
        var property = PropertyCode(
            attribute.name,
            mark: "@\(mark)\(SwiftText.parenthesized(options))",
            type: initial == nil ? "\(type.text)?" : type.text,
            initial: initial
        )
        property.isDerived = true
        return property
    }

    /// Returns the initial value that a required property needs, although no saved object has it, or `nil` if code cannot
    /// express one.
    private mutating func placeholder(of derivation: Derivation) -> String? {
        if let initial = context.map.initialValues["\(entity).\(attribute.name)"] { return initial }
        guard type.isPlain else {
            note("became optional, because it has no initial value; add one to “initialValues” in a map")
            return nil
        }
        return derivation == .dateOfChange ? ".distantPast" : "\"\""
    }

    private static func code(_ derivation: Derivation) -> String {
        switch derivation {
        case .count(let name): ".count(of: \(SwiftText.literal(name)))"
        case .lowercased(let name): ".lowercased(\(SwiftText.literal(name)))"
        case .uppercased(let name): ".uppercased(\(SwiftText.literal(name)))"
        case .folded(let name): ".folded(\(SwiftText.literal(name)))"
        case .dateOfChange: ".dateOfChange"
        }
    }

    mutating func stored() -> PropertyCode {
        if type.isGuess {
            let expression = SwiftText.plain(attribute.storedExpression)
            let remedy = "add the type to “types” in a map"
            note("the Swift type of the transformer “\(expression)” is unknown, so the property is Data; \(remedy)")
        }
        let value = initialValue()
        var options = value?.option.map { [$0] } ?? []
        options += columnOptions + ruleOptions + historyOptions + attribute.projections.map(Self.option)
        if attribute.type == .transformed {
            options.insert("transformer: \(SwiftText.literal(attribute.storedExpression))", at: 0)
        }
        let list = SwiftText.parenthesized(options)
        return PropertyCode(
            attribute.name,
            mark: list.isEmpty ? "" : "@\(context.type("Attribute", in: "TransformableEntities"))\(list)",
            type: attribute.isOptional ? "\(type.text)?" : type.text,
            initial: value?.initial,
            needsValue: !attribute.isOptional && value == nil
        )
    }

    /// A transient property needs an initial value, so that it is optional unless it has a default.
    mutating func transient() -> PropertyCode {
        let value = attribute.type == .undefined ? nil : initialValue()
        let isKnown = attribute.type != .undefined || !type.isGuess
        let name = isKnown ? type.text : "Any"
        return PropertyCode(
            attribute.name,
            mark: "@\(context.type("Transient", in: "TransformableEntities"))",
            type: attribute.isOptional || value == nil ? "\(name)?" : name,
            initial: value?.initial
        )
    }

    private mutating func initialValue() -> (initial: String, option: String?)? {
        if let initial = context.map.initialValues["\(entity).\(attribute.name)"] {
            let option = attribute.defaultValue.map { ".default(\(DefaultCode.code($0)))" }
            return (initial, attribute.isTransient ? nil : option)
        }
        guard let value = attribute.defaultValue else { return nil }
        if let code = type.isPlain ? DefaultCode(value, for: attribute.type, as: type) : nil {
            return (code.initial, attribute.isTransient ? nil : code.option)
        }
        let remedy = "add one to “initialValues” in a map"
        note("left out the default \(DefaultCode.code(value)), which cannot be written in Swift; \(remedy)")
        return nil
    }

    private mutating func note(_ text: String) {
        notes.append(CoreDataNote(entity: entity, property: attribute.name, text))
    }

    // MARK: - Options

    private var columnOptions: [String] {
        var options: [String] = []
        if attribute.isUnique { options.append(".unique") }
        if attribute.isIndexed { options.append(".indexed") }
        if let bytes = attribute.externalThreshold { options.append(".externalStorage(over: \(bytes))") }
        if attribute.decoding != .onAccess { options.append(".decode(.\(attribute.decoding.rawValue))") }
        if attribute.encoding != .onSave { options.append(".encode(.\(attribute.encoding.rawValue))") }
        return options
    }

    private var ruleOptions: [String] {
        let rules = attribute.validation
        let lengths = (rules.minimumLength.map { "\($0)" }, rules.maximumLength.map { "\($0)" })
        let limits = (rules.minimum.map(SwiftText.literal), rules.maximum.map(SwiftText.literal))
        return Self.option("range", limits) + Self.option("length", lengths)
            + (rules.pattern.map { [".pattern(\(SwiftText.literal($0)))"] } ?? [])
    }

    /// Returns an option with a range that may have only one limit.
    private static func option(_ name: String, _ limits: (least: String?, most: String?)) -> [String] {
        switch limits {
        case (nil, nil): []
        case (let least?, nil): [".\(name)((\(least))...)"]
        case (nil, let most?): [".\(name)(...(\(most)))"]
        case (let least?, let most?): [".\(name)(\(least) ... \(most))"]
        }
    }

    private var historyOptions: [String] {
        let former = attribute.renamedFrom.names.map { former in
            let version = former.version.map { ", in: \($0)" } ?? ""
            return ".renamed(from: \(SwiftText.literal(former.name))\(version))"
        }
        return former + (attribute.addedIn.map { [".added(in: \($0))"] } ?? [])
    }

    private static func option(_ projection: ProjectionDescription) -> String {
        var list = [SwiftText.literal(projection.transformer), "as: \(SwiftText.literal(projection.name))"]
        if !projection.isIndexed { list.append("indexed: false") }
        if projection.reveals { list.append(".revealing") }
        return ".projected(\(list.joined(separator: ", ")))"
    }
}
