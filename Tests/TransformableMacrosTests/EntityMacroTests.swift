import Testing

@Suite struct EntityMacroTests {
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
            is: """
                final class Patient {
                    var name: String {
                        get { _record.value(0) }
                        set { _record.setValue(newValue, 0) }
                    }

                    var $name: TransformableEntities.EntityAttribute<String> {
                        .init(self, 0)
                    }
                }
                """
        )
    }
}
