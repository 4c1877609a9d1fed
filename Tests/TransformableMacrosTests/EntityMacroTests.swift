import Testing

@Suite struct EntityMacroTests {
    /// All methods that a class may have, whether it has them or not.
    private func hooks(_ name: String) -> String {
        let methods = [
            "awakeFromInsert", "awakeFromFetch", "willSave", "didSave", "prepareForDeletion", "validateForInsert",
            "validateForUpdate", "validateForDelete",
        ]
        return "schema.hooks(\(methods.map { "\(name).\($0)" }.joined(separator: ", ")))"
    }

    @Test func expandsAttributes() {
        Expansion.check(
            """
            @Entity
            final class Patient {
                var name: String
                @Attribute(.indexed) var age: Int?
                var count = 0
                @Transient var isSelected = false
                init(name: String) { self.name = name }
            }
            """,
            is: #"""
                final class Patient {
                    @TransformableEntities._EntityAttribute(0)
                    var name: String
                    @TransformableEntities._EntityAttribute(1) var age: Int?
                    @TransformableEntities._EntityAttribute(2)
                    var count = 0
                    @TransformableEntities._EntityTransient var isSelected = false
                    init(name: String) { self.name = name }

                    static let entityName = "Patient"

                    static let _entitySchema = TransformableEntities._EntitySchema(of: Patient.self) { schema in
                        schema.attribute("name", \.name)
                        schema.attribute("age", \.age, .indexed)
                        schema.attribute("count", \.count, .default(0), initial: {
                                0
                            })
                        schema.steps(\.?.name, \.?.age, \.?.count)
                        \#(hooks("Patient"))
                        schema.transients { object in
                            object.isSelected = false
                        }
                    }

                    let _record = TransformableEntities._EntityRecord()

                    init(_stored object: TransformableStore.ManagedObject) {
                        _record.attach(object)
                    }
                }

                nonisolated extension Patient: TransformableEntities.Entity, TransformableEntities._EntityClass {
                }
                """#
        )
    }

    @Test(arguments: [
        ("@Transient var a = 1, b: Int?", "object.a = 1; object.b = nil"),
        ("@Transient weak var a: Ward?", "object.a = nil"),
        ("@Transient @Kept var `in` = [1]", "object.`in` = [1]"),
    ])
    func resetsTransientProperties(property: String, text: String) {
        let expansion = Expansion.ofClass(property)
        #expect(expansion.contains("schema.transients { object in"))
        for assignment in text.split(separator: "; ") { #expect(expansion.contains(assignment)) }
    }

    @Test func resetsTransientPropertiesWithinTheirConditions() {
        let expansion = Expansion.ofClass(
            "#if DEBUG\n    @Transient var a = 1\n    #else\n    @Transient lazy var b = 2\n    #endif"
        )
        #expect(expansion.contains("object.a = 1"))
        #expect(!expansion.contains("object.b"))
        #expect(expansion.ranges(of: "#if DEBUG").count == 2)
    }

    @Test(arguments: [
        "@Transient lazy var a = 1", "@Transient let a = 1", "@Transient @Kept var a = 1",
        "@Transient var a = 1 { didSet {} }", "@Transient var a = 1 { willSet {} }", "@Transient var a = 1, b = 2",
    ])
    func observesNoOtherTransientProperties(property: String) {
        #expect(!Expansion.ofClass(property).contains("_EntityTransient"))
    }

    @Test func observesATransientProperty() {
        Expansion.check(
            "@_EntityTransient var isSelected = false",
            is: """
                var isSelected = false {
                    didSet {
                        _record.noteTransientChange()
                    }
                }
                """
        )
    }

    @Test(arguments: ["@Transient lazy var a = 1", "@Transient let a = 1", "@Transient @MainActor var a = 1"])
    func leavesOtherTransientPropertiesAlone(property: String) {
        #expect(!Expansion.ofClass(property).contains("transients"))
    }

    @Test func expandsRelationshipsAndKeepsTheAccessLevel() {
        Expansion.check(
            #"""
            @Entity("Station", renamedFrom: "Wing", addedIn: 2, unique: [["title"]], projections: [.init("both", of: ["title"], "sha256")], authenticatesRows: true, isShared: true)
            public final class Ward {
                var title: String?
                @Relationship(deleteRule: .cascade, inverse: \Visit.ward) var visits: [Visit]
            }
            """#,
            is: #"""
                public final class Ward {
                    @TransformableEntities._EntityAttribute(0)
                    var title: String?
                    @TransformableEntities._EntityReference(0) var visits: [Visit]

                    public static let entityName = "Station"

                    public static let _entitySchema = TransformableEntities._EntitySchema(of: Ward.self, renamedFrom: "Wing", addedIn: 2, unique: [["title"]], projections: [.init("both", of: ["title"], "sha256")], authenticatesRows: true, isShared: true) { schema in
                        schema.attribute("title", \.title)
                        schema.relationship("visits", \.visits, deleteRule: .cascade, inverse: \Visit.ward, named: "ward")
                        schema.steps(\.?.title, \.?.visits)
                        \#(hooks("Ward"))
                    }

                    public let _record = TransformableEntities._EntityRecord()

                    public init(_stored object: TransformableStore.ManagedObject) {
                        _record.attach(object)
                    }

                    init() {
                    }
                }

                nonisolated extension Ward: TransformableEntities.Entity, TransformableEntities._EntityClass {
                }
                """#
        )
    }

    @Test func requiresTheFirstInheritedTypeToBeAProtocol() {
        Expansion.check(
            """
            @Entity
            final class Box: @preconcurrency Clinic.Named, Hashable {
                var sizes: [Int] = { [1] }()
            }
            """,
            is: #"""
                final class Box: @preconcurrency Clinic.Named, Hashable {
                    @TransformableEntities._EntityAttribute(0)
                    var sizes: [Int] = { [1] }()

                    static let entityName = "Box"

                    static let _entitySchema = TransformableEntities._EntitySchema(of: Box.self) { schema in
                        schema.hasNoSuperclass((any Clinic.Named).self)
                        schema.attribute("sizes", \.sizes, initial: {
                                ({
                                        [1]
                                    }())
                            })
                        schema.steps(\.?.sizes)
                        \#(hooks("Box"))
                    }

                    private static let _offsetBox = TransformableEntities._EntityOffset()

                    let _record = TransformableEntities._EntityRecord()

                    init(_stored object: TransformableStore.ManagedObject) {
                        _record.attach(object)
                    }

                    init() {
                    }
                }

                nonisolated extension Box: TransformableEntities.Entity, TransformableEntities._EntityClass {
                }
                """#
        )
    }

    @Test(arguments: [
        ("deinit {}", true), ("#if DEBUG\n    deinit {}\n    #endif", true), ("func close() {}", false),
        ("@Transient var owner: Ward?", true), ("@Transient var owner = Ward(), other = 1", true),
        ("#if DEBUG\n    @Transient var owner: Ward?\n    #endif", true), ("@Transient var isSelected = false", false),
        ("@Transient @Kept var count = 0", true),
    ])
    func tellsWhetherCodeRunsWhenAnObjectGoes(member: String, isTold: Bool) {
        #expect(Expansion.ofClass("var name: String?\n    \(member)").contains("schema.hasDeinit()") == isTold)
    }

    @Test(arguments: [
        ("[Int]", "[]", #""[]""#), ("Set<Int>", "Set<Int>()", #""[]""#), ("[String: Data]", "[:]", #""{}""#),
        ("Date", ".now", ".now"), ("Double", "-1.5", "-1.5"),
        ("UInt64", "0x7FFF_FFFF_FFFF_FFFF", "0x7FFF_FFFF_FFFF_FFFF"),
        ("Int64", "-9_223_372_036_854_775_808", "-9_223_372_036_854_775_808"),
    ])
    func passesInitialValuesToTheModel(type: String, initial: String, text: String) {
        #expect(Expansion.ofClass("var list: \(type) = \(initial)").contains(".list, .default(\(text)), initial:"))
    }

    @Test(arguments: [
        ("[Int]", "[1]"), ("[Int]?", "[]"), ("[Key: Int]", "[:]"), ("UUID", "make()"), ("OrderID", "OrderID()"),
        ("OrderID", ".init()"), ("Size", "Size(rawValue: next())"), ("Mood", "defaults.mood"), ("Name", "\"\\(a)\""),
        ("UInt64", "0x8000_0000_0000_0000"), ("Double", "10_000_000_000_000_000_000"),
        ("Double", "-10_000_000_000_000_000_000"), ("Decimal", "Decimal()"), ("String?", "String()"),
    ])
    func omitsInitialValuesThatOnlyCodeCanExpress(type: String, initial: String) {
        #expect(Expansion.ofClass("var list: \(type) = \(initial)").contains(".list, initial:"))
    }

    @Test(arguments: [
        ("Mood", ".low"), ("Mood?", "Mood.low"), ("Size", "Size(rawValue: -3)"), ("Name", "\"a\""), ("Flags", "[]"),
        ("Flags", "[.a, Shapes.Flags.b]"),
    ])
    func marksConstantsThatMayHaveRawValues(type: String, initial: String) {
        #expect(Expansion.ofClass("var list: \(type) = \(initial)").contains(".list, isConstant: true, initial:"))
    }

    @Test func projectedValuesOfOpenPropertiesArePublic() {
        Expansion.check(
            "@_EntityAttribute(2) open var name: String?",
            is: """
                open var name: String? {
                    get {
                        _record.value(2)
                    }
                    set {
                        _record.setValue(newValue, 2)
                    }
                }

                public var $name: TransformableEntities.EntityAttribute<String?> {
                    .init(_of: self, 2)
                }
                """
        )
    }

    @Test(arguments: [
        ("String", "", "value(2)"), ("Int", " = 3", "value(2, or: 3)"), ("[Int]?", " = nil", "value(2)"),
        ("Bool", " = false", "value(2, or: false)"),
    ])
    func expandsAccessors(type: String, initial: String, read: String) {
        Expansion.check(
            "@_EntityAttribute(2) public private(set) var name: \(type)\(initial)",
            is: """
                public private(set) var name: \(type) {
                    get {
                        _record.\(read)
                    }
                    set {
                        _record.setValue(newValue, 2)
                    }
                }

                public var $name: TransformableEntities.EntityAttribute<\(type)> {
                    .init(_of: self, 2)
                }
                """
        )
    }

    @Test(arguments: [
        ("1", "Int"), ("-2", "Int"), ("1.5", "Double"), ("\"a\\(b)\"", "String"), ("true", "Bool"), ("Data()", "Data"),
        ("[String: Int]()", "[String: Int]"), ("Set<Int>()", "Set<Int>"),
    ])
    func infersTheTypeOfAnInitialValue(initial: String, type: String) {
        Expansion.check(
            "@_EntityAttribute(2) var name = \(initial)",
            is: """
                var name {
                    get {
                        _record.value(2, or: \(initial))
                    }
                    set {
                        _record.setValue(newValue, 2)
                    }
                }

                var $name: TransformableEntities.EntityAttribute<\(type)> {
                    .init(_of: self, 2)
                }
                """
        )
    }

    @Test func expandsReferences() {
        Expansion.check(
            "@_EntityReference(1) var visits: [Visit]",
            is: """
                var visits: [Visit] {
                    get {
                        _record.reference(1)
                    }
                    set {
                        _record.setReference(newValue, 1)
                    }
                    _modify {
                        var lent: TransformableEntities._LentEntities<Visit> = _record.lend(1)
                        defer {
                            _record.settle(&lent, 1)
                        }
                        yield &lent.objects
                    }
                }
                """
        )
        Expansion.check(
            "@_EntityReference(0) var ward: Ward?",
            is: """
                var ward: Ward? {
                    get {
                        _record.reference(0)
                    }
                    set {
                        _record.setReference(newValue, 0)
                    }
                }
                """
        )
    }
}
