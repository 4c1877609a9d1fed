/// A topic that several commands share, shown by `help NAME`.
enum HelpTopic: String, CaseIterable {
    case conditions
    case models

    /// Returns the topic that the arguments ask for, as in `help conditions`.
    init?(_ arguments: [String]) {
        guard arguments.count == 2, arguments[0] == "help" else { return nil }
        self.init(rawValue: arguments[1])
    }

    /// A one-line summary.
    var abstract: String {
        switch self {
        case .conditions: "How to write a condition for --where."
        case .models: "How to write a store's model as JSON."
        }
    }

    /// The whole text, for a terminal with 80 columns.
    var text: String {
        switch self {
        case .conditions: Self.conditionsText
        case .models: Self.modelsText
        }
    }
}

extension HelpTopic {
    private static let conditionsText = """
        A condition selects the objects that a command works on:

          \(Session.current.programName) store show clinic.sqlite Patient --where 'age >= 18 and active'

        COMPARISONS
          age == 3                      also written =
          age != 3                      also written <>; includes objects without an age
          age < 18                      also <=, >, >=
          age between 18 and 65         both ends included; also not between
          ward in ("East", "West")      also not in
          nick is null                  also is not null
          name startsWith "A"           also endsWith and contains
          name like "A%_"               % is any text, _ is one Unicode scalar
          name ==[cd] "zoe"             ignores case (c) and diacritics (d); works with
                                        every text operator
          active                        the same as active == true

        COMBINING CONDITIONS
          active and age >= 18          also written &&
          age == 3 or age == 4          also written ||; binds less tightly than and
          not active                    also written !; selects all other objects
          not (active or paid)          parentheses group

        VALUES
          42, -1.5, 2e10, "text", 'text', true, false, null
          2024-05-22, 2024-05-22T08:30:00Z, 2024-05-22T08:30:00+02:00
          weight / (height * height) > 30       + - * / %, as in Swift
          name.@length > 10                     number of characters

        NAMES
          A name refers to an attribute. _id is the object's number. Put a name in
          backquotes if it is a word of the grammar or contains characters other than
          letters, digits, and _: `all` == 3. The words of the grammar are not
          case-sensitive.

        RELATIONSHIPS
          patient.name == "Ada"         follows a to-one relationship
          patient is null
          any visits.cost > 100         at least one object; also some, all, and
                                        none
          any visits (cost > 100 and not paid)
          owner.Dog == 7                if it can have objects of several entities
          visits.@count > 2
          visits.@sum.cost < 50         also @min, @max, and @avg

        GRAMMAR
          condition  = and *( ( "or" / "||" ) and )
          and        = unary *( ( "and" / "&&" ) unary )
          unary      = ( "not" / "!" ) unary / comparison / quantified
                     / "true" / "false"
          quantified = ( "any" / "some" / "all" / "none" ) path
                       [ test / "(" condition ")" ]
          comparison = sum test / path
          test       = operator sum
                     / [ "not" ] "in" [ options ]
                       ( "(" [ sum *( "," sum ) ] ")" / parameter )
                     / [ "not" ] "between" sum "and" sum / "is" [ "not" ] "null"
          operator   = "==" / "=" / "!=" / "<>" / "<" / "<=" / ">" / ">="
                     / [ "not" ] ( "contains" / "startsWith" / "endsWith" / "like" ),
                       each with [ options ]
          options    = "[" 1*( "c" / "d" ) "]"
          sum        = product *( ( "+" / "-" ) product )
          product    = factor *( ( "*" / "/" / "%" ) factor )
          factor     = "-" factor / "(" sum ")" / "(" condition ")" / path / literal
                     / parameter
          path       = name *( "." name )
                       [ ".@count" / ".@length"
                       / ".@" ( "sum" / "min" / "max" / "avg" ) *( "." name ) ]
          name       = letters, digits and "_" / any characters in backquotes
          literal    = string / number / "true" / "false" / "null" / date
          string     = in double quotes with JSON's escapes
                     / in single quotes, which are doubled within
          date       = day [ "T" time [ "Z" / offset ] ]
          parameter  = "$" name
        """

    private static let modelsText = """
        A model describes a store's contents as JSON, for “store create --model”:

          { "transformableModel": 1, "version": 1, "entities": [
            { "name": "Patient",
              "attributes": [
                { "name": "name", "type": "string", "indexed": true },
                { "name": "born", "type": "date", "optional": true },
                { "name": "age", "type": "int16", "minimum": 0, "maximum": 150 },
                { "name": "active", "type": "boolean", "default": true },
                { "name": "key", "type": "uuid", "default": { "make": "uuid" } },
                { "name": "bed", "transformer": "rect", "optional": true,
                  "projections": [
                    { "name": "area", "transformer": "rect-area", "indexed": true }
                  ] },
                { "name": "scan", "transformer": "png | sealed", "optional": true,
                  "externalStorage": { "over": 65536 } } ],
              "relationships": [
                { "name": "visits", "to": "Visit", "many": true,
                  "inverse": "patient", "deleteRule": "cascade" } ],
              "unique": [["name", "born"]] },
            { "name": "Visit",
              "attributes": [ { "name": "reason", "type": "string" } ],
              "relationships": [
                { "name": "patient", "to": "Patient", "inverse": "visits" } ] }
          ] }

        MODEL
          transformableModel  the version of this format, which is 1
          version             the version of the model, starting at 1; raise it to
                              migrate stores
          tenants             whether every object belongs to a tenant, except those
                              of shared entities
          entities            the list of entities
          fetchRequests       conditions with parameters, for “store fetch”

        ENTITY
          name                the table's name: letters, digits, and _, beginning with
                              a letter
          parent              the entity to inherit from
          abstract            whether the entity has no objects of its own
          attributes, relationships, composites
          transientRelationships
                              kept only in memory: name, to, many, userInfo
          unique              lists of names whose combined values must be unique
          indexes             lists of names, in the order of an index; use
                              { "name": NAME, "descending": true } for the
                              opposite order
          projections         columns computed from several attributes: name,
                              attributes, transformer, indexed, reveals; each of the
                              attributes is a name, or { "name": NAME,
                              "transformer": EXPRESSION }
          authenticatesRows   whether each row has a tag, so that changes made without
                              the store's key are detected; writing requires that key
          shared              whether the objects are the same for all tenants
          renamedFrom         the name in earlier versions, or a list of names; use
                              { "name": NAME, "in": VERSION } to also give the version
                              that no longer has the name
          addedIn             the version that added the entity
          userInfo            strings by name, for use by programs

        ATTRIBUTE
          name                the column's name
          type                int8 to int64, uint8 to uint64, decimal, double, float,
                              string, boolean, date, data, uuid, url, or transformed
                              (keyed-archive unless “transformer” says otherwise)
          transformer         in place of a type: an expression (see “explain”)
          optional            whether the attribute can have no value
          default             a value, { "make": "now" }, or { "make": "uuid" }
          indexed, unique     for plain types
          derived             computed by the store: lowercase:(NAME),
                              uppercase:(NAME), canonical:(NAME), now(), or
                              RELATIONSHIP.@count
          minimum, maximum    for numbers
          minimumLength, maximumLength
                              for text, in characters, and for data, in bytes
          pattern             for text: a regular expression for the whole text
          externalStorage     { "over": BYTES }: store larger values in files
          projections         columns computed from the value, which SQL can compare:
                              name, transformer, indexed. If the attribute is sealed,
                              they must be keyed, unless they have “reveals”: true
          transient           kept in memory only; the type can then be undefined
          decode              onAccess (the default) or onFetch
          encode              onSave (the default) or onSet
          renamedFrom, addedIn, userInfo

        COMPOSITE
          name, optional      one value in several columns; whether it may have none
          parts               stored attributes, in columns named NAME_PART
          renamedFrom, addedIn

        RELATIONSHIP
          name                the relationship's name
          to                  the entity of the related objects
          many, ordered       whether it has many objects, and keeps their order
          optional            whether it can have no object
          inverse             the relationship in the other direction
          deleteRule          nullify (the default), cascade, deny, or no-action
          minimumCount, maximumCount
          renamedFrom, addedIn, userInfo

        FETCH REQUEST
          name, entity        its name, and the entity of the objects
          where               a condition, which can contain parameters: age > $age
          sortedBy            names, or { "name": NAME, "descending": true }
          limit, offset, userInfo

        Unknown keys and contradictions are errors; the message lists each of them
        with its line and column. “store schema --json” writes the model of an
        existing store.
        """
}
