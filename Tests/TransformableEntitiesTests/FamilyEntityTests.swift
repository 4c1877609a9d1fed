import Foundation
import Testing
import TransformableEntities
import TransformableSQLite
import TransformableStore

@Suite struct FamilyEntityTests {
    private let store: Store

    init() throws { store = try Zoo.filled() }

    private func names(_ objects: [Animal]) -> String { objects.map(\.name).joined(separator: " ") }

    @Test func matchesTheModelInCode() throws {
        let model = try Model(of: Animal.self, Dog.self, Puppy.self, Cat.self, Toy.self, Keeper.self)
        let animal = try #require(model.entity("Animal"))
        let dog = try #require(model.entity("Dog"))
        #expect(animal.isAbstract && animal.parent == nil)
        #expect(animal.attributes.map(\.name) == ["name", "age", "saves"])
        #expect(dog.parent == "Animal" && !dog.isAbstract)
        #expect(dog.attributes.map(\.name) == ["breed", "tricks"])
        #expect(dog.relationships.map(\.name) == ["toys"])
        #expect(model.entity("Puppy")?.parent == "Dog")
        #expect(model.entity("Feline")?.uniqueness == [["name", "lives"]])
    }

    @Test func fetchesTheObjectsOfChildren() throws {
        try store.read { context in
            let animals = try context.fetch(Animal.self, sortedBy: [SortDescriptor(\.name)])
            #expect(names(animals) == "Ada Bit Kit Rex Tom Zed")
            #expect(animals.map { "\(type(of: $0))" } == ["Dog", "Puppy", "Cat", "Dog", "Cat", "Puppy"])
            #expect(animals.compactMap { ($0 as? Dog)?.breed } == ["poodle", "pug", "pug", "beagle"])
            #expect(animals.compactMap { ($0 as? Puppy)?.weight } == [1.5])
            #expect(try names(context.fetch(Dog.self, sortedBy: [SortDescriptor(\.breed)])) == "Zed Ada Rex Bit")
            #expect(try names(context.fetch(Puppy.self, where: \Puppy.breed == "pug")) == "Bit")
            let cats = try context.fetch(Cat.self, sortedBy: [SortDescriptor(\.age)])
            #expect(cats.map(\.description) == ["Kit, 9", "Tom, 3"])
        }
    }

    @Test func hasOneInstanceForAnObject() throws {
        try store.read { context in
            let animals = try context.fetch(Animal.self, sortedBy: [SortDescriptor(\.name)])
            let dogs = try context.fetch(Dog.self, sortedBy: [SortDescriptor(\.name)])
            #expect(animals[0] === dogs[0])
            let bit = try #require(try context.first(Puppy.self, where: \Puppy.name == "Bit"))
            #expect(bit === animals[1] && bit == animals[1] as? Puppy)
            #expect(try context.first(Keeper.self, where: \Keeper.name == "Ann")?.favorite === bit)
        }
    }

    @Test func countsUpdatesAndDeletes() throws {
        #expect(try store.read { try ($0.count(Animal.self), $0.count(Dog.self), $0.count(Puppy.self)) } == (6, 4, 2))
        #expect(try store.read { try $0.exists(Animal.self, where: \Animal.age == 7) })
        try store.write { context in
            let count = try context.update(Animal.self, where: \Animal.age < 3) { $0.age += 10 }
            #expect(count == 3)
            #expect(try context.delete(Dog.self, where: \Dog.age < 10) == 2)
        }
        try store.read { context in
            let animals = try context.fetch(Animal.self, sortedBy: [SortDescriptor(\.age)])
            #expect(names(animals) == "Tom Zed Bit Kit")
        }
    }

    @Test func relationshipsLeadToAnyChild() throws {
        try store.write { context in
            let ann = try #require(try context.first(Keeper.self, where: \Keeper.name == "Ann"))
            #expect(Set(ann.animals.map(\.name)) == ["Rex", "Tom", "Bit"])
            #expect(ann.favorite is Puppy)
            ann.animals.removeAll { $0 is Cat }
            let new = Cat("New")
            ann.animals.append(new)
            ann.favorite = new
            new.friend = ann.animals[0]
        }
        try store.read { context in
            let ann = try #require(try context.first(Keeper.self, where: \Keeper.name == "Ann"))
            #expect(Set(ann.animals.map(\.name)) == ["Rex", "New", "Bit"])
            #expect(ann.favorite?.name == "New" && ann.favorite?.owner === ann)
            let tom = try #require(try context.first(Cat.self, where: \Cat.name == "Tom"))
            #expect(tom.owner == nil && (tom.friend as? Dog)?.toys.map(\.label) == ["ball"])
        }
    }

    @Test func runsTheHooksOfAParentOnce() throws {
        try store.read { context in
            #expect(try context.fetch(Animal.self).map(\.saves) == [1, 1, 1, 1, 1, 1])
            let cats = try context.fetch(Cat.self)
            #expect(cats.map(\.noticed) == [1, 1])
        }
        #expect(throws: Wild.self) { try store.write { _ = $0.insert(Puppy("Fang", breed: "wolf")) } }
    }

    @Test func runsTheHooksThatChildrenCannotSee() throws {
        let store = try Store.inMemory(
            for: Tile.self,
            PlainTile.self,
            NamedTile.self,
            transformers: Fixtures.registry()
        )
        let ids = try store.write { context in
            let (plain, named) = (context.insert(PlainTile()), context.insert(NamedTile()))
            (plain.shade, named.shade) = (5, 6)
            return (plain.persistentID, named.persistentID)
        }
        try store.write { context in
            let (plain, named) = try (context.object(ids.0), context.object(ids.1))
            #expect((plain.shade, plain.packed) == (5, 5))
            #expect((named.shade, named.packed, named.shown) == (6, 6, "6"))
            (plain.size, named.size) = (1, 1)
        }
        try store.read { context in
            let (plain, named) = try (context.object(ids.0), context.object(ids.1))
            #expect((plain.packed, named.packed) == (5, 6))
            #expect((named.saves, named.order) == (2, "parent, child"))
        }
    }

    @Test func runsTheInvisibleHooksForChildrenOfChildren() throws {
        let store = try Store.inMemory(
            for: Tile.self,
            NamedTile.self,
            SignedTile.self,
            transformers: Fixtures.registry()
        )
        try store.write { $0.insert(SignedTile()).shade = 5 }
        try store.write { context in
            let tile = try #require(try context.first(SignedTile.self))
            #expect((tile.shade, tile.shown, tile.order) == (5, "5", "parent, child, grandchild"))
            tile.size = 1
        }
        let values = try store.read { try $0.fetch(SignedTile.self).map { [$0.packed, $0.saves] } }
        #expect(values == [[5, 4]])
    }

    @Test func runsTheHooksOfAProtocolAndOfAChild() throws {
        let store = try Store.inMemory(for: Sheet.self, SignedSheet.self, transformers: Fixtures.registry())
        try store.write { _ = $0.insert(SignedSheet()) }
        let values = try store.read { try $0.fetch(SignedSheet.self).map { [$0.stamps, $0.signatures] } }
        #expect(values == [[1, 1]])
    }

    @Test func resetsTransientPropertiesOfBothClasses() throws {
        try store.read { context in
            let dog = try #require(try context.first(Dog.self))
            (dog.isSelected, dog.isWet) = (true, true)
            try context.refresh(dog as Animal)
            #expect(!dog.isSelected && !dog.isWet)
        }
    }

    @Test func rejectsObjectsOfAbstractAndUnlistedClasses() throws {
        let abstract = #expect(throws: StoreError.self) { try store.write { _ = $0.insert(Animal(name: "?")) } }
        #expect(abstract?.code == .unsupported)
        let small = try Store.inMemory(
            for: Animal.self,
            Cat.self,
            Keeper.self,
            transformers: Fixtures.registry()
        )
        #expect(throws: StoreError(.unknownEntity, "")) {
            try small.write { _ = $0.insert(Dog("Rex", breed: "pug")) }
        }
        #expect(throws: StoreError(.invalidModel, "")) { try Model(of: Puppy.self) }
        #expect(throws: StoreError(.misuse, "")) { try store.write { _ = $0.insert(Mutt("Max", breed: "mix")) } }
    }

    @Test func upsertsAndBulkInsertsChildren() throws {
        try store.write { context in
            let tom: Animal = try context.upsert(Cat("Tom", lives: 3, age: 20) as Animal)
            #expect(tom.age == 20 && tom is Cat)
            let kit = try #require(try context.first(Animal.self, where: \Animal.name == "Kit")).persistentID
            let ids = try context.insert(many: ["x", "y"], into: Puppy.self) { name in
                let puppy = Puppy(name, breed: "mix")
                try puppy.setReference(\.friend, to: kit)
                return puppy
            }
            #expect(ids.map(\.description) == ["Puppy/3", "Puppy/4"])
            #expect(try context.object(ids[1]).friend?.name == "Kit")
            #expect(throws: StoreError(.misuse, "")) {
                try context.insert(many: ["z"], into: Dog.self) { Puppy($0, breed: "mix") }
            }
        }
    }
}

@Suite struct FamilyIDTests {
    private let store: Store

    init() throws { store = try Zoo.filled() }

    @Test func distinguishesObjectsOfChildren() throws {
        try store.read { context in
            let ids = try context.ids(Animal.self, sortedBy: [SortDescriptor(\.name)])
            #expect(ids.map(\.description) == ["Dog/2", "Puppy/1", "Feline/2", "Dog/1", "Feline/1", "Puppy/2"])
            #expect(Set(ids).count == 6)
            for id in ids {
                let animal = try context.object(id)
                #expect(animal.persistentID == id)
                #expect(try context.fetch(Animal.self, where: #Predicate { $0.persistentID == id }) == [animal])
            }
            let dog = try #require(try context.first(Dog.self, where: \Dog.name == "Ada"))
            #expect(PersistentID<Animal>(dog.persistentID.objectID) == ids[0])
            #expect((dog as Animal).persistentID == ids[0])
            #expect(try context.fetch(Animal.self, where: \Animal.friend == ids[3]) == [dog])
        }
    }

    @Test func rejectsTheIDOfAnotherChild() throws {
        try store.read { context in
            let id = try #require(try context.first(Cat.self)).persistentID.objectID
            #expect(throws: StoreError(.wrongType, "")) { _ = try context.object(PersistentID<Dog>(id)) }
            #expect(throws: StoreError(.wrongType, "")) { _ = try context.object(PersistentID<Puppy>(id)) }
            #expect(throws: StoreError(.wrongType, "")) { _ = try context.objectIfPresent(PersistentID<Toy>(id)) }
            #expect(throws: StoreError(.unsupported, "")) { _ = try context.object(PersistentID<Animal>(number: 1)) }
        }
    }

    @Test(arguments: [("Dog", "7"), ("Animal", "\"Dog\\/7\"")])
    func encodesTheEntityOnlyForAChild(type: String, text: String) throws {
        let id = ObjectID(entity: "Dog", number: 7)
        let data =
            type == "Dog"
            ? try JSONEncoder().encode([PersistentID<Dog>(id)]) : try JSONEncoder().encode([PersistentID<Animal>(id)])
        #expect(String(decoding: data, as: UTF8.self) == "[\(text)]")
        let decoder = JSONDecoder()
        let read =
            type == "Dog"
            ? try decoder.decode([PersistentID<Dog>].self, from: data).map(\.objectID)
            : try decoder.decode([PersistentID<Animal>].self, from: data).map(\.objectID)
        #expect(read == [id])
    }

    @Test(arguments: ["\"Dog\"", "\"Dog/\"", "\"Dog/x\"", "\"Dog/0\"", "\"Dog/+7\"", "\"/\"", "true", "1.5"])
    func rejectsInvalidIDs(text: String) {
        let data = Data("[\(text)]".utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([PersistentID<Animal>].self, from: data) }
    }

    @Test func observesChildren() async throws {
        var changes = try store.changes(of: Animal.self).makeAsyncIterator()
        try await store.write { context in
            try context.first(Cat.self, where: \Cat.name == "Tom")?.age = 8
            context.insert(Dog("New", breed: "pug"))
        }
        let change = try #require(await changes.next())
        #expect(change.inserted.map(\.description) == ["Dog/3"])
        #expect(change.updated.map(\.description) == ["Feline/1"])
        let tom = try #require(change.updated.first)
        #expect(change.hasChanged(\.age, of: tom) && !change.hasChanged(\.name, of: tom))
    }

    @Test func observesRelationshipsToAFamily() async throws {
        var changes = try store.changes(of: Keeper.self).makeAsyncIterator()
        let id = try await store.write { context in
            let ann = try #require(try context.first(Keeper.self, where: \Keeper.name == "Ann"))
            ann.favorite = try context.first(Cat.self)
            return ann.persistentID
        }
        let change = try #require(await changes.next())
        #expect(change.hasChanged(\.favorite, of: id) && !change.hasChanged(\.name, of: id))
    }
}
