//! The steps after the first: what they take, and what they do, whichever exchange it is.

use std::path::PathBuf;

use clap::Args;

use super::message::{Received, confirmation_line, point_line};
use super::sides::{Initiator, Response};
use super::state::{self, State};
use super::{KeyOutput, SharedKeyArgs, failed};
use crate::context::Context;
use crate::exit::{Answer, Failure, Result};
use crate::output::{check_stdout, print};

/// `respond`: B's first step.
#[derive(Args, Debug)]
pub struct RespondArgs {
    #[command(flatten)]
    received: Received,
    #[command(flatten)]
    shared: SharedKeyArgs,
    /// Keep the state for `confirm` in FILE: a secret, mode 0600.
    #[arg(long, value_name = "FILE", required_unless_present = "unconfirmed")]
    out_state: Option<PathBuf>,
    /// Do without confirmation: write the key at once, with no proof that the other side has it.
    #[arg(long, conflicts_with = "out_state", requires = "out")]
    unconfirmed: bool,
    #[command(flatten)]
    key_output: KeyOutput,
}

impl RespondArgs {
    /// `respond` loads the keys, and makes the response to R_A for a key of that length, or says why there is none.
    pub fn run<R: Response>(
        &self,
        respond: impl FnOnce(&R::Point, usize) -> Result<Result<R, R::Error>>,
    ) -> Result<Answer> {
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
        let message = self.received.read('A')?;
        let r_a = message.point("R_A")?;
        let response = respond(&r_a, self.shared.length())?;
        let response = response.map_err(|error| failed(message.name(), error))?;
        let mut lines = point_line("R_B", response.point());
        match state {
            Some(state) => {
                state.write(&response.to_bytes())?;
                lines += &confirmation_line("S_B", &response.confirmation());
            }
            None => target.write(&self.key_output.encode(&response.key_unconfirmed()))?,
        }
        print(lines)?;
        Ok(Answer::Yes)
    }
}

/// `finish`: A's second step.
#[derive(Args, Debug)]
pub struct FinishArgs {
    /// The state that `start` kept.
    #[arg(long, value_name = "FILE")]
    state: PathBuf,
    #[command(flatten)]
    received: Received,
    #[command(flatten)]
    shared: SharedKeyArgs,
    /// Do without confirmation: no S_B is needed, and there is no proof that the other side has the key.
    #[arg(long)]
    unconfirmed: bool,
    #[command(flatten)]
    key_output: KeyOutput,
}

impl FinishArgs {
    /// `initiator` loads the key, and makes the initiator of the state's bytes, or says why they are none.
    pub fn run<I: Initiator>(
        &self,
        initiator: impl FnOnce(&[u8]) -> Result<Result<I, I::Error>>,
    ) -> Result<Answer> {
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
        let message = self.received.read('B')?;
        let r_b = message.point("R_B")?;
        let s_b = match self.unconfirmed {
            true => None,
            false => Some(message.confirmation("S_B")?),
        };
        let state = State::read(&self.state)?;
        let initiator =
            initiator(&state.bytes)?.map_err(|error| Failure::file(state.name(), error))?;
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

/// `confirm`: B's second step.
#[derive(Args, Debug)]
pub struct ConfirmArgs {
    /// The state that `respond` kept.
    #[arg(long, value_name = "FILE")]
    state: PathBuf,
    #[command(flatten)]
    received: Received,
    #[command(flatten)]
    key_output: KeyOutput,
}

impl ConfirmArgs {
    pub fn run<R: Response>(&self, context: Context) -> Result<Answer> {
        let target = self.key_output.target();
        target.check()?;
        let message = self.received.read::<R::Point>('A')?;
        let s_a = message.confirmation("S_A")?;
        let state = State::read(&self.state)?;
        let response =
            R::from_bytes(&state.bytes).map_err(|error| Failure::file(state.name(), error))?;
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
