import Testing
import TransformableModel

@testable import TransformablePostgres  // Only the workers of Citus send such names.

/// Names in errors of Citus's workers.
///
/// Those of parts are from a cluster with Citus 13.2.
@Suite struct ShardNameTests {
    @Test(
        arguments: [
            ("Ward_102008", "Ward"), ("_index.Ward.name_102008", "_index.Ward.name"),
            ("_reference.Patient.ward_of_2_102012", "_reference.Patient.ward_of_2"), ("Ward_2_102008", "Ward_2"),
            ("ward_pkey_102040", "ward_pkey"), ("Ward", "Ward"), ("Ward_", "Ward_"), ("", ""),
            ("_index.Ward.aVeryLongAttributeNameThatCitusMust_9e57f036_102040", nil),
        ] as [(String, String?)]
    )
    func partNumberIsRemoved(_ name: String, _ whole: String?) {
        #expect(ShardName.whole(name) == whole)
    }

    @Test(arguments: [
        ("_index.Ward.name", "Ward", ["name"]), ("_index.Patient.name.badge", "Patient", ["name", "badge"]),
        ("_reference.Patient.ward", "Patient", ["ward"]),
        ("_reference._pairs.Patient.tags.first", "_pairs.Patient.tags", ["first"]),
    ])
    func constraintNamesItsPlace(_ constraint: String, _ table: String, _ names: [String]) {
        for entity in [nil, table] {
            let error = StoreError(.notUnique, "", entity: entity).naming(constraint)
            #expect(error.entity == table)
            #expect(error.attribute == names[0])
            #expect(error.message == "another object has the same \(names.joined(separator: " and "))")
        }
    }

    @Test func shortenedConstraintDoesNotNameAnAttribute() {
        let error = StoreError(.notUnique, "", entity: "Ward").naming("_index.Ward.aVeryLong~0123456789abcdef")
        #expect(error.attribute == nil)
    }
}
