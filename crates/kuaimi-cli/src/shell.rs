//! `kuaimi completions` and `kuaimi man`: what belongs to an installed program, made by the program itself.

use std::path::PathBuf;

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

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
        let page_command = command
            .clone()
            .display_name(name.to_owned())
            .disable_help_subcommand(true);
        let target = Target::new(
            Some(&self.out.join(format!("{name}.1"))),
            true,
            Secrecy::Public,
        );
        let mut page = Vec::new();
        clap_mangen::Man::new(page_command)
            .render(&mut page)
            .map_err(|error| target.cannot_write(&error))?;
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
