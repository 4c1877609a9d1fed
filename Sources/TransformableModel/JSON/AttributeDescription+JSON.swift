internal import Foundation
internal import Transformable

extension AttributeDescription {
    init(reading reader: JSONObjectReader) {
        let transformer = reader.string("transformer")
        let type: AttributeType? = reader.word("type")
        if type == nil, transformer == nil, reader.tree("type") == nil {
            reader.fault("“type” is missing")
        }
        self.init(reader.requiredString("name"), type ?? .transformed, transformer: transformer)
        isOptional = reader.flag("optional")
        isTransient = reader.flag("transient")
        isIndexed = reader.flag("indexed")
        isUnique = reader.flag("unique")
        setDerivation(Derivation(reading: reader))
        defaultValue = reader.tree("default").flatMap { DefaultValue(reading: $0, for: self.type, in: reader) }
        validation = ValidationRules(
            minimum: reader.number("minimum"),
            maximum: reader.number("maximum"),
            minimumLength: reader.integer("minimumLength"),
            maximumLength: reader.integer("maximumLength"),
            pattern: reader.string("pattern")
        )
        externalThreshold = reader.object("externalStorage", keys: JSONKeys.external) { $0.integer("over") ?? 0 }
        decoding = reader.word("decode") ?? .onAccess
        encoding = reader.word("encode") ?? .onSave
        projections = reader.objects("projections", keys: JSONKeys.projection) { reader in
            ProjectionDescription(
                reader.requiredString("name"),
                reader.requiredString("transformer"),
                indexed: reader.flag("indexed"),
                reveals: reader.flag("reveals")
            )
        }
        renamedFrom = FormerNames(reading: reader)
        addedIn = reader.integer("addedIn")
        userInfo = reader.strings("userInfo")
    }
}

extension AttributeDescription {
    var tree: JSONTree {
        var members = Members()
        members.add("name", name)
        members.add("type", type.rawValue)
        members.add("transformer", transformer)
        members.add("optional", isOptional)
        members.add("transient", isTransient)
        members.add("indexed", isIndexed)
        members.add("unique", isUnique)
        members.add("derived", derivation?.description)
        members.tree["default"] = defaultValue?.tree
        members.add("minimum", validation.minimum)
        members.add("maximum", validation.maximum)
        members.add("minimumLength", validation.minimumLength)
        members.add("maximumLength", validation.maximumLength)
        members.add("pattern", validation.pattern)
        members.tree["externalStorage"] = externalThreshold.map { .object(["over": .integer(Int64($0))]) }
        members.add("decode", decoding == .onAccess ? nil : decoding.rawValue)
        members.add("encode", encoding == .onSave ? nil : encoding.rawValue)
        members.add("projections", projections.map(\.tree))
        members.tree["renamedFrom"] = renamedFrom.tree
        members.add("addedIn", addedIn)
        members.add("userInfo", userInfo)
        return .object(members.tree)
    }
}

extension DefaultValue {
    init?(reading tree: JSONTree, for type: AttributeType, in reader: JSONObjectReader) {
        switch tree {
        case .integer(let number): self = .integer(number)
        case .number(let text):
            guard let value = Self(number: text, for: type) else {
                reader.fault("“default” is \(text), which has more digits or a larger exponent than its type allows")
                return nil
            }
            self = value
        case .string(let text): self = .string(text)
        case .boolean(let flag): self = .boolean(flag)
        case .object(["make": .string("now")]): self = .now
        case .object(["make": .string("uuid")]): self = .newUUID
        default:
            reader.fault("“default” must be a value, {\"make\": \"now\"}, or {\"make\": \"uuid\"}")
            return nil
        }
    }

    /// Reads a number, or keeps its text if only the text has all of its digits.
    private init?(number text: String, for type: AttributeType) {
        let number = RealText.number(text, as: Double.self)
        if let number, number.says(text) || type == .float || type == .double {
            self = .number(number)
        } else {
            guard let number = try? DecimalText.decimal(text) else { return nil }
            self = .string(DecimalText.text(of: number))
        }
    }

    var tree: JSONTree {
        switch self {
        case .integer(let number): .integer(number)
        // JSON does not distinguish them, and a reader takes both for an integer. That includes -0.0.
        case .number(let number): Int64(exactly: number).map(JSONTree.integer) ?? .number("\(number)")
        case .string(let text): .string(text)
        case .boolean(let flag): .boolean(flag)
        case .now: .object(["make": .string("now")])
        case .newUUID: .object(["make": .string("uuid")])
        }
    }
}

extension FormerNames {
    /// Reads a name, or a list of names and of objects with a name and a version.
    init(reading reader: JSONObjectReader) {
        let key = "renamedFrom"
        guard case .list(let list)? = reader.tree(key) else {
            self.init(reader.string(key).map { [Name($0)] } ?? [])
            return
        }
        self.init(
            list.enumerated()
                .compactMap { index, tree in
                    if case .string(let name) = tree { return Name(name) }
                    return reader.element(index, of: key, tree, keys: JSONKeys.formerName) { reader in
                        Name(reader.requiredString("name"), in: reader.integer("in"))
                    }
                }
        )
    }

    /// A single name without a version is written as a string, for readers that know only this form.
    var tree: JSONTree? {
        guard let first = names.first else { return nil }
        guard names.count > 1 || first.version != nil else { return .string(first.name) }
        return .list(
            names.map { former in
                guard let version = former.version else { return .string(former.name) }
                return .object(["name": .string(former.name), "in": .integer(Int64(version))])
            }
        )
    }
}

extension CompoundProjection {
    init(reading reader: JSONObjectReader) {
        self.init(
            reader.requiredString("name"),
            of: reader.list("attributes").compactMap { Part(reading: $0, in: reader) },
            reader.requiredString("transformer"),
            indexed: reader.flag("indexed"),
            reveals: reader.flag("reveals")
        )
    }

    var tree: JSONTree {
        var members = Members()
        members.add("name", name)
        members.add("attributes", parts.map(\.tree))
        members.add("transformer", transformer)
        members.add("indexed", isIndexed)
        members.add("reveals", reveals)
        return .object(members.tree)
    }
}

extension CompoundProjection.Part {
    init?(reading tree: JSONTree, in reader: JSONObjectReader) {
        if case .string(let name) = tree {
            self.init(name)
        } else if case .object(let members) = tree, members.count == 2,
            case .string(let name)? = members["name"], case .string(let text)? = members["transformer"]
        {
            self.init(name, through: text)
        } else {
            reader.fault("“attributes” must contain only names, or objects with “name” and “transformer”")
            return nil
        }
    }

    var tree: JSONTree {
        transformer.map { .object(["name": .string(attribute), "transformer": .string($0)]) } ?? .string(attribute)
    }
}

extension ProjectionDescription {
    var tree: JSONTree {
        var members = Members()
        members.add("name", name)
        members.add("transformer", transformer)
        members.add("indexed", isIndexed)
        members.add("reveals", reveals)
        return .object(members.tree)
    }
}
