import TransformableStore

extension ReferenceMigrationTests {
    static let cases: [Case] = [
        Case(
            testDescription: "a child entity is renamed",
            old: animals + [entity("Owner", .toOne("pet", "Animal"))],
            objects: pets,
            links: [("Ada", "pet", ["rex"]), ("Bea", "pet", ["tom"])],
            new: hounds + [entity("Owner", .toOne("pet", "Animal"))],
            expected: [("Ada", "pet", ["rex"]), ("Bea", "pet", ["tom"])]
        ),
        Case(
            testDescription: "a child entity is renamed, and the reference is required",
            old: animals + [entity("Owner", required("pet", "Animal"))],
            objects: pets,
            links: [("Ada", "pet", ["rex"]), ("Bea", "pet", ["tom"])],
            new: hounds + [entity("Owner", required("pet", "Animal"))],
            expected: [("Ada", "pet", ["rex"]), ("Bea", "pet", ["tom"])]
        ),
        Case(
            testDescription: "a child entity is renamed, many to many",
            old: animals + [entity("Owner", .toMany("pets", "Animal", ordered: true))],
            objects: pets,
            links: [("Ada", "pets", ["tom", "rex"]), ("Bea", "pets", ["rex"])],
            new: hounds + [entity("Owner", .toMany("pets", "Animal", ordered: true))],
            expected: [("Ada", "pets", ["tom", "rex"]), ("Bea", "pets", ["rex"])],
            plan: ["Owner.pets: kept, 2 references move"]
        ),
        Case(
            testDescription: "both sides of many to many are renamed",
            old: [entity("A", .toMany("bs", "B", ordered: true, inverse: "as")), entity("B", .toMany("as", "A"))],
            objects: ["a1": "A", "a2": "A", "b1": "B", "b2": "B"],
            links: [("a1", "bs", ["b2", "b1"]), ("a2", "bs", ["b1"])],
            new: [
                entity("Z", from: "A", renamed(.toMany("ys", "Y", ordered: true, inverse: "zs"), "bs")),
                entity("Y", from: "B", renamed(.toMany("zs", "Z"), "as")),
            ],
            expected: [("a1", "ys", ["b2", "b1"]), ("a2", "ys", ["b1"]), ("b1", "zs", ["a1", "a2"])],
            plan: [
                "Z.ys: renamed from “bs”, 3 references move", "Y.zs: renamed from “as”, 3 references move",
            ]
        ),
        Case(
            testDescription: "a parent is put above an entity",
            old: [entity("Dog"), entity("Owner", .toOne("pet", "Dog"), .toMany("all", "Dog"))],
            objects: ["Ada": "Owner", "rex": "Dog", "fido": "Dog"],
            links: [("Ada", "pet", ["rex"]), ("Ada", "all", ["rex", "fido"])],
            new: [
                entity("Animal", abstract: true), entity("Dog", parent: "Animal"), entity("Cat", parent: "Animal"),
                entity("Owner", .toOne("pet", "Animal"), .toMany("all", "Animal")),
            ],
            expected: [("Ada", "pet", ["rex"]), ("Ada", "all", ["rex", "fido"])],
            plan: [
                "Owner.pet: kept, now refers to “Animal”", "Owner.all: kept, now refers to “Animal”, 2 references move",
            ]
        ),
        Case(
            testDescription: "a destination is narrowed to what is there",
            old: animals + [entity("Owner", .toOne("pet", "Animal"), .toMany("all", "Animal"))],
            objects: ["Ada": "Owner", "rex": "Dog", "tom": "Cat"],
            links: [("Ada", "pet", ["rex"]), ("Ada", "all", ["rex"])],
            new: animals + [entity("Owner", .toOne("pet", "Dog"), .toMany("all", "Dog"))],
            expected: [("Ada", "pet", ["rex"]), ("Ada", "all", ["rex"])],
            plan: ["Owner.pet: kept, now refers to “Dog”", "Owner.all: kept, now refers to “Dog”, 1 reference moves"]
        ),
        Case(
            testDescription: "one to many becomes many to many",
            old: [entity("A", .toMany("bs", "B", ordered: true, inverse: "a")), entity("B", .toOne("a", "A"))],
            objects: ["a1": "A", "a2": "A", "b1": "B", "b2": "B", "b3": "B"],
            links: [("a1", "bs", ["b3", "b1"]), ("a2", "bs", ["b2"])],
            new: [
                entity("A", .toMany("bs", "B", ordered: true, inverse: "as")),
                entity("B", renamed(.toMany("as", "A"), "a")),
            ],
            expected: [("a1", "bs", ["b3", "b1"]), ("a2", "bs", ["b2"]), ("b1", "as", ["a1"])],
            plan: [
                "A.bs: kept, 3 references move",
                "B.as: renamed from “a”, now to-many, 3 references move",
            ]
        ),
        Case(
            testDescription: "one becomes many",
            old: [entity("A", .toOne("b", "B")), entity("B")],
            objects: ["a1": "A", "a2": "A", "b1": "B"],
            links: [("a1", "b", ["b1"]), ("a2", "b", ["b1"])],
            new: [entity("A", .toMany("b", "B")), entity("B")],
            expected: [("a1", "b", ["b1"]), ("a2", "b", ["b1"])],
            plan: ["A.b: kept, now to-many, 2 references move"]
        ),
        Case(
            testDescription: "many become one where there are no more",
            old: [entity("A", .toMany("bs", "B")), entity("B")],
            objects: ["a1": "A", "a2": "A", "b1": "B"],
            links: [("a1", "bs", ["b1"])],
            new: [entity("A", renamed(.toOne("b", "B"), "bs")), entity("B")],
            expected: [("a1", "b", ["b1"]), ("a2", "b", [])],
            plan: ["A.b: renamed from “bs”, now to-one, 1 reference moves"]
        ),
        Case(
            testDescription: "another side gets an order, and one loses it",
            old: [entity("A", .toMany("bs", "B", ordered: true, inverse: "as")), entity("B", .toMany("as", "A"))],
            objects: ["a1": "A", "b1": "B", "b2": "B", "b3": "B"],
            links: [("a1", "bs", ["b2", "b3", "b1"])],
            new: [
                entity("A", .toMany("bs", "B", ordered: true, inverse: "as")),
                entity("B", .toMany("as", "A", ordered: true)),
            ],
            expected: [("a1", "bs", ["b2", "b3", "b1"]), ("b1", "as", ["a1"])],
            plan: ["A.bs: kept, 3 references move", "B.as: kept, gets an order, 3 references move"]
        ),
        Case(
            testDescription: "an order is given up",
            old: [entity("A", .toMany("bs", "B", ordered: true, inverse: "a")), entity("B", .toOne("a", "A"))],
            objects: ["a1": "A", "b1": "B", "b2": "B"],
            links: [("a1", "bs", ["b2", "b1"])],
            new: [entity("A", .toMany("bs", "B", inverse: "a")), entity("B", .toOne("a", "A"))],
            expected: [("a1", "bs", ["b1", "b2"])],
            plan: ["A.bs: kept, loses its order"]
        ),
        Case(
            testDescription: "a relationship is its own inverse now",
            old: [entity("A", .toMany("friends", "A"))],
            objects: ["a1": "A", "a2": "A", "a3": "A"],
            links: [("a1", "friends", ["a2"]), ("a2", "friends", ["a1", "a3"])],
            new: [entity("A", .toMany("friends", "A", inverse: "friends"))],
            expected: [("a1", "friends", ["a2"]), ("a2", "friends", ["a1", "a3"]), ("a3", "friends", ["a2"])],
            plan: ["A.friends: kept, gets the inverse “friends”, 4 references move"]
        ),
        Case(
            testDescription: "a tree is renamed",
            old: [
                entity("Node", .toMany("children", "Node", ordered: true, inverse: "parent"), .toOne("parent", "Node"))
            ],
            objects: ["root": "Node", "left": "Node", "right": "Node"],
            links: [("root", "children", ["right", "left"])],
            new: [
                entity(
                    "Folder",
                    from: "Node",
                    .toMany("children", "Folder", ordered: true, inverse: "above"),
                    renamed(.toOne("above", "Folder"), "parent")
                )
            ],
            expected: [("root", "children", ["right", "left"]), ("left", "above", ["root"])],
            plan: ["Folder.above: renamed from “parent”"]
        ),
        Case(
            testDescription: "two entities swap their names",
            old: [entity("A"), entity("B"), entity("C", .toOne("a", "A"), .toMany("bs", "B"))],
            objects: ["x": "A", "y": "B", "z": "B", "c": "C"],
            links: [("c", "a", ["x"]), ("c", "bs", ["z"])],
            new: [
                entity("A", from: "B"), entity("B", from: "A"), entity("C", .toOne("a", "B"), .toMany("bs", "A")),
            ],
            expected: [("c", "a", ["x"]), ("c", "bs", ["z"])],
            plan: ["C.bs: kept, 1 reference moves"]
        ),
        Case(
            testDescription: "two relationships swap their names",
            old: [entity("B"), entity("A", .toOne("x", "B"), .toOne("y", "B"), .toMany("p", "B"), .toMany("q", "B"))],
            objects: ["a": "A", "b": "B", "c": "B"],
            links: [("a", "x", ["b"]), ("a", "y", ["c"]), ("a", "p", ["b"]), ("a", "q", ["b", "c"])],
            new: [
                entity("B"),
                entity(
                    "A",
                    renamed(.toOne("x", "B"), "y"),
                    renamed(.toOne("y", "B"), "x"),
                    renamed(.toMany("p", "B"), "q"),
                    renamed(.toMany("q", "B"), "p")
                ),
            ],
            expected: [("a", "x", ["c"]), ("a", "y", ["b"]), ("a", "p", ["b", "c"]), ("a", "q", ["b"])],
            plan: [
                "A.x: renamed from “y”", "A.y: renamed from “x”", "A.p: renamed from “q”, 2 references move",
                "A.q: renamed from “p”, 1 reference moves",
            ]
        ),
        Case(
            testDescription: "two that led to each other by chance become inverses",
            old: [entity("A", .toMany("bs", "B")), entity("B", .toOne("a", "A"))],
            objects: ["a1": "A", "b1": "B", "b2": "B"],
            links: [("a1", "bs", ["b1"]), ("b2", "a", ["a1"])],
            new: [entity("A", .toMany("bs", "B", inverse: "a")), entity("B", .toOne("a", "A"))],
            expected: [("a1", "bs", ["b1", "b2"]), ("b1", "a", ["a1"])],
            plan: [
                "A.bs: kept, gets the inverse “a”, 2 references move",
                "B.a: kept, gets the inverse “bs”, 2 references move",
            ]
        ),
    ]
}
