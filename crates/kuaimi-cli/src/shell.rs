//! `kuaimi completions` and `kuaimi man`: what belongs to an installed program, made by the program itself.

use std::path::PathBuf;

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;
use clap_mangen::roff::{Roff, roman};

use crate::cli::Cli;
use crate::exit::{Answer, Failure, Result, reason, show};
use crate::output::{Secrecy, Target, print};

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

Pages that are there already are written again.")]
pub struct ManCommand {
    /// The directory for the pages; it is made if need be.
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

/// The page of one command: as generated, but for what `--help` has at its end, whose lines are kept as they are.
fn page(command: &clap::Command, name: &str) -> std::io::Result<Vec<u8>> {
    let notes = command.get_after_help().map(ToString::to_string);
    let mut command = command.clone().display_name(name.to_owned());
    if command.find_subcommand("help").is_some() {
        // It has no page: `man` is what it is.
        command = command.mut_subcommand("help", |help| help.hide(true));
    }
    let has_subcommands = command.has_subcommands();
    let man = clap_mangen::Man::new(command)
        .title(name)
        .source(concat!("kuaimi ", env!("CARGO_PKG_VERSION")))
        .manual("Kuaimi");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
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
