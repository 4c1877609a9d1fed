import EncryptionPlugin
import Foundation
import StandardPlugin
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// The verification of blobs whose values this program does not decode.
@Suite struct BlobVerificationTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
    }

    enum Harm: CaseIterable {
        case removed, flipped

        var code: StoreError.Code { self == .removed ? .missingBlob : .damagedBlob }

        func apply(to url: URL) throws {
            guard self == .flipped else { return try FileManager.default.removeItem(at: url) }
            var bytes = try Data(contentsOf: url)
            bytes[bytes.count / 2] ^= 1
            try bytes.write(to: url)
        }
    }

    @Test(arguments: Harm.allCases)
    func damageOfValuesThatWereSetAsideIsFound(harm: Harm) throws {
        let store = try Store.documents(in: folder)
        let id = try store.addDocument("a", data: Data.large)
        try store.close()
        let note = EntityDescription("Document", attributes: [.string("name")])
        let model = try Model(version: 2, entities: [note])
        try Store(at: folder.file(), model: model, transformers: Transformers().registry()).close()
        let migrated = try Store(at: folder.file(), transformers: Transformers().registry(), options: .mustExist)
        #expect(try migrated.verify().isSound)
        try harm.apply(to: folder.blob(#require(try folder.blobs().first)))
        let faults = try migrated.verify().faults
        #expect(faults.map(\.code) == [harm.code])
        #expect(faults.map(\.entity) == ["Document"])
        #expect(faults.map(\.attribute) == ["data"])
        #expect(faults.map(\.object) == [id])
        #expect(faults.first?.message.hasPrefix("a migration has set the value aside, and its file “") == true)
    }

    @Test(arguments: Harm.allCases)
    func damageOfSealedFilesIsFoundWithoutTheirKey(harm: Harm) throws {
        let ring = try KeyRing.empty.addingKey()
        let writer = try store(ring.addingKey(named: "scans"))
        let id = try writer.write { context in
            let scan = try context.insert("Scan")
            // Several chunks, so that the key is missed long before the damage is reached.
            try scan.setValue(Data(count: 300_000), for: "bytes")
            return scan.id
        }
        try writer.close()
        let reader = try store(ring, .readOnly)
        let found = try reader.verify()
        #expect(found.isSound)
        #expect(found.unreadable.map(\.count) == [1])
        try harm.apply(to: folder.blob(#require(try folder.blobs().first)))
        let faults = try reader.verify().faults
        #expect(faults.map(\.code) == [harm.code])
        #expect(faults.map(\.attribute) == ["bytes"])
        #expect(faults.map(\.object) == [id])
    }

    private func store(_ ring: KeyRing, _ options: Store.Options = .createIfMissing) throws -> Store {
        let external = AttributeOption.externalStorage(over: 500)
        let bytes = AttributeDescription.transformed(
            "bytes",
            "sealed(key: \"scans\")",
            as: Data.self,
            .optional,
            external
        )
        let registry = try TransformerRegistry {
            StandardPlugin()
            EncryptionPlugin(keys: ring)
        }
        let model = try Model(entities: [EntityDescription("Scan", attributes: [bytes])])
        return try Store(at: folder.file(), model: model, transformers: registry, options: options)
    }
}
