extension ArchiveTree {
    /// Turns a dictionary with text keys into an object, and its pairs into fields.
    ///
    /// Scalars are stored in their fields, as a class's own `encode(_:forKey:)` stores them.
    mutating func makeObject(_ index: Int, of named: any KeyedArchiveNamed.Type) {
        let members = children(of: index)
        set(index, to: ArchivedClass(named.archiveClassName))
        relink(index, .instance, children: members)
        for member in members {
            escapeKey(of: member)
            switch nodes[member].kind {
            case .boolean, .integer, .wideInteger, .real: makeInline(member)
            case .null: set(member, .none)
            default: break
            }
        }
        removeDuplicateKeys(of: index)
        guard named.archiveVersion != 0 else { return }
        let version = add(to: index, key: ArchivedFields.version)
        set(version, to: Int128(named.archiveVersion))
        makeInline(version)
    }

    /// Removes fields of an object whose key occurs again later.
    package mutating func removeDuplicateKeys(of index: Int) {
        guard nodes[index].kind == .instance else { return }
        let fields = children(of: index)
        var last: [UInt32: Int] = [:]
        for field in fields {
            last[nodes[field].key] = field
        }
        guard last.count < fields.count else { return }
        relink(index, .instance, children: fields.filter { last[nodes[$0].key] == $0 })
    }

    private mutating func escapeKey(of index: Int) {
        let bytes = texts.bytes[texts.range(of: nodes[index].key)]
        guard bytes.first == UInt8(ascii: "$") else { return }
        setKey(of: index, to: String(decoding: bytes, as: UTF8.self).escapedFieldName)
    }
}

extension String {
    /// The name of a field for a key.
    ///
    /// Names that begin with `$` belong to the archiver, so such keys are escaped.
    package var escapedFieldName: String { hasPrefix("$") ? "$" + self : self }
}
