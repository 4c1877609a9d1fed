extension HelpTopic {
    static let conditionsText = """
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
          name like "A%_"               % is any text, _ is any character
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
          A name is that of an attribute. _id is the object's number. Put a name in
          backquotes if it is a word of the grammar or contains characters other than
          letters, digits, and _: `all` == 3. The words of the grammar are not
          case-sensitive.

        RELATIONSHIPS
          patient.name == "Ada"         follows a to-one relationship
          patient is null
          any visits.cost > 100         at least one object; also some, all, and
                                        none
          any visits (cost > 100 and not paid)
          owner.Dog == 7                if it can lead to objects of several entities
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
}
