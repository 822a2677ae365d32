//! Options of functions: forms, modes, kinds.

/// `options! { pub enum name { CONSTANT = 1, … } }`: an enumeration in the header, as errors are.
/// Here it is a number, since a C program can pass any, and an enumeration of Rust must not have a
/// value that is none of its own.
macro_rules! options {
    ($(#[$about:meta])* pub enum $name:ident { $($(#[$what:meta])* $constant:ident = $number:literal,)* }) => {
        $(#[$about])*
        pub type $name = u32;
        $($(#[$what])* pub const $constant: $name = $number;)*
    };
}
