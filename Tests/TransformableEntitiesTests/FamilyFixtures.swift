import Foundation
import TransformableEntities
import TransformableSQLite
import TransformableStore

@Entity(isAbstract: true)
class Animal {
    @Attribute(.indexed) var name: String
    var age = 0
    var saves = 0
    @Transient var isSelected = false
    @Relationship var owner: Keeper?
    @Relationship var friend: Animal?

    init(name: String, age: Int = 0) {
        self.name = name
        self.age = age
    }

    func willSave() throws { saves += 1 }
}

@Entity
class Dog: Animal {
    @Attribute(.indexed) var breed: String
    var tricks: [String] = ["sit"]
    @Transient var isWet = false
    @Relationship(inverse: \Toy.dog) var toys: [Toy]

    init(_ name: String, breed: String, age: Int = 0) {
        super.init(name: name, age: age)
        self.breed = breed
    }

    override func willSave() throws {
        try super.willSave()
        if breed == "wolf" { throw Wild() }
    }
}

struct Wild: Error {}

/// A subclass without `@Entity`.
final class Mutt: Dog {}

/// A protocol that requires more than an entity does.
protocol Labeled: Entity {
    var label: String { get }
}

/// A child of a child, which inherits the initializers.
@Entity
final class Puppy: Dog {
    var weight: Double?

    var isLight: Bool { (weight ?? 0) < 2 }
}

@Entity("Feline", unique: [["name", "lives"]])
final class Cat: Animal, CustomStringConvertible {
    var lives = 9
    @Transient var noticed = 0

    convenience init(_ name: String, lives: Int = 9, age: Int = 0) {
        self.init(name: name, age: age)
        self.lives = lives
    }

    var description: String { "\(name), \(lives)" }

    func awakeFromFetch() { noticed += 1 }
}

@Entity
final class Toy: Labeled {
    var label = ""
    @Relationship var dog: Dog?

    init(_ label: String) { self.label = label }
}

@Entity
final class Keeper {
    var name = ""
    @Relationship(deleteRule: .cascade, inverse: \Animal.owner) var animals: [Animal]
    @Relationship var favorite: Animal?

    init(_ name: String) { self.name = name }
}

/// A parent whose hooks are invisible to its children.
@Entity(isAbstract: true)
class Tile {
    private(set) var packed = 0
    var size = 0
    @Transient var shade = 0
    @Transient var order = ""

    private func awakeFromFetch() {
        shade = packed
        order = "parent"
    }
}

extension Tile {
    private func willSave() { packed = shade }
}

@Entity
final class PlainTile: Tile {
    var weight = 0
}

/// A child with methods of the same names, which do not override those of its parent.
@Entity
class NamedTile: Tile {
    var saves = 0
    @Transient var shown = ""

    func awakeFromFetch() {
        shown = "\(shade)"
        order += ", child"
    }

    func willSave() { saves += 1 }
}

/// A child that overrides its parent's methods, but not the invisible ones of the parent's parent.
@Entity
final class SignedTile: NamedTile {
    override func awakeFromFetch() {
        super.awakeFromFetch()
        order += ", grandchild"
    }

    override func willSave() {
        super.willSave()
        saves += 1
    }
}

/// A protocol with a hook.
protocol Stamped: Entity {
    var stamps: Int { get set }
}

extension Stamped {
    func willSave() { stamps += 1 }
}

@Entity
class Sheet: Stamped {
    var stamps = 0
}

/// A child whose method does not override that of the protocol.
@Entity
final class SignedSheet: Sheet {
    var signatures = 0

    func willSave() { signatures += 1 }
}

enum Zoo {
    static func store() throws -> Store {
        try Store.inMemory(
            for: Animal.self,
            Dog.self,
            Puppy.self,
            Cat.self,
            Toy.self,
            Keeper.self,
            transformers: Fixtures.registry()
        )
    }

    /// Six animals, their friends, two keepers, and some toys.
    static func filled() throws -> Store {
        let store = try store()
        try store.write { context in
            let rex = Dog("Rex", breed: "pug", age: 3)
            let ada = Dog("Ada", breed: "poodle", age: 7)
            let bit = Puppy("Bit", breed: "pug", age: 1)
            bit.weight = 1.5
            let tom = Cat("Tom", lives: 3, age: 7)
            let kit = Cat("Kit", age: 2)
            let zed = Puppy("Zed", breed: "beagle")
            (rex.friend, ada.friend, bit.friend, tom.friend) = (tom, rex, kit, bit)
            rex.toys = [Toy("ball"), Toy("bone")]
            bit.toys = [Toy("ball")]
            let (ann, bob) = (Keeper("Ann"), Keeper("Bob"))
            ann.animals = [rex, tom, bit]
            bob.animals = [kit]
            (ann.favorite, bob.favorite) = (bit, kit)
            for object in [ann, bob] { context.insert(object) }
            for object in [ada, zed] as [Animal] { context.insert(object) }
        }
        return store
    }
}
