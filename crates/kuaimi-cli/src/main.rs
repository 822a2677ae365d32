//! The program `kuaimi`: SM2, SM3, SM4 and SM9 on the command line.
//!
//! | room | what it does |
//! | --- | --- |
//! | `cli`, `called` | the commands and what they share; only the one that is called is built |
//! | `sm2/`, `sm3/`, `sm4/`, `sm9/`, `verify_batch/`, `sign_batch/`, `speed/`, `proxy`, `tls_check/`, `shell` | the commands, one file or folder each |
//! | `input`, `output`, `spool` | files, standard input and output; results appear whole or not at all; what must be read twice |
//! | `table/` | the options of commands on files of rows, which the crate `kuaimi-table` reads and writes |
//! | `exchange/` | what the key exchanges have in common |
//! | `key_file`, `password` | key files, and the passwords that open them |
//! | `text` | bytes as hexadecimal and base64, detected and written |
//! | `progress` | a progress bar |
//! | `backend` | which arithmetic computes, when it is not the best there is |
//! | `failure`, `exit`, `say` | errors; the statuses that they lead to; standard error |
//! | `interrupt` | an interrupted program leaves no unfinished file |

#![deny(unsafe_code)]

mod backend;
mod called;
mod cert;
mod cli;
mod cms;
mod context;
mod describe;
mod encryption;
mod exchange;
mod exit;
mod failure;
mod input;
mod interrupt;
mod key_file;
mod output;
mod p12;
mod password;
mod progress;
mod proxy;
mod say;
mod shell;
mod sign_batch;
mod signature;
mod sm2;
mod sm3;
mod sm4;
mod sm9;
mod speed;
mod spool;
mod startup;
mod table;
mod text;
mod threads;
mod tls_check;
mod unfinished;
mod verify_batch;

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    interrupt::keep_ignored();
    let done = match cli::Cli::try_parse() {
        Ok(command) => command.run(),
        // Help and the version are such messages, too.
        Err(message) if message.use_stderr() => match cli::without_scheme(&message) {
            Some(failure) => Err(failure),
            None => {
                let _ = message.print();
                return ExitCode::from(2);
            }
        },
        Err(message) => output::help(&message).map(|()| exit::Answer::Yes),
    };
    match done {
        Ok(answer) => answer.into(),
        Err(failure) => {
            if !failure.is_closed_pipe() {
                say::say(&failure);
            }
            failure.kind().into()
        }
    }
}
