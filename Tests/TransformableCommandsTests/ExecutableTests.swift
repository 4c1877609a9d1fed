import Foundation
import Testing

/// Behavior that requires a separate process: signals, pipes, and the exit status.
struct ExecutableTests {
    private static let executable = URL(filePath: CommandLine.arguments[0])
        .deletingLastPathComponent()
        .appending(path: "transformable")

    /// Runs a shell command in which `$T` is the program.
    private func shell(_ script: String, in folder: TemporaryFolder? = nil) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", script]
        process.currentDirectoryURL = folder?.url
        process.environment = ["T": Self.executable.path, "PATH": "/usr/bin:/bin"]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    @Test(arguments: [
        ("$T encode text hello --hex", 0, "68656c6c6f\n"),
        ("printf hello | $T encode text - --base64", 0, "aGVsbG8=\n"),
        ("$T encode text --hex -- -x", 0, "2d78\n"),
        ("$T encode text hello > /dev/full", 74, "error: writing standard output failed: no space left on device\n"),
        ("$T encode text hello >&-", 74, "error: writing standard output failed: bad file descriptor\n"),
        ("$T encode text <&-", 74, "error: reading standard input failed: bad file descriptor\n"),
        ("$T nonsense 2>&-", 64, ""),
        (
            "$T encode text \"$(printf '\\377')\" 2>&1 | cut -c 1-37; exit 64", 64,
            "error: an argument is not valid UTF-8\n"
        ),
        (
            "printf 'P6 1 1 255 abc' | $T encode png | $T decode png --out x.gif", 64,
            "error: an image cannot be written as “gif”; use png, jpg, or pam\n"
        ),
        ("$T encode 'list(of: (rect))' '[\"{{1, 2}, {3, 4}}\"]'", 0, "[\"{{1, 2}, {3, 4}}\"]\n"),
        ("$T explain range | sed -n 2p", 0, "  range: a range as {location, length}, or packed; NSRange to String\n"),
        ("$T --help > /dev/full", 74, "error: writing standard output failed: no space left on device\n"),
    ])
    func exitsWithTheStatus(script: String, status: Int32, output: String) throws {
        let result = try shell(script)
        #expect(result.status == status)
        #expect(result.output == output)
    }

    /// A retry would insert the object twice.
    @Test func reportsThatAChangeIsSavedIfItsResultCannotBeWritten() throws {
        let folder = try TemporaryFolder()
        let model = """
            { "transformableModel": 1, "entities": [ { "name": "E", "attributes": [ { "name": "a", "type": "string" } ] } ] }
            """
        _ = try folder.write(Data(model.utf8), "m.json")
        _ = try shell("$T store create s.sqlite --model m.json", in: folder)
        let insertion = try shell("$T store insert s.sqlite E a=1 > /dev/full", in: folder)
        #expect(insertion.status == 74)
        #expect(insertion.output.hasSuffix("no space left on device; the change is saved\n"))
        #expect(try shell("$T store show s.sqlite E --count", in: folder).output == "1\n")
    }

    /// A retry would make a second key, or take the passphrase that the file no longer has.
    @Test(arguments: ["rotate k", "add k --name other", "passphrase k --new-passphrase-file p --cost interactive"])
    func reportsThatKeysAreSavedIfTheResultCannotBeWritten(change: String) throws {
        let folder = try TemporaryFolder()
        let preparation = "umask 077; echo horse > p; $T keys new k > log"
        let result = try shell("\(preparation) && $T keys \(change) > /dev/full", in: folder)
        #expect(result.status == 74)
        #expect(result.output.hasSuffix("no space left on device; the change is saved\n"), "\(result.output)")
    }

    @Test func theCommandsInTheReadmeRunInAnEmptyFolder() throws {
        let readme = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../README.md")
        let text = try String(contentsOf: readme, encoding: .utf8)
        let section = text[try #require(text.range(of: "## The command line")).upperBound...]
        let block = section[try #require(section.range(of: "```sh\n")).upperBound...]
        let commands = block[..<(try #require(block.range(of: "\n```"))).lowerBound]
        let folder = try TemporaryFolder()
        let result = try shell("set -e; transformable() { \"$T\" \"$@\"; }\n\(commands)", in: folder)
        #expect(result.status == 0, "\(result.output)")
        #expect(try folder.names == ["ada.png", "clinic.json", "clinic.keys", "clinic.sqlite", "settings.plist"])
    }

    /// A store with every kind of attribute and relationship.
    ///
    /// The expected output is that of the original store.
    @Test func anExportRoundTripsByteForByte() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Data(Self.everything.utf8), "all.json")
        let result = try shell("set -e\n\(Self.makesEverything)", in: folder)
        #expect(result.status == 0, "\(result.output)")
        let copied = """
            set -e
            $T store import b.sqlite --folder x1 --key-file k.keys
            $T store export b.sqlite --out x2 --key-file k.keys > log
            diff -r x1 x2
            for store in a b; do
                for entity in Thing Tag Dog Cat; do $T store show $store.sqlite $entity --json --key-file k.keys; done > $store.txt
                for name in art artSealed sealed big bigSealed; do
                    $T store get $store.sqlite Thing 1 $name --key-file k.keys --out $store.$name.json
                done
                $T store get $store.sqlite Thing 1 photo --raw --out $store.photo
                $T store get $store.sqlite Thing 1 art --raw --out $store.art
                $T store verify $store.sqlite --key-file k.keys >> $store.txt
                $T store insert $store.sqlite Thing s=new >> $store.txt
            done
            diff a.txt b.txt
            cmp a.photo b.photo
            cmp a.art art.plist
            for name in art artSealed sealed big bigSealed; do cmp a.$name.json b.$name.json; done
            """
        let again = try shell(copied, in: folder)
        #expect(again.status == 0 && again.output.hasPrefix("imported 9 objects and "), "\(again.output)")
    }

    private static let everything = """
        { "transformableModel": 1, "version": 3, "entities": [
          { "name": "Animal", "abstract": true }, { "name": "Cat", "parent": "Animal" },
          { "name": "Dog", "parent": "Animal" },
          { "name": "Tag", "relationships": [ { "name": "things", "to": "Thing", "many": true, "ordered": true } ] },
          { "name": "Thing", "attributes": [
            { "name": "i16", "type": "int16", "optional": true, "default": 7 },
            { "name": "i64", "type": "int64", "optional": true },
            { "name": "f", "type": "float", "optional": true }, { "name": "d", "type": "double", "optional": true },
            { "name": "dec", "type": "decimal", "optional": true }, { "name": "b", "type": "boolean", "optional": true },
            { "name": "s", "type": "string", "optional": true }, { "name": "at", "type": "date", "optional": true },
            { "name": "raw", "type": "data", "optional": true },
            { "name": "big", "type": "data", "optional": true, "externalStorage": { "over": 100 } },
            { "name": "id", "type": "uuid", "optional": true }, { "name": "link", "type": "url", "optional": true },
            { "name": "rect", "transformer": "rect", "optional": true },
            { "name": "j", "transformer": "json", "optional": true },
            { "name": "sealed", "transformer": "text | sealed", "optional": true,
              "projections": [ { "name": "blind", "transformer": "blind-index(bits: 32)", "indexed": true } ] },
            { "name": "bigSealed", "transformer": "gzip | sealed", "optional": true, "externalStorage": { "over": 100 } },
            { "name": "photo", "transformer": "jpeg(quality: 50)", "optional": true },
            { "name": "art", "transformer": "keyed-archive", "optional": true },
            { "name": "artSealed", "transformer": "keyed-archive | sealed", "optional": true } ],
            "composites": [ { "name": "size", "optional": true, "parts": [
              { "name": "w", "type": "double" }, { "name": "h", "type": "double" } ] } ],
            "relationships": [
              { "name": "parent", "to": "Thing", "inverse": "children" },
              { "name": "children", "to": "Thing", "many": true, "ordered": true, "inverse": "parent" },
              { "name": "friends", "to": "Thing", "many": true, "inverse": "friends" },
              { "name": "tags", "to": "Tag", "many": true, "ordered": true, "inverse": "things" },
              { "name": "pets", "to": "Animal", "many": true, "ordered": true },
              { "name": "idol", "to": "Animal" },
              { "name": "twin", "to": "Thing", "inverse": "twin" } ] } ] }
        """

    private static let makesEverything = """
        $T keys new k.keys
        $T store create a.sqlite --model all.json --key-file k.keys
        for entity in Tag Tag Cat Dog Dog; do $T store insert a.sqlite $entity; done
        printf 'P6 2 2 255\\n\\001\\002\\003\\100\\200\\300\\377\\000\\177abc' | $T encode 'jpeg(quality: 50)' --out p.jpg
        $T encode 'keyed-archive(format: xml)' '{"a": [1, 2.5, {"$date": "2001-01-01T00:00:00.125Z"}]}' --out art.plist
        seq 1 500 > big.txt
        $T store insert a.sqlite Thing i16=-3 i64=9007199254740993 f=0.1 d=-0.0 dec=12345678901234567890.123456789 b=true \\
            s='@@e\u{301} "q" \\ ,' at=2024-05-22T00:59:00.1Z raw= big=@big.txt id=e621e1f8-c36c-495a-93fc-0c247a3e6e5f \\
            link='https://example.com/a?b' rect='{{1, 2}, {3, 4}}' j='{"file": "Thing/1.j", "x": [1, 2.50]}' \\
            sealed=secret bigSealed=@big.txt photo=@p.jpg art=@art.plist artSealed=@art.plist size_w=1 size_h=0.5 \\
            --key-file k.keys
        $T store insert a.sqlite Thing s= sealed= --null i16 --key-file k.keys
        $T store insert a.sqlite Thing d=1e300
        $T store insert a.sqlite Thing parent=1
        $T store insert a.sqlite Thing s=gone
        $T store set a.sqlite Thing 1 children=3,1,2 friends=1,2 tags=2,1 pets=Dog/2,Cat/1,Dog/1 idol=Cat/1 twin=2
        $T store set a.sqlite Thing 2 parent=3 tags=1,2 friends+=3 idol=Dog/1
        $T store set a.sqlite Tag 1 things=2,1
        $T store delete a.sqlite Thing 5
        $T store export a.sqlite --out x1 --key-file k.keys
        """

    @Test(arguments: [
        ("users.0.name", 0, "\"Ada\"\n"),
        ("users.1", 0, "{\n  \"name\": {\"$data\": \"AAE=\"}\n}\n"),
        ("users.0.name --raw", 0, "Ada"),
        ("users.1.name --raw | od -An -tx1", 0, " 00 01\n"),
        ("'a\\.b'", 0, "1\n"),
        ("users.2", 66, "error: there is no “users.2” in the value\n"),
        ("users.00", 66, "error: there is no “users.00” in the value\n"),
        ("users.0.name.first", 65, "error: there is no “users.0.name.first”: “users.0.name” has no parts\n"),
        ("users..0", 64, "error: “users..0” is not a valid path; separate names and indexes with single dots\n"),
    ])
    func extractsAPart(path: String, status: Int32, output: String) throws {
        let json = #"{"a.b": 1, "users": [{"name": "Ada"}, {"name": {"$data": "AAE="}}]}"#
        let result = try shell(
            "printf '%s' '\(json)' | $T encode keyed-archive | $T decode keyed-archive --extract \(path)"
        )
        #expect(result.status == status)
        #expect(result.output == output)
    }

    /// A folder whose two files refer to it as their parent.
    ///
    /// The whole cannot be a value, but a file's name can.
    private static let cycle = """
        <plist version="1.0"><dict>
        <key>$archiver</key><string>NSKeyedArchiver</string><key>$version</key><integer>100000</integer>
        <key>$top</key><dict><key>root</key><dict><key>CF$UID</key><integer>1</integer></dict></dict>
        <key>$objects</key><array><string>$null</string>
        <dict><key>$class</key><dict><key>CF$UID</key><integer>5</integer></dict>
        <key>files</key><dict><key>CF$UID</key><integer>2</integer></dict></dict>
        <dict><key>$class</key><dict><key>CF$UID</key><integer>6</integer></dict><key>NS.objects</key>
        <array><dict><key>CF$UID</key><integer>3</integer></dict><dict><key>CF$UID</key><integer>3</integer></dict></array>
        </dict>
        <dict><key>$class</key><dict><key>CF$UID</key><integer>5</integer></dict>
        <key>parent</key><dict><key>CF$UID</key><integer>1</integer></dict>
        <key>name</key><dict><key>CF$UID</key><integer>4</integer></dict></dict>
        <string>Ada</string>
        <dict><key>$classname</key><string>Acme.Node</string></dict>
        <dict><key>$classname</key><string>NSArray</string></dict>
        </array></dict></plist>
        """

    @Test(arguments: [
        ("files.1.name", 0, "\"Ada\"\n"), ("files.1.parent.files.0.name --raw", 0, "Ada"),
        ("files.0", 65, ""), ("files.2", 65, ""), ("files.0.name.x", 65, ""),
    ])
    func extractsAPartOfACyclicGraph(path: String, status: Int32, output: String) throws {
        let folder = try TemporaryFolder()
        try Data(Self.cycle.utf8).write(to: folder.url.appending(path: "cycle.plist"))
        let sources = [
            "$T decode keyed-archive --in cycle.plist", "gzip -c cycle.plist | $T decode 'keyed-archive | gzip'",
        ]
        for source in sources {
            let result = try shell("\(source) --extract \(path)", in: folder)
            #expect(result.status == status)
            let message =
                "error: keyed-archive: object 1 contains itself, which a value cannot do; decode a part of it"
            #expect(result.output == output || (output.isEmpty && result.output.hasPrefix(message)))
        }
    }

    @Test(arguments: [
        ("$T decode json '{\"a\": [1, 2.5]}' --extract a.1", 0, "2.5\n"),
        (
            "$T decode rect '{{1, 2}, {3, 4}}' --extract x", 64,
            "error: --extract requires a value with parts, but CGRect has none\n"
        ),
    ])
    func extractsFromValuesWithParts(script: String, status: Int32, output: String) throws {
        let result = try shell(script)
        #expect(result.status == status)
        #expect(result.output == output)
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func aSignalEndsTheProgramWithoutLeavingFiles(signal: Int32) throws {
        let folder = try TemporaryFolder()
        let pipe = folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let process = Process()
        // The program that runs the tests may ignore some of the signals.
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "--default-signal", Self.executable.path, "encode", "text", "--in", pipe, "--out", folder.path("out"),
        ]
        try process.run()
        // Opens once the program has opened the other end, which means that it has started.
        let writer = try FileHandle(forWritingTo: URL(filePath: pipe))
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        try writer.close()
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 128 + signal)
        #expect(try folder.names == ["pipe"])
    }

    /// A pipe holds 64 KiB (pipe(7)), so once more than that is written, the command is reading it.
    @Test(arguments: ["insert s.sqlite E", "set s.sqlite E 1", "update s.sqlite E --where true"])
    func othersCanWriteWhileStandardInputIsRead(change: String) throws {
        let folder = try TemporaryFolder()
        let model = """
            { "transformableModel": 1, "entities": [ { "name": "E", "attributes": [ { "name": "a", "type": "string" } ] } ] }
            """
        _ = try folder.write(Data(model.utf8), "m.json")
        _ = try shell("$T store create s.sqlite --model m.json; $T store insert s.sqlite E a=1", in: folder)
        let other = "head -c 200000 /dev/zero | tr '\\0' x; $T store set s.sqlite E 1 a=2; echo \"status $?\" >&2"
        let result = try shell("{ \(other); } | $T store \(change) a=@-", in: folder)
        #expect(result.status == 0)
        #expect(result.output.contains("status 0\n"), "\(result.output)")
    }

    /// The limit on open files is the smallest with which the store can be opened, so its external files cannot be.
    @Test func aFileThatCannotBeReadIsNotDamaged() throws {
        let folder = try TemporaryFolder()
        let model = """
            { "transformableModel": 1, "entities": [ { "name": "E", "attributes": [
              { "name": "a", "type": "data", "externalStorage": { "over": 10 } } ] } ] }
            """
        _ = try folder.write(Data(model.utf8), "m.json")
        _ = try folder.write(Data(repeating: 7, count: 100), "value")
        _ = try shell("$T store create s.sqlite --model m.json; $T store insert s.sqlite E a=@value", in: folder)
        let script = """
            n=4
            while [ $n -lt 64 ] && ! (ulimit -n $n; $T store show s.sqlite E --columns _id) > names 2>&1
            do n=$((n + 1)); done
            ulimit -n $n; $T store show s.sqlite E --columns a
            """
        let result = try shell(script, in: folder)
        #expect(result.status == 74)
        #expect(result.output.contains("cannot be opened: Too many open files"), "\(result.output)")
    }

    @Test func hasEveryPlugin() throws {
        let names = "standard, geometry, webp, image, keyed-archive, encryption"
        #expect(try shell("$T list | tail -n 2 | head -n 1").output.hasSuffix("transformers; plugins: \(names)\n"))
    }

    @Test func endsQuietlyIfTheOutputIsClosed() throws {
        let script = "head -c 1000000 /dev/zero | { $T encode text; echo \"status $?\" >&2; } | true"
        #expect(try shell(script).output == "status 141\n")
        #expect(try shell("trap '' PIPE; \(script)").output == "status 141\n")
    }

    /// What was read from a pipe cannot be read again.
    @Test func readsAKeyFileWithAPassphraseFromAPipe() throws {
        let script = """
            umask 077; echo secret > phrase; mkfifo pipe
            $T keys new clinic.keys --passphrase-file phrase > /dev/null
            cat clinic.keys > pipe &
            timeout 60 $T encode 'text | sealed' hello --key-file pipe --passphrase-file phrase --out sealed
            $T decode 'text | sealed' --in sealed --key-file clinic.keys --passphrase-file phrase
            """
        let folder = try TemporaryFolder()
        let result = try shell(script, in: folder)
        #expect(result.status == 0)
        #expect(result.output == "hello")
        #expect(try folder.names == ["clinic.keys", "phrase", "pipe", "sealed"])
    }

    @Test func inspectsAPipe() throws {
        let folder = try TemporaryFolder()
        let result = try shell("mkfifo p; { echo hello > p; } & $T inspect p", in: folder)
        #expect(result.output == "UTF-8 text\n  bytes:  6\n  lines:  1\n")
    }

    @Test(arguments: ["x", "./x", "sub/x", "sub/../x", "a b.tar.gz", ".x"])
    func writesRelativePaths(path: String) throws {
        let folder = try TemporaryFolder()
        let result = try shell("mkdir sub; $T encode text hello --out '\(path)' && cat '\(path)'", in: folder)
        #expect(result.output == "hello")
        #expect(result.status == 0)
    }

    @Test func leavesNoFileIfWritingFails() throws {
        let folder = try TemporaryFolder()
        let script = "ulimit -f 8; head -c 100000 /dev/zero | $T encode text --out zeros"
        let result = try shell(script, in: folder)
        #expect(result.status == 74)
        #expect(result.output == "error: writing “zeros” failed: file too large\n")
        #expect(try folder.names == [])
    }
}
