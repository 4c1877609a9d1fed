internal import Transformable

/// Binds the terms of a condition.
struct TermBinder {
    let conditions: ConditionBinder

    private var scope: Scope { conditions.scope }

    func bind(_ term: Term) throws -> Subject {
        try Self(conditions: conditions.deeper()).subject(of: term)
    }

    private func subject(of term: Term) throws -> Subject {
        switch term {
        case .path(let path): try value(path.names[...], from: conditions.start(path))
        case .constant(let operand): try constant(operand)
        case .arithmetic(let left, let sign, let right, let width): try arithmetic(left, sign, right, width)
        case .negative(let term, let width): try negative(term, width)
        case .length(let term): try length(term)
        case .count(let path, let node):
            try many(path.names[...], from: conditions.start(path), .count, node)
        case .summary(let function, let path): try many(path.names[...], from: conditions.start(path), function, nil)
        case .coalesced(let first, let second): try coalesced(first, second)
        case .either(let node, let first, let second): try either(node, first, second)
        case .ifPresent(let first, let second): try ifPresent(first, second)
        case .unwrapped(let term): try unwrapped(term)
        case .truth(let node): computed(try conditions.bind(node).holds.expression, .boolean)
        }
    }

    private func computed(_ value: Expression, _ kind: ValueKind) -> Subject {
        Subject(value: value, kind: kind, entity: scope.entity.name)
    }

    private func constant(_ value: ColumnValue, _ kind: ValueKind) -> Subject { computed(.constant(value), kind) }

    private var nothing: Subject { computed(.null, .nothing) }

    private func failure(_ message: String) -> StoreError {
        StoreError(.invalidCondition, message, entity: scope.entity.name)
    }

    // MARK: - Columns

    /// Returns the bare column of an attribute, projection, or reference, or the object's number.
    func column(_ name: String, of owner: Scope) throws -> Subject {
        let entity = owner.entity
        let value = Expression.sql(owner.column(name))
        var subject = Subject(value: value, kind: .object(entity.name), name: name, entity: entity.name)
        guard name != "_id" else { return subject }
        if let (attribute, index) = entity.projection(name) {
            if let failure = attribute.projections[index].failure { throw failure }
            subject.kind = ValueKind(columnType: attribute.projections[index].columnType)
            return subject
        }
        guard !entity.keepsInMemory(name) else { throw entity.unknownRelationship(name) }
        let attribute = try entity.attribute(name)
        if let failure = attribute.failure { throw failure }
        if case .count(let relationship)? = attribute.derivation {
            subject.value = try many([relationship], from: owner, .count, .constant(true)).value
            (subject.kind, subject.attribute) = (.integer, attribute)
            return subject
        }
        guard attribute.cell != nil else {
            throw conditions.refusal(name, owner, "it is kept only in memory, so conditions cannot use it")
        }
        guard !attribute.isExternal, let kind = ValueKind(attribute.description.type) else {
            throw conditions.refusal(
                name,
                owner,
                """
                it is stored by a transformer or in files, so it can only be compared with values: nothing can be \
                computed from it, or grouped by it
                """
            )
        }
        let reference = entity.relationships.lazy.flatMap(\.parts).first { $0.storage == .column(attribute.index) }
        subject.kind = reference.map { .object($0.destination) } ?? kind
        subject.attribute = attribute
        return subject
    }

    /// Returns the value at the end of a path through to-one relationships.
    private func value(_ names: ArraySlice<String>, from owner: Scope) throws -> Subject {
        guard let names = conditions.narrowed(names, in: owner.entity) else { return nothing }
        guard let name = names.first else { return try column("_id", of: owner) }
        if let part = owner.entity.partName(ofPath: names.joined(separator: ".")) {
            return try guarded(column(part, of: owner), part, of: owner)
        }
        guard let (relationship, rest) = conditions.step(names, from: owner.entity) else {
            guard names.count == 1 else { throw owner.entity.unknownRelationship(name) }
            return try guarded(column(name, of: owner), name, of: owner)
        }
        guard !relationship.description.isToMany else {
            throw conditions.refusal(name, owner, "it can have many objects, which have no single value")
        }
        if rest.isEmpty, relationship.leadsToFamily {
            throw conditions.refusal(
                name,
                owner,
                "it refers to objects of several entities, so it can only be compared with objects"
            )
        }
        if rest.isEmpty, case .column(let index) = relationship.storage {
            let name = owner.entity.attributes[index].name
            return try guarded(column(name, of: owner), name, of: owner)
        }
        return try one(
            of: conditions.joins(relationship, of: owner)
                .map { join in
                    let binder = TermBinder(conditions: conditions.entering(join.scope))
                    var inner = try binder.value(rest, from: join.scope)
                    inner.value = join.value(of: inner.value)
                    return inner
                }
        )
    }

    /// Returns the value at the end of a to-one relationship, given the values in each of the tables it may lead to.
    private func one(of subjects: [Subject]) throws -> Subject {
        guard var subject = subjects.first else { return nothing }
        for other in subjects.dropFirst() { subject.kind = try common(subject, other) }
        subject.value = .coalescing(typed(subjects))
        return subject
    }

    /// Guards a column, so that it is an error to compute with it if it does not contain a value of its type.
    private func guarded(_ subject: Subject, _ name: String, of owner: Scope) throws -> Subject {
        // A count is no cell.
        guard subject.attribute == nil || subject.attribute?.cell != nil, let column = subject.value.sql else {
            return subject
        }
        var guarded = subject
        let kind = subject.kind
        let connection = try conditions.context.database()
        let value = try kind == .text ? TextColumn.key(name, of: owner, on: connection) : subject.value
        guard conditions.dialect.has(.dynamicTypes) else {
            guarded.value = value
            return guarded
        }
        guard let sql = value.sql else {
            guarded.value = .swift([subject.value, value]) { arguments in
                let cell = try arguments[0]
                guard cell == .null || cell.storageClass == kind.storageClass else { throw CellFault(subject).error }
                return try arguments[1]
            }
            return guarded
        }
        guarded.value = .sql(
            """
            CASE typeof(\(column)) WHEN '\(raw: kind.storageClass)' THEN \(sql) WHEN 'null' THEN NULL \
            ELSE \(CellFault(subject).raise(for: column)) END
            """
        )
        return guarded
    }

    // MARK: - Constants

    private func constant(_ operand: Operand) throws -> Subject {
        guard case .literal(let literal) = operand else {
            guard case .held(let value) = operand else { return nothing }
            return try constant(value)
        }
        return switch literal {
        case .null: nothing
        case .boolean(let flag): constant(.integer(flag ? 1 : 0), .boolean)
        case .integer(let number): constant(.integer(number), .integer)
        case .number(let number, _): constant(.real(number), .double)
        case .string(let text): constant(.text(text.composed), .text)
        case .date(let text): constant(PlainText.column(text, as: .date) ?? .null, .date)
        }
    }

    private func constant(_ value: Operand.Value) throws -> Subject {
        if let id = value.objectID { return constant(.integer(id.number), .object(id.entity)) }
        guard let plain = Subject.plain(value.content), let kind = ValueKind(type(of: plain).attributeType) else {
            throw failure("a value of type \(type(of: value.content)) cannot be used in a computation")
        }
        return constant(try computed(.null, kind).column(of: .held(value)), kind)
    }

    // MARK: - Numbers

    private func arithmetic(
        _ leftTerm: Term,
        _ sign: Arithmetic.Sign,
        _ rightTerm: Term,
        _ width: Arithmetic.Width?
    ) throws -> Subject {
        let (left, right) = (try bind(leftTerm), try bind(rightTerm))
        guard left.kind != .nothing, right.kind != .nothing else { return nothing }
        let kind = try kind(left, right, of: sign.rawValue)
        guard sign != .remainder || kind == .integer else {
            throw failure("the remainder is defined only for integers")
        }
        let arithmetic = Arithmetic(sign: sign, width: width ?? Self.width(of: kind))
        let operands = [try operand(leftTerm, left, kind), try operand(rightTerm, right, kind)]
        return computed(.swift(operands) { try arithmetic.result($0[0], $0[1]) }, kind)
    }

    private func negative(_ term: Term, _ width: Arithmetic.Width?) throws -> Subject {
        let subject = try bind(term)
        guard subject.kind != .nothing else { return nothing }
        guard subject.kind.isNumber || subject.kind == .decimal else {
            throw failure("only numbers can be negated, and this is \(subject.kind.words)")
        }
        return try arithmetic(Self.zero(of: subject.kind), .minus, term, width)
    }

    /// Returns the zero that a number is subtracted from to negate it.
    ///
    /// As in Swift, the negative of 0.0 is -0.0, which differs from 0.0 as a divisor.
    private static func zero(of kind: ValueKind) -> Term {
        switch kind {
        case .float: .constant(.value(-Float.zero))
        case .double: .constant(.value(-Double.zero))
        default: .constant(.literal(.integer(0)))
        }
    }

    private func kind(_ left: Subject, _ right: Subject, of sign: String) throws -> ValueKind {
        switch (left.kind, right.kind) {
        case (.decimal, .decimal), (.decimal, .integer), (.integer, .decimal), (.decimal, .double), (.double, .decimal):
            return .decimal
        case (.double, let other) where other.isNumber, (let other, .double) where other.isNumber: return .double
        case (.float, let other) where other.isNumber, (let other, .float) where other.isNumber: return .float
        case (.integer, .integer): return .integer
        default:
            throw failure("“\(sign)” requires numbers, not \(left.kind.words) and \(right.kind.words)")
        }
    }

    private static func width(of kind: ValueKind) -> Arithmetic.Width {
        switch kind {
        case .integer: .int64
        case .float: .float
        case .decimal: .decimal
        default: .double
        }
    }

    /// Returns a number as text for decimal arithmetic.
    ///
    /// A literal keeps all of its digits.
    private func operand(_ term: Term, _ subject: Subject, _ kind: ValueKind) throws -> Expression {
        guard kind == .decimal, subject.kind != .decimal else { return subject.value }
        if case .constant(.literal(.number(_, let text))) = term {
            guard let number = PlainText.column(text, as: .decimal) else {
                throw failure("“\(text)” has more digits than a decimal number can have")
            }
            return .constant(number)
        }
        return .swift([subject.value]) { arguments in
            switch try arguments[0] {
            case .integer(let number): .text("\(number)")
            case .real(let number): .text("\(number)")
            default: .null
            }
        }
    }

    private func length(_ term: Term) throws -> Subject {
        let subject = try bind(term)
        guard subject.kind != .nothing else { return nothing }
        guard subject.kind == .text || subject.kind == .url else {
            throw failure("only text has a length, and this is \(subject.kind.words)")
        }
        let length = Expression.swift([subject.value]) { arguments in
            if case .text(let text) = try arguments[0] { .integer(Int64(text.count)) } else { .null }
        }
        return computed(length, .integer)
    }

    // MARK: - Choices

    /// Returns the kind that both terms have in common, or the kind of the only one that has a kind.
    private func common(_ first: Subject, _ second: Subject) throws -> ValueKind {
        guard let kind = first.kind.common(with: second.kind) else {
            throw failure("one of the two values is \(first.kind.words), and the other is \(second.kind.words)")
        }
        return kind
    }

    /// Returns a value whose type does not depend on its use.
    ///
    /// PostgreSQL regards parameters of which one is chosen as text.
    private func typed(_ subject: Subject) -> Expression {
        guard !conditions.dialect.has(.dynamicTypes), case .constant(let cell) = subject.value else {
            return subject.value
        }
        // A number that is larger than any integer in a column is a real number, to which PostgreSQL would round others.
        if subject.kind == .integer, cell.storageClass == "real" { return .swift([subject.value]) { try $0[0] } }
        return subject.kind.typeName.map { Expression.sql("CAST(\(cell) AS \(raw: $0))") } ?? subject.value
    }

    /// Returns values of which one is chosen, so that their types do not depend on their use.
    ///
    /// PostgreSQL rounds whole numbers if other values are real numbers, so Swift chooses between them.
    private func typed(_ subjects: [Subject]) -> [Expression] {
        guard !conditions.dialect.has(.dynamicTypes) else { return subjects.map(\.value) }
        let hasReal = subjects.contains { $0.kind.storageClass == "real" }
        let subjects = hasReal ? subjects.map(\.realConstant) : subjects
        guard Set(subjects.map(\.kind.storageClass)).isSuperset(of: ["integer", "real"]) else {
            return subjects.map(typed)
        }
        return subjects.map { subject in .swift([subject.value]) { try $0[0] } }
    }

    private func coalesced(_ first: Term, _ second: Term) throws -> Subject {
        let (first, second) = (try bind(first), try bind(second))
        let kind = try common(first, second)
        return kind == .nothing ? nothing : computed(.coalescing(typed([first, second])), kind)
    }

    private func either(_ node: Condition.Node, _ first: Term, _ second: Term) throws -> Subject {
        let (first, second) = (try bind(first), try bind(second))
        let kind = try common(first, second)
        guard kind != .nothing else { return nothing }
        let values = typed([first, second])
        return computed(try choice(node, values[0], values[1]), kind)
    }

    private func choice(_ node: Condition.Node, _ first: Expression, _ second: Expression) throws -> Expression {
        .combining([try conditions.bind(node).holds.expression, first, second]) {
            "CASE WHEN \($0[0]) THEN \($0[1]) ELSE \($0[2]) END"
        } _: { arguments in
            try arguments[0].isTrue ? arguments[1] : arguments[2]
        }
    }

    private func ifPresent(_ first: Term, _ second: Term) throws -> Subject {
        let second = try bind(second)
        return computed(try choice(.not(.isNull(first)), typed(second), .null), second.kind)
    }

    private func unwrapped(_ term: Term) throws -> Subject {
        var subject = try bind(term)
        let failure = StoreError(
            .missingValue,
            "an object has no value although the condition force-unwraps it",
            entity: scope.entity.name
        )
        subject.value = .swift([subject.value]) { arguments in
            let value = try arguments[0]
            guard value != .null else { throw failure }
            return value
        }
        subject.attribute = nil
        return subject
    }
}

extension Subject {
    /// The same value as a real number if it is a whole constant that is equal to one.
    fileprivate var realConstant: Self {
        guard kind == .integer, case .constant(.integer(let number)) = value, let real = Double(exactly: number) else {
            return self
        }
        var subject = self
        (subject.value, subject.kind) = (.constant(.real(real)), .double)
        return subject
    }
}

// MARK: - To-many relationships

extension TermBinder {
    /// Returns an aggregate over the objects at the end of a path.
    private func many(
        _ names: ArraySlice<String>,
        from owner: Scope,
        _ function: Aggregate.Function,
        _ node: Condition.Node?
    ) throws -> Subject {
        guard let names = conditions.narrowed(names, in: owner.entity) else { return nothing }
        guard let name = names.first else {
            throw failure("an aggregate must follow a to-many relationship")
        }
        guard let (relationship, rest) = conditions.step(names, from: owner.entity) else {
            throw owner.entity.unknownRelationship(name)
        }
        let joins = try conditions.joins(relationship, of: owner)
        guard relationship.description.isToMany else {
            return try one(
                of: joins.map { join in
                    let inner = TermBinder(conditions: conditions.entering(join.scope))
                    var result = try inner.many(rest, from: join.scope, function, node)
                    result.value = join.value(of: result.value)
                    return result
                }
            )
        }
        guard let node else { return try summary(function, of: rest, joins) }
        let counts = try joins.compactMap { join -> Expression? in
            guard let rest = conditions.narrowed(rest, in: join.scope.entity) else { return nil }
            guard rest.isEmpty else { throw failure("“@count” must follow a to-many relationship") }
            return try conditions.objects(join).count(conditions.entering(join.scope).bind(node).holds)
        }
        return computed(.adding(counts), .integer)
    }

    /// Returns an aggregate over an attribute of objects in one or more tables.
    private func summary(
        _ function: Aggregate.Function,
        of names: ArraySlice<String>,
        _ joins: [RelationshipJoin]
    ) throws -> Subject {
        let values = try joins.map { join in
            try TermBinder(conditions: conditions.entering(join.scope)).value(names, from: join.scope)
        }
        guard !joins.isEmpty else { return nothing }
        let value = try one(of: values)
        let kind = try function.kind(of: value)
        // In PostgreSQL, a column of several tables is text if the first two of them have no values.
        let found = zip(joins, values).filter { $1.kind != .nothing }
        let subjects = found.map { $0.1 }
        // The smallest or largest value is one of the values. A sum of numbers of different types is a real number.
        let expressions = function.keepsType ? typed(subjects) : subjects.map(\.value)
        let related = zip(found, expressions).map { (conditions.objects($0.0), $1) }
        return computed(try RelatedObjects.summary(function, of: related, value.kind), kind)
    }
}
