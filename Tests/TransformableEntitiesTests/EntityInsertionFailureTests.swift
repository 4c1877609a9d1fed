import Testing
import Transformable
import TransformableEntities
import TransformableSQLite
import TransformableStore

/// A class whose hook may reject a new object, perhaps after a fetch, which writes what is pending in a block.
@Entity
final class Album {
    @Attribute(.unique) var title: String
    var year: Int
    @Transient var fetches = false
    @Transient var isRefused = false
    @Relationship(deleteRule: .cascade) var cover: Cover?
    @Relationship(inverse: \Song.album, isOrdered: true) var songs: [Song]
    @Relationship(inverse: \Award.album) var award: Award?
    @Relationship(inverse: \Studio.albums) var studios: [Studio]

    init(title: String, year: Int = 1970) {
        self.title = title
        self.year = year
    }

    func awakeFromInsert() throws {
        if fetches { _ = try managedObject?.context.count("Album") }
        if isRefused { throw TooYoung() }
    }
}

@Entity
final class Cover {
    var text = ""
}

@Entity
final class Song {
    var name: String
    @Relationship var album: Album?

    init(name: String) { self.name = name }
}

@Entity
final class Award {
    @Attribute(.unique) var name: String
    @Transient var fetches = false
    @Transient var isRefused = false
    @Relationship var album: Album?

    init(name: String) { self.name = name }

    func awakeFromInsert() throws {
        if fetches { _ = try managedObject?.context.count("Award") }
        if isRefused { throw TooYoung() }
    }
}

@Entity
final class Studio {
    var name = ""
    @Relationship var albums: [Album]
}

/// An insertion that fails in a block, which has no undo, leaves all existing objects as they were.
@Suite struct EntityInsertionFailureTests {
    private func store() throws -> Store {
        try Store.inMemory(
            for: Album.self,
            Cover.self,
            Song.self,
            Award.self,
            Studio.self,
            transformers: TransformerRegistry {}
        )
    }

    @Test(arguments: [true, false]) func nothingIsDeletedWithTheNewObject(fetches: Bool) throws {
        let store = try store()
        try store.write { context in
            let album = Album(title: "a")
            album.cover = context.insert(Cover())
            (album.fetches, album.isRefused) = (fetches, true)
            #expect(throws: TooYoung.self) { try context.upsert(album) }
        }
        let counts = try store.read { (try $0.count(Album.self), try $0.count(Cover.self)) }
        #expect(counts == (0, 1))
    }

    /// The hook of a related object fails after the existing object has the new values.
    @Test(arguments: [true, false], [true, false])
    func anUpdatedObjectIsAsItWas(fetches: Bool, isHeld: Bool) throws {
        let store = try store()
        try store.write { _ = $0.insert(Album(title: "a")) }
        try store.write { context in
            let held = try isHeld ? context.first(Album.self) : nil
            let (album, award) = (Album(title: "a", year: 1980), Award(name: "b"))
            (album.award, album.studios) = (award, [context.insert(Studio())])
            (award.fetches, award.isRefused) = (fetches, true)
            #expect(throws: TooYoung.self) { try context.upsert(album) }
            #expect(album.managedObject == nil && held?.year != 1980)
        }
        let values = try store.read { context in
            let album = try #require(try context.first(Album.self))
            return (album.year, album.studios.count, try context.count(Award.self))
        }
        #expect(values == (1970, 0, 0))
    }

    @Test(arguments: [true, false]) func theOrderOfAListIsAsItWas(fetches: Bool) throws {
        let store = try store()
        try store.write { context in
            context.insert(Album(title: "a")).songs = ["x", "y", "z"].map { Song(name: $0) }
        }
        try store.write { context in
            let old = try #require(try context.first(Album.self))
            let album = Album(title: "b")
            album.songs = [old.songs[1]]
            (album.fetches, album.isRefused) = (fetches, true)
            #expect(throws: TooYoung.self) { try context.upsert(album) }
            #expect(old.songs.map(\.name) == ["x", "y", "z"])
        }
        let names = try store.read { try $0.first(Album.self)?.songs.map(\.name) }
        #expect(names == ["x", "y", "z"])
    }

    @Test(arguments: [true, false]) func theFormerPartnerOfAnObjectThatIsRelatedByIDIsAsItWas(fetches: Bool) throws {
        let store = try store()
        let id = try store.write { context in
            let album = context.insert(Album(title: "a"))
            album.award = Award(name: "old")
            return album.persistentID
        }
        try store.write { context in
            let award = Award(name: "new")
            try award.setReference(\.album, to: id)
            (award.fetches, award.isRefused) = (fetches, true)
            #expect(throws: TooYoung.self) { try context.upsert(award) }
        }
        let awards = try store.read { try $0.fetch(Award.self).map { "\($0.name) \($0.album?.title ?? "")" } }
        #expect(awards == ["old a"])
    }
}
