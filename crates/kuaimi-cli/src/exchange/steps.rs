//! The steps: what they take, and what they do, in either scheme.

use std::marker::PhantomData;
use std::path::PathBuf;

use clap::Args;

use super::message::{Received, confirmation_line, point_line};
use super::scheme::{Initiator as _, Response as _, Scheme};
use super::state::{self, State};
use super::{KeyOutput, SharedKeyArgs, failed};
use crate::context::Context;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::output::{check_stdout, print};

/// Side A, first step: prints R_A for the other side and keeps a state for `finish`.
#[derive(Args, Debug)]
#[command(after_help = format!("{}{}", S::START, whole::<S>()))]
pub struct Start<S: Scheme> {
    #[command(flatten)]
    parties: S::Parties,
    /// Keep the state for `finish` in FILE: a secret, mode 0600.
    #[arg(long, value_name = "FILE")]
    out_state: PathBuf,
    /// Overwrite the state file if it exists.
    #[arg(long)]
    force: bool,
}

impl<S: Scheme> Start<S> {
    pub fn run(&self, context: Context) -> Result<Answer> {
        let state = state::target(&self.out_state, self.force)?;
        check_stdout()?;
        let (initiator, r_a) = S::start(&self.parties, context)?;
        // A state is of no use where the line was lost.
        let state = state.begin(&initiator.to_bytes())?;
        print(point_line("R_A", &r_a))?;
        state.commit()?;
        Ok(Answer::Yes)
    }
}

/// Side B, first step: takes R_A, prints R_B and S_B, and keeps a state for `confirm`.
#[derive(Args, Debug)]
#[command(after_help = format!("{}{}", S::RESPOND, whole::<S>()))]
pub struct Respond<S: Scheme> {
    #[command(flatten)]
    parties: S::Parties,
    #[command(flatten)]
    received: Received,
    #[command(flatten)]
    shared: SharedKeyArgs,
    /// Keep the state for `confirm` in FILE: a secret, mode 0600.
    #[arg(long, value_name = "FILE", required_unless_present = "unconfirmed")]
    out_state: Option<PathBuf>,
    /// Skip the confirmation: write the key at once, with no proof that the other side has it.
    #[arg(long, conflicts_with = "out_state", requires = "out")]
    unconfirmed: bool,
    #[command(flatten)]
    key_output: KeyOutput,
}

impl<S: Scheme> Respond<S> {
    pub fn run(&self, context: Context) -> Result<Answer> {
        let state = match &self.out_state {
            Some(path) => Some(state::target(path, self.key_output.output.force)?),
            None => None,
        };
        let target = self.key_output.target();
        if state.is_some() && self.key_output.output.out.is_some() {
            return Err(Failure::usage(
                "--out: the key comes out of `confirm`; leave --out to it, or give --unconfirmed",
            ));
        }
        if self.unconfirmed && target.is_stdout() {
            return Err(Failure::usage(
                "--out: standard output is for R_B; give a file for the key",
            ));
        }
        target.check()?;
        check_stdout()?;
        let message = self.received.read::<S::Point>('A')?;
        let r_a = message.point("R_A")?;
        let response = S::respond(&self.parties, &r_a, self.shared.length(), context)?
            .map_err(|error| failed(message.name(), error))?;
        let mut lines = point_line("R_B", response.point());
        let secret = match state {
            Some(state) => {
                lines += &confirmation_line("S_B", &response.confirmation());
                state.begin(&response.to_bytes())?
            }
            None => target.begin(&self.key_output.encode(&response.key_unconfirmed()))?,
        };
        print(lines)?;
        secret.commit()?;
        Ok(Answer::Yes)
    }
}

/// Side A, second step: takes R_B and S_B, writes the key, and prints S_A for the other side.
#[derive(Args, Debug)]
#[command(after_help = finish_help::<S>())]
pub struct Finish<S: Scheme> {
    #[command(flatten)]
    key: S::OwnKey,
    /// The state that `start` kept.
    #[arg(long, value_name = "FILE")]
    state: PathBuf,
    #[command(flatten)]
    received: Received,
    #[command(flatten)]
    shared: SharedKeyArgs,
    /// Skip the confirmation: no S_B is needed, and there is no proof that the other side has the
    /// key.
    #[arg(long)]
    unconfirmed: bool,
    #[command(flatten)]
    key_output: KeyOutput,
}

impl<S: Scheme> Finish<S> {
    pub fn run(&self, context: Context) -> Result<Answer> {
        let target = self.key_output.target();
        if target.is_stdout() {
            return Err(Failure::usage(
                "--out: standard output is for S_A; give a file for the key",
            ));
        }
        target.check()?;
        if !self.unconfirmed {
            check_stdout()?;
        }
        let message = self.received.read::<S::Point>('B')?;
        let r_b = message.point("R_B")?;
        let s_b = match self.unconfirmed {
            true => None,
            false => Some(message.confirmation("S_B")?),
        };
        let state = State::read(&self.state)?;
        let initiator = S::resume(&self.key, &state.bytes, context)?
            .map_err(|error| Failure::file(state.name(), error))?;
        state.spend()?;
        let length = self.shared.length();
        let (key, s_a) = match s_b {
            Some(s_b) => initiator
                .finish(&r_b, &s_b, length)
                .map(|(key, s_a)| (key, Some(s_a))),
            None => initiator
                .finish_unconfirmed(&r_b, length)
                .map(|key| (key, None)),
        }
        .map_err(|error| failed(message.name(), error))?;
        target.write(&self.key_output.encode(&key))?;
        if let Some(s_a) = s_a {
            print(confirmation_line("S_A", &s_a))?;
        }
        Ok(Answer::Yes)
    }
}

/// Side B, second step: takes S_A and writes the key.
#[derive(Args, Debug)]
#[command(after_help = confirm_help::<S>())]
pub struct Confirm<S: Scheme> {
    #[arg(skip)]
    scheme: PhantomData<S>,
    /// The state that `respond` kept.
    #[arg(long, value_name = "FILE")]
    state: PathBuf,
    #[command(flatten)]
    received: Received,
    #[command(flatten)]
    key_output: KeyOutput,
}

impl<S: Scheme> Confirm<S> {
    pub fn run(&self, context: Context) -> Result<Answer> {
        let target = self.key_output.target();
        target.check()?;
        let message = self.received.read::<S::Point>('A')?;
        let s_a = message.confirmation("S_A")?;
        let state = State::read(&self.state)?;
        let response = S::Response::from_bytes(&state.bytes)
            .map_err(|error| Failure::file(state.name(), error))?;
        state.spend()?;
        let key = response
            .confirm(&s_a)
            .map_err(|error| failed(message.name(), error))?;
        target.write(&self.key_output.encode(&key))?;
        context.note(format_args!(
            "{}: the other side has the same key",
            message.name()
        ));
        Ok(Answer::Yes)
    }
}

fn whole<S: Scheme>() -> String {
    format!(
        "\n\n`kuaimi help {} exchange` shows the whole exchange.",
        S::NAME
    )
}

const STATUS: &str = "\n\nExit status: 1 when the two sides do not have the same key.";

fn finish_help<S: Scheme>() -> String {
    let finish = format!(
        "  kuaimi {} exchange finish --key alice.pem --state a.state --message from-bob.txt \\\n",
        S::NAME
    );
    format!(
        "Examples:\n\
         {finish}      --out key.bin > to-bob.txt\n\
         {finish}      --unconfirmed --out key.bin\n\
         \n\
         The state serves once: it is deleted before the key is computed, even if the other side then has\n\
         another key.{}{STATUS}",
        whole::<S>()
    )
}

fn confirm_help<S: Scheme>() -> String {
    format!(
        "Example:\n  \
           kuaimi {} exchange confirm --state b.state --message from-alice.txt --out key.bin\n\
         \n\
         The state serves once: it is deleted before the key is written, even if the other side has another\n\
         key.{}{STATUS}",
        S::NAME,
        whole::<S>()
    )
}
