//! The functions of the headers.

/// What an argument is.
#[derive(Debug, PartialEq, Eq)]
pub enum Kind {
    /// A handle of this type.
    Handle(String),
    /// Handles of this type, which are read.
    Handles(String),
    /// A place for a handle of this type.
    NewHandle(String),
    /// Bytes that are read.
    Input,
    /// A place for bytes.
    Output,
    /// The length of a buffer.
    OutputLength,
    /// A length or a number of items.
    Length,
    /// A pointer to a structure of this type, or to several.
    Structure(String),
    /// A string.
    Text,
    /// A constant.
    Number,
}

impl Kind {
    pub fn is_pointer(&self) -> bool {
        !matches!(self, Self::Length | Self::Number)
    }
}

#[derive(Debug)]
pub struct Parameter {
    pub kind: Kind,
    pub name: String,
    /// The type, without `const` and `*`.
    pub base: String,
    pub is_const: bool,
}

/// The groups of arguments, in the order that the first page of `kuaimi.h` states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    Handles,
    Inputs,
    Options,
    Outputs,
}

#[derive(Debug)]
pub struct Function {
    pub name: String,
    pub parameters: Vec<Parameter>,
    pub returns: String,
    /// Whether it warns of a result that nobody looks at.
    pub is_marked: bool,
    /// The numbers of the arguments, counted from 1, that are marked as never null.
    pub nonnull: Vec<usize>,
}

impl Function {
    /// `sm2`, `sm3`, `sm4`, `sm9`, or nothing.
    pub fn family(&self) -> &str {
        self.name
            .split('_')
            .find(|part| part.starts_with("sm"))
            .unwrap_or("")
    }

    /// What each of the arguments is to the function.
    pub fn groups(&self) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for (place, parameter) in self.parameters.iter().enumerate() {
            let is_changed = matches!(parameter.name.as_str(), "state" | "items");
            let group = match &parameter.kind {
                Kind::Handle(_) => Group::Handles,
                Kind::Input | Kind::Text | Kind::Handles(_) => Group::Inputs,
                Kind::Structure(name)
                    if name.ends_with("_options") || name.ends_with("_encryption") =>
                {
                    Group::Options
                }
                Kind::Output | Kind::Structure(_) if is_changed => Group::Inputs,
                Kind::Structure(_) if parameter.is_const => Group::Inputs,
                Kind::NewHandle(_) | Kind::Output | Kind::OutputLength | Kind::Structure(_) => {
                    Group::Outputs
                }
                // A function identifier belongs to an identity, a recovery identifier to a
                // signature.
                Kind::Number if parameter.base == "uint8_t" => Group::Inputs,
                Kind::Number => Group::Options,
                Kind::Length => match place.checked_sub(1) {
                    Some(before) if self.parameters[before].kind.is_pointer() => groups[before],
                    _ => Group::Options,
                },
            };
            groups.push(group);
        }
        groups
    }

    /// Whether the output has a buffer's length after it.
    pub fn is_sized(&self, place: usize) -> bool {
        self.parameters
            .get(place + 1)
            .is_some_and(|next| next.kind == Kind::OutputLength)
    }
}

/// The declarations alone, without comments and lines for the preprocessor.
fn code(header: &str) -> String {
    let mut text = String::new();
    let mut rest = header;
    while let Some((before, comment)) = rest.split_once("/*") {
        text += before;
        rest = comment.split_once("*/").expect("the end of a comment").1;
    }
    let text = text + rest;
    let text = text.replace("\\\n", "");
    let code = text.lines().filter(|line| !line.starts_with('#'));
    code.flat_map(|line| [line, "\n"]).collect()
}

/// The types that are used by pointer only.
pub fn handle_types(header: &str) -> Vec<String> {
    let text = code(header);
    text.split(';')
        .filter_map(|declaration| {
            let words: Vec<&str> = declaration.split_whitespace().collect();
            let [.., "typedef", "struct", name, again] = words[..] else {
                return None;
            };
            (name == again).then(|| name.to_owned())
        })
        .collect()
}

pub fn functions(header: &str) -> Vec<Function> {
    let handles = handle_types(header);
    let text = code(header);
    let functions: Vec<Function> = text
        .split(';')
        .filter(|declaration| !declaration.contains('{') || declaration.contains("extern"))
        .filter_map(|declaration| {
            let (head, rest) = declaration.split_once('(')?;
            let (parameters, marks) = rest.split_once(')')?;
            let words: Vec<&str> = head.split([' ', '*', '\n']).collect();
            let name = words.last()?;
            let parameters = match parameters.trim() {
                "void" => Vec::new(),
                list => list
                    .split(',')
                    .map(|parameter| read_parameter(parameter, &handles))
                    .collect(),
            };
            name.starts_with("kuaimi_").then(|| Function {
                name: (*name).to_owned(),
                parameters,
                returns: words[..words.len() - 1]
                    .iter()
                    .rfind(|word| !word.is_empty())
                    .map_or(String::new(), |word| (*word).to_owned()),
                is_marked: words.contains(&"KUAIMI_WARN_UNUSED_RESULT"),
                nonnull: numbers(marks),
            })
        })
        .collect();
    assert!(functions.len() > 150, "{} functions", functions.len());
    functions
}

/// The numbers of `KUAIMI_NONNULL(1, 2)`.
fn numbers(marks: &str) -> Vec<usize> {
    match marks.trim().strip_prefix("KUAIMI_NONNULL(") {
        Some(rest) => {
            let list = rest.strip_suffix(')').expect("the end of a mark");
            let number = |number: &str| number.parse().expect("a number");
            list.split(", ").map(number).collect()
        }
        None => {
            assert_eq!(marks.trim(), "", "an unknown mark");
            Vec::new()
        }
    }
}

fn read_parameter(parameter: &str, handles: &[String]) -> Parameter {
    let spaced = parameter.replace('*', " * ");
    let words: Vec<&str> = spaced
        .split_whitespace()
        .filter(|&word| word != "struct" && word != "enum")
        .collect();
    let (name, words) = words.split_last().expect("a parameter has a name");
    let pointers = words.iter().filter(|&&word| word == "*").count();
    let is_const = words.first() == Some(&"const");
    let is_list = words.contains(&"const");
    let base = words
        .iter()
        .find(|&&word| word != "const")
        .expect("a parameter has a type");
    let is_handle = handles.iter().any(|handle| handle == base);
    let kind = match (pointers, *base) {
        (0, "size_t") => Kind::Length,
        (0, _) => Kind::Number,
        (1, _) if is_handle => Kind::Handle((*base).to_owned()),
        (2, _) if is_handle && is_list => Kind::Handles((*base).to_owned()),
        (2, _) if is_handle => Kind::NewHandle((*base).to_owned()),
        (1, "uint8_t") if is_const => Kind::Input,
        (1, "uint8_t") => Kind::Output,
        // A number that is a result of its own.
        (1, "size_t") if *name == "count" => Kind::Structure((*base).to_owned()),
        (1, "size_t") => Kind::OutputLength,
        (1, "char") => Kind::Text,
        (1, structure) => Kind::Structure(structure.to_owned()),
        _ => panic!("{parameter}: what is this?"),
    };
    Parameter {
        kind,
        name: (*name).to_owned(),
        base: (*base).to_owned(),
        is_const,
    }
}
