//! `kuaimi completions` and `kuaimi man`: what belongs to an installed program, made by the program
//! itself.

use std::path::PathBuf;

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;
use clap_mangen::roff::{Inline, Roff, bold, italic, roman};

use crate::cli::Cli;
use crate::exit::Answer;
use crate::failure::{Failure, Result, reason};
use crate::output::{Secrecy, Target, print};
use crate::say::show;

/// Print the completions for a shell.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi completions bash > ~/.local/share/bash-completion/completions/kuaimi
  kuaimi completions zsh > ~/.zfunc/_kuaimi          with ~/.zfunc in $fpath
  kuaimi completions fish > ~/.config/fish/completions/kuaimi.fish")]
pub struct CompletionsCommand {
    /// The shell.
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

impl CompletionsCommand {
    pub fn run(self) -> Result<Answer> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "kuaimi", &mut script);
        print(script)?;
        Ok(Answer::Yes)
    }
}

/// Write the manual: a page for each command.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  kuaimi man --out ~/.local/share/man/man1
  man kuaimi-sm2-sign

Existing pages are overwritten.")]
pub struct ManCommand {
    /// The directory for the pages; it is created if it does not exist.
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,
}

impl ManCommand {
    pub fn run(self) -> Result<Answer> {
        std::fs::create_dir_all(&self.out).map_err(|error| {
            Failure::file(
                show(&self.out),
                format_args!("cannot make the directory: {}", reason(&error)),
            )
        })?;
        let mut root = Cli::command();
        root.build();
        self.write_pages(&root, "kuaimi")?;
        Ok(Answer::Yes)
    }

    fn write_pages(&self, command: &clap::Command, name: &str) -> Result<()> {
        let target = Target::new(
            Some(&self.out.join(format!("{name}.1"))),
            true,
            Secrecy::Public,
        );
        let page = page(command, name).map_err(|error| target.cannot_write(&error))?;
        target.write(&page)?;
        for inner in command
            .get_subcommands()
            .filter(|inner| inner.get_name() != "help")
        {
            self.write_pages(inner, &format!("{name}-{}", inner.get_name()))?;
        }
        Ok(())
    }
}

/// The page of one command: as generated, but for the synopsis, in which options have their values,
/// and for what `--help` has at its end, whose lines are kept as they are.
fn page(command: &clap::Command, name: &str) -> std::io::Result<Vec<u8>> {
    let notes = command.get_after_help().map(ToString::to_string);
    let mut command = command.clone().display_name(name.to_owned());
    if command.find_subcommand("help").is_some() {
        // It has no page: `man` is what it is.
        command = command.mut_subcommand("help", |help| help.hide(true));
    }
    let has_subcommands = command.has_subcommands();
    let synopsis = synopsis(&command);
    let man = clap_mangen::Man::new(command)
        .title(name)
        .source(concat!("kuaimi ", env!("CARGO_PKG_VERSION")))
        .manual("Kuaimi");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    synopsis.to_writer(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if has_subcommands {
        man.render_subcommands_section(&mut page)?;
    }
    if let Some(notes) = notes {
        let mut section = Roff::new();
        section
            .control("SH", ["EXAMPLES AND NOTES"])
            .control("nf", [])
            .text(vec![roman(notes)])
            .control("fi", []);
        section.to_writer(&mut page)?;
    }
    Ok(page)
}

/// `kuaimi sm2 sign -k|--key <FILE> [--id <ID>] … [FILE]`: what must be given comes first.
fn synopsis(command: &clap::Command) -> Roff {
    let name = command.get_bin_name().unwrap_or(command.get_name());
    let mut line = vec![bold(name)];
    let mut options: Vec<_> = command
        .get_arguments()
        .filter(|option| !option.is_hide_set() && !option.is_positional())
        .collect();
    options.sort_by_key(|option| !option.is_required_set());
    for option in options {
        let mut words = Vec::new();
        if let Some(short) = option.get_short() {
            words.extend([bold(format!("-{short}")), roman("|")]);
        }
        words.push(bold(format!("--{}", option.get_long().unwrap_or_default())));
        if option.get_action().takes_values() {
            let values = option.get_value_names().unwrap_or_default();
            words.extend([roman(" "), italic(format!("<{}>", values.join("> <")))]);
        }
        push(&mut line, words, option.is_required_set());
    }
    for operand in command.get_positionals() {
        let values = operand.get_value_names().unwrap_or_default();
        let words = vec![italic(values.join(" "))];
        push(&mut line, words, operand.is_required_set());
    }
    if command.has_subcommands() {
        push(&mut line, vec![italic("COMMAND")], true);
    }
    let mut section = Roff::new();
    section.control("SH", ["SYNOPSIS"]).text(line);
    section
}

/// Appends words, in brackets unless they are required.
fn push(line: &mut Vec<Inline>, words: Vec<Inline>, required: bool) {
    let (open, close) = if required { (" ", "") } else { (" [", "]") };
    line.push(roman(open));
    line.extend(words);
    line.push(roman(close));
}
