import Foundation
import KeyedArchivePlugin
import Testing
import Transformable
import TransformableCoreData
import TransformableModel
import TransformableSQLite
import TransformableStore

struct SwiftDataStoreTests {
    @Test func readsStructuresAndEnumerations() throws {
        let fixture = try SwiftDataFixture.store()
        defer { fixture.remove() }
        let store = try CoreDataStore(at: fixture.url)
        #expect(store.notes.isEmpty)
        #expect(store.metadata.versionIdentifiers == ["1.0.0"])
        var posts: [CoreDataRow] = []
        try store.forEachRow(of: "Post") { posts.append($0) }
        let hello = try #require(posts.first)
        #expect(try hello.value("title") == .string("Hello"))
        // The structure comes first, so the post's own id has the column with the number.
        #expect(try hello.value("author.id") == .string("a1"))
        #expect(try hello.value("id") == .uuid(#require(UUID(uuidString: SwiftDataFixture.mark))))
        #expect(try hello.value("author.tags") == .data(Data("[\"x\",\"y\"]".utf8)))
        #expect(try hello.value("status.status") == .integer(2))
        #expect(try hello.value("mood.happy") == nil)
        #expect(try hello.value("mood.sad.reason") == .string("rain"))
        #expect(try hello.value("mood.sad.level") == .integer(3))
        #expect(try hello.value("photo") == .data(Data([0xAA, 0xBB])))
        #expect(try posts[1].value("author.name") == nil)
        #expect(try posts[1].value("mood.happy") == .string("sun"))
    }

    @Test func adoptsStructuresAndEnumerations() throws {
        let fixture = try SwiftDataFixture.store()
        defer { fixture.remove() }
        let source = try CoreDataStore(at: fixture.url)
        let conversion = try source.model.converted()
        let registry = try TransformerRegistry { KeyedArchivePlugin() }
        let report = try source.adopt(
            as: conversion.model,
            into: fixture.target,
            transformers: registry,
            options: CoreDataStore.AdoptionOptions(verifying: true)
        )
        #expect(report.objectCount == 4 && report.referenceCount == 2)
        // 9 values of the first post, 3 of the second one.
        #expect(report.entities.map(\.values) == [2, 12])
        #expect(report.notes.map(\.description) == ["left out the history of 3 changes"])
        #expect(report.verification?.isSound == true)
        let store = try Store(at: fixture.target, transformers: registry, options: .readOnly)
        try store.read { context in
            let hello = try context.object(ObjectID(entity: "Post", number: 1))
            #expect(try hello.value("author_name", as: String?.self) == "Ada")
            #expect(try hello.value("author_tags", as: Data?.self) == Data("[\"x\",\"y\"]".utf8))
            #expect(try hello.value("status", as: Int16?.self) == 2)
            #expect(try hello.value("mood_happy", as: String?.self) == nil)
            #expect(try hello.value("mood_sad_reason", as: String?.self) == "rain")
            #expect(try hello.value("mood_sad_level", as: Int64?.self) == 3)
            #expect(try hello.value("photo", as: Data?.self) == Data([0xAA, 0xBB]))
            #expect(try hello.objects("comments").count == 2)
            let bare = try context.object(ObjectID(entity: "Post", number: 2))
            #expect(try bare.value("author_name", as: String?.self) == nil)
            #expect(try bare.value("mood_happy", as: String?.self) == "sun")
        }
    }

    @Test func notesHowStructuresAndEnumerationsAreConverted() throws {
        let fixture = try SwiftDataFixture.store()
        defer { fixture.remove() }
        let conversion = try CoreDataModel(storeAt: fixture.url.path).converted()
        let bytes = "these bytes are JSON if SwiftData stored an array in a structure"
        #expect(
            conversion.notes.map(\.description) == [
                "dropped the version identifier “1.0.0”",
                "Post.author.tags: \(bytes): name the expression “json” in a map to read them",
                "Post.mood.sad: the parts of this inner composite became parts of the outer one, with names "
                    + "joined by “_”",
                "Post.mood: the enumeration with the cases happy,sad became a composite of their values",
                "Post.status: the enumeration became a plain attribute of its raw type Integer 16",
            ]
        )
        #expect(!conversion.hasLosses)
        var map = ModelMap()
        map.transformers["Post.author.tags"] = "json"
        let post = try CoreDataModel(storeAt: fixture.url.path).converted(map: map).model.entity("Post")
        let tags = try #require(post?.composites.first { $0.name == "author" }?.parts.first { $0.name == "tags" })
        #expect(tags.transformer == "json")
    }
}
