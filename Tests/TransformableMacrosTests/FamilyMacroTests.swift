import Testing

@Suite struct FamilyMacroTests {
    private func hooks(_ name: String) -> String { "schema.hooks(\(methods(of: name)))" }

    private func inheritedHooks(_ name: String) -> String {
        "schema.inheritedHooks(of: \(name).self, \(methods(of: name)))"
    }

    private func methods(of name: String) -> String {
        let methods = [
            "awakeFromInsert", "awakeFromFetch", "willSave", "didSave", "prepareForDeletion", "validateForInsert",
            "validateForUpdate", "validateForDelete",
        ]
        return methods.map { "\(name).\($0)" }.joined(separator: ", ")
    }

    @Test func expandsAClassThatCanHaveChildren() {
        Expansion.check(
            """
            @Entity(isAbstract: true)
            open class Animal {
                var name = ""
                @Transient var isSelected = false
            }
            """,
            is: #"""
                open class Animal {
                    @TransformableEntities._EntityAttribute(0)
                    var name = ""
                    @TransformableEntities._EntityTransient var isSelected = false

                    open class var entityName: String {
                        "Animal"
                    }

                    open class var _entitySchema: TransformableEntities._EntitySchema {
                        _schemaAnimal
                    }

                    private static let _schemaAnimal = TransformableEntities._EntitySchema(of: Animal.self, isFinal: false, isAbstract: true) { schema in
                        _describe(&schema)
                        \#(hooks("Animal"))
                    }

                    public static func _describe<Root: Animal>(_ schema: inout TransformableEntities._EntitySchemaBuilder<Root>) {
                        schema.attribute("name", \.name, .default(""), initial: {
                                ""
                            })
                        schema.steps(\.?.name)
                        schema.transients { object in
                            object.isSelected = false
                        }
                    }

                    public let _record = TransformableEntities._EntityRecord()

                    required public init(_stored object: TransformableStore.ManagedObject) {
                        _record.attach(object)
                    }

                    init() {
                    }
                }

                nonisolated extension Animal: TransformableEntities.Entity, TransformableEntities._EntityClass {
                }
                """#
        )
    }

    @Test func expandsALeaf() {
        Expansion.check(
            """
            @Entity("Hound", unique: [["name", "breed"]])
            final class Dog: Zoo.Animal {
                var breed: String
                init(breed: String) {
                    super.init()
                    self.breed = breed
                }
            }
            """,
            is: #"""
                final class Dog: Zoo.Animal {
                    @TransformableEntities._EntityAttribute(0)
                    var breed: String
                    init(breed: String) {
                        super.init()
                        self.breed = breed
                    }

                    override class var entityName: String {
                        "Hound"
                    }

                    override class var _entitySchema: TransformableEntities._EntitySchema {
                        _schemaDog
                    }

                    private static let _schemaDog = TransformableEntities._EntitySchema(of: Dog.self, parent: Zoo.Animal.self, unique: [["name", "breed"]]) { schema in
                        Zoo.Animal._describe(&schema)
                        schema.attribute("breed", \.breed)
                        schema.steps(\.?.breed)
                        \#(inheritedHooks("Zoo.Animal"))
                        \#(hooks("Dog"))
                    }

                    private static let _offsetDog = TransformableEntities._EntityOffset(after: Zoo.Animal.self)

                    required init(_stored object: TransformableStore.ManagedObject) {
                        super.init(_stored: object)
                    }
                }
                """#,
            inheritsEntity: true
        )
    }

    @Test func inheritsTheInitializersOfAParent() {
        Expansion.check(
            """
            @Entity
            class Dog: Animal {
                convenience init(_ name: String) { self.init() }
            }
            """,
            is: #"""
                class Dog: Animal {
                    convenience init(_ name: String) { self.init() }

                    override class var entityName: String {
                        "Dog"
                    }

                    override class var _entitySchema: TransformableEntities._EntitySchema {
                        _schemaDog
                    }

                    private static let _schemaDog = TransformableEntities._EntitySchema(of: Dog.self, parent: Animal.self, isFinal: false) { schema in
                        _describe(&schema)
                        \#(inheritedHooks("Animal"))
                        \#(hooks("Dog"))
                    }

                    static func _describe<Root: Dog>(_ schema: inout TransformableEntities._EntitySchemaBuilder<Root>) {
                        Animal._describe(&schema)
                    }

                    private static let _offsetDog = TransformableEntities._EntityOffset(after: Animal.self)
                }
                """#,
            inheritsEntity: true
        )
    }

    @Test(arguments: [
        ("func willSave() {}", true), ("override func willSave() {}", false), ("func willSave(twice: Bool) {}", false),
    ])
    func tellsWhichHooksOverrideNothing(method: String, isAdded: Bool) {
        let expansion = Expansion.ofChild(method)
        #expect(expansion.contains("schema.addedHooks(\\.willSave)") == isAdded)
    }

    @Test func countsThePropertiesOfAChildAfterThoseOfItsParent() {
        Expansion.check(
            """
            final class Dog: Animal {
                @_EntityAttribute(2) var breed: String?
                @_EntityReference(1) var home: Home?
            }
            """,
            is: """
                final class Dog: Animal {
                    var breed: String? {
                        get {
                            _record.value(Dog._offsetDog.attributes + 2)
                        }
                        set {
                            _record.setValue(newValue, Dog._offsetDog.attributes + 2)
                        }
                    }

                    var $breed: TransformableEntities.EntityAttribute<String?> {
                        .init(_of: self, Dog._offsetDog.attributes + 2)
                    }
                    var home: Home? {
                        get {
                            _record.reference(Dog._offsetDog.relationships + 1)
                        }
                        set {
                            _record.setReference(newValue, Dog._offsetDog.relationships + 1)
                        }
                    }
                }
                """
        )
    }

    @Test func rejectsAnOverriddenAttribute() {
        Expansion.refuses(
            "@Entity\nfinal class Dog: Animal {\n    override var name: String?\n}",
            "an attribute cannot be overridden, because the parent declares its column",
            line: 3,
            column: 5,
            inheritsEntity: true
        )
    }

    @Test func requiresAnInitializerInAChild() {
        Expansion.refuses(
            "@Entity\nfinal class Dog: Animal {\n    var breed: String\n}",
            "“Dog” needs an initializer that sets “breed”",
            line: 2,
            column: 13,
            inheritsEntity: true
        )
    }
}
