//! Only the command that is called is built, where the first words of the command line name it: the
//! options of all commands would take longer than a signature.

use clap::{ArgMatches, Command, FromArgMatches, Subcommand};

/// What gives a command its options.
pub type Augment = fn(Command) -> Command;

/// Commands that stand behind certain words of the command line.
pub trait Commands: Subcommand {
    /// The words before them, without the program's name.
    const BEFORE: &'static [&'static str];
    /// Those that need none of the others: their names, and what gives each its options.
    const ALONE: &'static [(&'static str, Augment)];
}

/// The command that is called.
#[derive(Debug)]
pub struct Called<C>(pub C);

impl<C: FromArgMatches> FromArgMatches for Called<C> {
    fn from_arg_matches(matches: &ArgMatches) -> clap::error::Result<Self> {
        C::from_arg_matches(matches).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> clap::error::Result<()> {
        self.0.update_from_arg_matches(matches)
    }
}

impl<C: Commands> Subcommand for Called<C> {
    fn augment_subcommands(parent: Command) -> Command {
        let mut words = std::env::args_os().skip(1);
        let is_here = C::BEFORE
            .iter()
            .all(|before| words.next().is_some_and(|word| word == *before));
        let word = words.next().filter(|_| is_here).unwrap_or_default();
        match C::ALONE.iter().find(|(name, _)| word == *name) {
            Some((name, augment)) => parent.subcommand(augment(Command::new(*name))),
            None => C::augment_subcommands(parent),
        }
    }

    fn augment_subcommands_for_update(parent: Command) -> Command {
        C::augment_subcommands_for_update(parent)
    }

    fn has_subcommand(name: &str) -> bool {
        C::has_subcommand(name)
    }
}

/// The commands behind one word, each with its name: an enum `Command`, which runs the one it
/// holds.
macro_rules! commands {
    (behind $before:literal: $($name:literal => $variant:ident($arguments:ty),)+) => {
        #[derive(clap::Subcommand, Debug)]
        enum Command {
            $(#[command(name = $name)] $variant($arguments),)+
        }

        impl $crate::called::Commands for Command {
            const BEFORE: &'static [&'static str] = &[$before];
            const ALONE: &'static [(&'static str, $crate::called::Augment)] =
                &[$(($name, <$arguments as clap::Args>::augment_args),)+];
        }

        impl Command {
            fn run(self, context: $crate::context::Context) -> $crate::failure::Result<$crate::exit::Answer> {
                match self {
                    $(Self::$variant(command) => command.run(context),)+
                }
            }
        }
    };
}
pub(crate) use commands;
