import Foundation
import GRDB
import Testing
import Transformable
import TransformableStore

/// Values of reference type that are changed in place while other contexts change their rows.
@Suite(.eachEngine) struct InPlaceChangeTests {
    private struct Refused: Error, Equatable {}

    private let folder: Folder
    private let store: Store
    private let id: ObjectID

    init() throws {
        folder = try Folder()
        (store, id) = try Self.open(at: folder.file())
    }

    /// A new store with a page.
    private static func open(at url: URL, hooks: EntityHooks = EntityHooks()) throws -> (store: Store, id: ObjectID) {
        let page = EntityDescription(
            "Page",
            attributes: [.transformed("note", "note", as: Note.self), .string("title")]
        )
        let store = try Store.trial(
            at: url,
            model: Model(entities: [page]),
            transformers: TransformerRegistry { Registration("note", NoteTransformer()) },
            hooks: ["Page": hooks]
        )
        let id = try store.write { context in
            let page = try context.insert("Page")
            try page.setValue(Note("base"), for: "note")
            try page.setValue("base", for: "title")
            return page.id
        }
        return (store, id)
    }

    /// A page whose note was changed in place after another context had read it, and whose title that context has set.
    private func page(_ policy: ConflictPolicy) throws -> ManagedObject {
        let page = try store.makeContext(onConflict: policy).object(id)
        try page.value("note", as: Note.self).text = "mine"
        let id = id
        try store.write { try $0.object(id).setValue("theirs", for: "title") }
        return page
    }

    private func stored() throws -> [String] {
        let id = id
        return try store.read { context in
            let page = try context.object(id)
            return try [page.value("note", as: Note.self).text, page.value("title", as: String.self)]
        }
    }

    @Test func aFetchKeepsInPlaceChanges() throws {
        let page = try page(.mine)
        #expect(try page.context.fetch("Page") == [page])
        #expect(try page.value("note", as: Note.self).text == "mine")
        #expect(page.context.hasChanges)
        try page.context.save()
        #expect(try stored() == ["mine", "theirs"])
    }

    @Test func aFetchDefersTheConflictToTheSave() throws {
        let page = try page(.fail)
        _ = try page.context.fetch("Page")
        #expect(throws: StoreError(code: .conflict)) { try page.context.save() }
        try page.context.refresh(page, keepingChanges: true)
        try page.context.save()
        #expect(try stored() == ["mine", "theirs"])
    }

    @Test(arguments: [ConflictPolicy.mine, .theirs]) func conflictsIncludeInPlaceChanges(policy: ConflictPolicy) throws
    {
        try page(policy).context.save()
        #expect(try stored() == ["mine", "theirs"])
    }

    /// After the other context has saved the title, the file no longer contains the version of the note that was read.
    @Test(arguments: [true, false], [true, false])
    func aLargeValueIsComparedWithWhatWasRead(isChanged: Bool, isFetched: Bool) throws {
        let id = id
        let large = String(repeating: "large ", count: 20_000)
        try store.write { try $0.object(id).setValue(Note(large), for: "note") }
        let page = try store.makeContext(onConflict: isChanged ? .mine : .fail).object(id)
        let note = try page.value("note", as: Note.self)
        #expect(note.text == large)
        if isChanged { note.text = "mine" }
        try store.write { try $0.object(id).setValue("theirs", for: "title") }
        if isFetched { _ = try page.context.fetch("Page") }
        #expect(page.context.hasChanges == isChanged)
        try page.context.save()
        #expect(try stored() == [isChanged ? "mine" : large, "theirs"])
    }

    /// Text of more than 64 KiB.
    private static func text(_ word: String) -> String { String(repeating: "\(word) ", count: 20_000) }

    /// The other context has saved the title, and also a note of the same length if both have changed the note.
    @Test(
        arguments: [
            (.mine, true, "mine"), (.mine, false, "mine"), (.theirs, true, "other"), (.theirs, false, "mine"),
        ] as [(ConflictPolicy, Bool, String)]
    )
    func aLargeInPlaceChangeIsMerged(policy: ConflictPolicy, isChangedByBoth: Bool, expected: String) throws {
        let id = id
        try store.write { try $0.object(id).setValue(Note(Self.text("large")), for: "note") }
        let page = try store.makeContext(onConflict: policy).object(id)
        try page.value("note", as: Note.self).text = Self.text("mine")
        try store.write { context in
            let page = try context.object(id)
            try page.setValue("theirs", for: "title")
            if isChangedByBoth { try page.setValue(Note(Self.text("other")), for: "note") }
        }
        try page.context.save()
        #expect(try stored() == [Self.text(expected), "theirs"])
        #expect(try page.value("note", as: Note.self).text == Self.text(expected))
    }

    /// This context has inserted the page, or saved its note or its title, before the other one saves the title.
    @Test(arguments: ["insertion", "note", "title"], [true, false])
    func aLargeValueIsComparedWithWhatWasSaved(first: String, isChanged: Bool) throws {
        let large = String(repeating: "large ", count: 20_000)
        let known = id
        try store.write { try $0.object(known).setValue(Note(large), for: "note") }
        let context = store.makeContext(onConflict: isChanged ? .mine : .fail)
        let page = try first == "insertion" ? context.insert("Page") : context.object(known)
        if first == "insertion" { try page.setValue(Note(large), for: "note") }
        let note = try page.value("note", as: Note.self)
        if first == "note" { note.text += "mine" } else { try page.setValue("mine", for: "title") }
        try context.save()
        let text = note.text
        if isChanged { note.text = "changed" }
        let saved = page.id
        try store.write { try $0.object(saved).setValue("theirs", for: "title") }
        if isChanged { #expect(try context.fetch("Page").contains(page)) }
        #expect(context.hasChanges == isChanged)
        try context.save()
        let stored = try store.read { context in
            let page = try context.object(saved)
            return try [page.value("note", as: Note.self).text, page.value("title", as: String.self)]
        }
        #expect(stored == [isChanged ? "changed" : text, "theirs"])
    }

    @Test func aMergeSeesInPlaceChanges() throws {
        let page = try page(
            .merge { conflict in
                #expect(conflict.mine == ["note"])
                #expect(conflict.theirs == ["title"])
                let text = try conflict.object.value("note", as: Note.self).text
                #expect(text == "mine")
            }
        )
        try page.context.save()
        #expect(try stored() == ["mine", "theirs"])
    }

    @Test func refreshingKeepsInPlaceChangesOnRequest() throws {
        let page = try page(.fail)
        try page.context.refresh(page, keepingChanges: true)
        #expect(try page.value("title", as: String.self) == "theirs")
        try page.context.save()
        #expect(try stored() == ["mine", "theirs"])
    }

    @Test func refreshingEverythingKeepsInPlaceChanges() throws {
        let page = try page(.mine)
        page.context.refreshAll()
        #expect(try page.value("note", as: Note.self).text == "mine")
        try page.context.save()
        #expect(try stored() == ["mine", "theirs"])
    }

    @Test func refreshingDiscardsInPlaceChangesByDefault() throws {
        let page = try page(.fail)
        try page.context.refresh(page)
        #expect(try page.value("note", as: Note.self).text == "base")
        #expect(!page.context.hasChanges)
    }

    @Test(.sqliteOnly("it changes the file with SQL")) func aValueThatWasOnlyReadIsNotWritten() throws {
        let page = try store.makeContext(onConflict: .mine).object(id)
        #expect(try page.value("note", as: Note.self).text == "base")
        try page.setValue("mine", for: "title")
        try shell(folder.file()) { try $0.execute(sql: "UPDATE Page SET note = CAST('theirs' AS BLOB)") }
        try page.context.save()
        #expect(try page.value("note", as: Note.self).text == "theirs")
        #expect(try stored() == ["theirs", "mine"])
    }

    @Test func undoingRestoresTheValue() throws {
        let page = try store.makeContext().object(id)
        let note = try page.value("note", as: Note.self)
        note.text = "changed"
        try page.setValue(Note("other"), for: "note")
        try page.context.undo()
        #expect(try page.value("note", as: Note.self) === note)
        try page.context.save()
        #expect(try stored() == ["changed", "base"])
    }

    @Test func undoingRestoresAMutableValue() throws {
        let page = try store.makeContext().object(id)
        let note = try page.value("note", as: Note.self)
        try page.setValue(Note("other"), for: "note")
        try page.context.undo()
        note.text = "changed"
        #expect(page.context.hasChanges)
        try page.context.save()
        #expect(try stored() == ["changed", "base"])
    }

    @Test(arguments: [true, false]) func hooksRunForInPlaceChanges(isEditing: Bool) throws {
        var hooks = EntityHooks()
        hooks.willSave = { page in try page.setValue(page.value("note", as: Note.self).text, for: "title") }
        hooks.validateForUpdate = { page in
            if try page.value("note", as: Note.self).text == "refused" { throw Refused() }
        }
        let (store, id) = try Self.open(at: folder.file("hooks.sqlite"), hooks: hooks)
        func change(to text: String) throws {
            func change(_ context: StoreContext) throws {
                try context.object(id).value("note", as: Note.self).text = text
            }
            guard isEditing else { return try store.write { try change($0) } }
            let context = store.makeContext()
            try change(context)
            defer { context.rollback() }
            do {
                try context.save()
            } catch {
                #expect(context.hasChanges)
                throw error
            }
        }
        try change(to: "changed")
        #expect(throws: Refused()) { try change(to: "refused") }
        let titles = try store.read { try $0.fetch("Page").map { try $0.value("title", as: String.self) } }
        #expect(titles == ["changed"])
    }

    @Test func undoingRestoresNoOutdatedValue() throws {
        let page = try store.makeContext(onConflict: .mine).object(id)
        #expect(try page.value("note", as: Note.self).text == "base")
        try page.setValue(Note("mine"), for: "note")
        let id = id
        try store.write { try $0.object(id).setValue(Note("theirs"), for: "note") }
        try page.context.refresh(page, keepingChanges: true)
        try page.context.undo()
        #expect(try page.value("note", as: Note.self).text == "theirs")
        #expect(!page.context.hasChanges)
    }

    @Test func aSaveWithoutChangesReleasesReadValues() throws {
        weak var context: StoreContext?
        do {
            let made = store.makeContext()
            #expect(try made.object(id).value("note", as: Note.self).text == "base")
            try made.save()
            context = made
        }
        #expect(context == nil)
    }

    @Test func aRollbackReleasesDiscardedValues() throws {
        weak var context: StoreContext?
        do {
            let made = store.makeContext()
            try made.object(id).setValue(Note("changed"), for: "note")
            made.rollback()
            context = made
        }
        #expect(context == nil)
        #expect(try stored() == ["base", "base"])
    }

    @Test func aSaveReleasesWhatARefreshHasDiscarded() throws {
        weak var context: StoreContext?
        do {
            let made = store.makeContext()
            let page = try made.object(id)
            try page.setValue("changed", for: "title")
            #expect(try made.fetch("Page") == [page])
            try made.refresh(page)
            try made.save()
            #expect(!made.canUndo)
            context = made
        }
        #expect(context == nil)
        #expect(try stored() == ["base", "base"])
    }

    @Test func aSaveReleasesWrittenValues() throws {
        weak var context: StoreContext?
        do {
            let made = store.makeContext()
            try made.object(id).setValue(Note("changed"), for: "note")
            try made.save()
            context = made
        }
        #expect(context == nil)
        #expect(try stored() == ["changed", "base"])
    }

    @Test func aBulkInsertionReleasesItsValues() throws {
        final class Reference: @unchecked Sendable {
            weak var note: Note?
        }
        let reference = Reference()
        try store.write { context in
            _ = try context.insert(many: ["bulk"], into: "Page") { page, text in
                let note = Note(text)
                try page.setValue(note, for: "note")
                try page.setValue(text, for: "title")
                reference.note = note
            }
        }
        #expect(reference.note == nil)
        #expect(try store.read { try $0.count("Page") } == 2)
    }
}
