//! The protocol that programs around other libraries speak: a request a line, an answer a line
//! (`peers/bench/README.md`).

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail, ensure};

/// The longest that a peer may think about one request, on a machine that does much else at the
/// same time.
const PATIENCE: Duration = Duration::from_secs(300);

/// The longest that one operation may take to be measured.
const LONGEST: Duration = Duration::from_secs(2);

/// What a peer says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hello {
    pub(super) version: String,
    /// The form of signatures: `raw` or `der`.
    pub(super) signature: String,
    /// The form of ciphertexts: `c1c3c2`, `c1c2c3` or `der`.
    pub(super) ciphertext: String,
    pub(super) operations: Vec<String>,
}

/// A program that answers requests.
pub(super) struct Peer {
    child: Child,
    requests: ChildStdin,
    answers: Receiver<String>,
    /// What it wrote to standard error, which is told when it fails.
    errors: File,
}

/// How long a slice took.
#[derive(Clone, Copy, Debug)]
pub(super) struct Took {
    /// What the peer's own clock says.
    pub(super) wall: Duration,
    /// The time that its threads were on processors, where the system tells.
    pub(super) processor: Option<Duration>,
}

impl Took {
    /// The time of a slice: that on processors, so that what other programs do there in the
    /// meantime does not count.
    pub(super) fn time(self) -> Duration {
        self.processor
            .filter(|time| !time.is_zero())
            .unwrap_or(self.wall)
    }
}

impl Peer {
    /// Starts the program.
    pub(super) fn start(command: &[String]) -> Result<Self> {
        let [program, arguments @ ..] = command else {
            bail!("there is no command");
        };
        let errors = tempfile::tempfile().context("no temporary file can be made")?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(errors.try_clone()?)
            .spawn()
            .with_context(|| format!("{program} does not start"))?;
        let (Some(requests), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            bail!("{program} has no input or no output");
        };
        let (sender, answers) = channel();
        // Ends with the program's output.
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Self {
            child,
            requests,
            answers,
            errors,
        })
    }

    pub(super) fn hello(&mut self) -> Result<Hello> {
        Hello::parse(&self.ask("hello")?)
    }

    /// Gives an input.
    pub(super) fn set(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        self.ask(&format!("set {name} {}", hex(bytes))).map(drop)
    }

    /// Gives an input of so many equal bytes.
    pub(super) fn fill(&mut self, name: &str, length: usize) -> Result<()> {
        self.ask(&format!("fill {name} {length}")).map(drop)
    }

    /// The result of one operation.
    pub(super) fn make(&mut self, operation: &str) -> Result<Vec<u8>> {
        let before = self.processor_time();
        let result = unhex(&self.ask(&format!("make {operation}"))?)?;
        if let (Some(before), Some(after)) = (before, self.processor_time()) {
            not_too_long(after.saturating_sub(before))?;
        }
        Ok(result)
    }

    /// Asks for so many operations, whose answer [`Self::finish`] waits for.
    pub(super) fn begin(&mut self, operation: &str, count: u64) -> Result<Option<Duration>> {
        let before = self.processor_time();
        self.send(&format!("run {operation} {count}"))?;
        Ok(before)
    }

    /// Waits for the operations that [`Self::begin`] asked for, and takes what that gave.
    pub(super) fn finish(&mut self, before: Option<Duration>) -> Result<Took> {
        let answer = self.receive()?;
        let nanoseconds: u64 = answer
            .parse()
            .with_context(|| format!("{answer:?} is no number of nanoseconds"))?;
        let after = self.processor_time();
        Ok(Took {
            wall: Duration::from_nanos(nanoseconds.max(1)),
            processor: before
                .zip(after)
                .map(|(before, after)| after.saturating_sub(before)),
        })
    }

    pub(super) fn run(&mut self, operation: &str, count: u64) -> Result<Took> {
        let before = self.begin(operation, count)?;
        self.finish(before)
    }

    fn ask(&mut self, request: &str) -> Result<String> {
        self.send(request)?;
        self.receive()
    }

    fn send(&mut self, request: &str) -> Result<()> {
        let sent = writeln!(self.requests, "{request}").and_then(|()| self.requests.flush());
        sent.map_err(|_| self.failure("it ended"))
    }

    fn receive(&mut self) -> Result<String> {
        let begun = Instant::now();
        match self.answers.recv_timeout(PATIENCE) {
            Ok(line) => parse(&line),
            Err(_) if begun.elapsed() >= PATIENCE => {
                // What it answers later would be taken for the answer to another request.
                let _ = self.child.kill();
                bail!("it did not answer within {} s", PATIENCE.as_secs())
            }
            Err(_) => Err(self.failure("it ended")),
        }
    }

    /// What went wrong, with the first lines that the program wrote about it.
    fn failure(&mut self, what: &str) -> anyhow::Error {
        let mut text = String::new();
        let _ = self.errors.seek(SeekFrom::Start(0));
        let _ = (&self.errors).take(2000).read_to_string(&mut text);
        anyhow!("{what}: {}", first_words(&text))
    }

    /// The time that all of its threads were on processors.
    fn processor_time(&self) -> Option<Duration> {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).ok()?;
        let mut nanoseconds = 0;
        for task in tasks {
            let text = std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
            nanoseconds += text.split_whitespace().next()?.parse::<u64>().ok()?;
        }
        Some(Duration::from_nanos(nanoseconds))
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // It may be in the middle of something long.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Hello {
    fn parse(text: &str) -> Result<Self> {
        let field = |name: &str| {
            let found = text
                .split_whitespace()
                .find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
            let found = found.filter(|value| !value.is_empty());
            Ok::<_, anyhow::Error>(
                found
                    .with_context(|| format!("{text:?} names no {name}"))?
                    .to_owned(),
            )
        };
        let (signature, ciphertext) = (field("signature")?, field("ciphertext")?);
        ensure!(
            ["raw", "der"].contains(&signature.as_str()),
            "{signature:?} is no form of signatures"
        );
        ensure!(
            ["c1c3c2", "c1c2c3", "der"].contains(&ciphertext.as_str()),
            "{ciphertext:?} is no form of ciphertexts"
        );
        Ok(Self {
            version: field("version")?,
            signature,
            ciphertext,
            operations: field("operations")?.split(',').map(str::to_owned).collect(),
        })
    }
}

/// An error for one operation that takes too long to be repeated.
pub(super) fn not_too_long(took: Duration) -> Result<()> {
    ensure!(
        took < LONGEST,
        "one operation takes {:.1} s, which is too long to be measured",
        took.as_secs_f64()
    );
    Ok(())
}

/// The text of a good answer.
fn parse(line: &str) -> Result<String> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    match word {
        "ok" => Ok(rest.trim().to_owned()),
        "error" => bail!("{}", first_words(rest)),
        _ => bail!("{:?} is no answer", first_words(line)),
    }
}

/// The beginning of a long text, in one line, and without the folder that the project is in.
pub(super) fn first_words(text: &str) -> String {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    let project = project.map_or(String::new(), |folder| format!("{}/", folder.display()));
    let text = text.replace(&project, "");
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(300) {
        Some((end, _)) => format!("{} …", &line[..end]),
        None => line,
    }
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(digits: &str) -> Result<Vec<u8>> {
    ensure!(digits.len().is_multiple_of(2), "the peer gave half a byte");
    let pairs = digits.as_bytes().chunks(2);
    pairs
        .map(|pair| {
            let pair = std::str::from_utf8(pair).unwrap_or_default();
            u8::from_str_radix(pair, 16).context("the peer gave other than hexadecimal digits")
        })
        .collect()
}

#[cfg(all(test, unix))]
mod tests {
    use std::time::Duration;

    use super::{Hello, Peer, first_words, hex, not_too_long, parse, unhex};

    /// A peer in a shell, which answers as the table of its requests says.
    fn peer(answers: &str) -> Peer {
        let script =
            format!("while read -r line; do case $line in {answers} *) exit 7 ;; esac; done");
        Peer::start(&["sh".to_owned(), "-c".to_owned(), script]).unwrap()
    }

    #[test]
    fn asks_and_reads_answers() {
        let mut peer = peer(
            "hello) echo ok version=1.2 signature=der ciphertext=c1c3c2 operations=sm2-sign,sm3 ;; \
             'set key 00ff') echo ok ;; 'fill message 5') echo ok ;; 'make sm3') echo ok 0a0b ;; \
             'run sm3 7') echo ok 1500 ;; 'make sm2-sign') echo error no key ;; 'run sm2-sign 1') echo nonsense ;;",
        );
        assert_eq!(
            peer.hello().unwrap(),
            Hello {
                version: "1.2".to_owned(),
                signature: "der".to_owned(),
                ciphertext: "c1c3c2".to_owned(),
                operations: vec!["sm2-sign".to_owned(), "sm3".to_owned()],
            }
        );
        peer.set("key", &[0, 255]).unwrap();
        peer.fill("message", 5).unwrap();
        assert_eq!(peer.make("sm3").unwrap(), [10, 11]);
        assert_eq!(peer.run("sm3", 7).unwrap().wall, Duration::from_nanos(1500));
        assert_eq!(peer.make("sm2-sign").unwrap_err().to_string(), "no key");
        assert!(
            peer.run("sm2-sign", 1)
                .unwrap_err()
                .to_string()
                .contains("nonsense")
        );
        // It ends, and says so for ever after.
        assert!(
            peer.make("other")
                .unwrap_err()
                .to_string()
                .starts_with("it ended")
        );
        assert!(peer.make("sm3").is_err());
    }

    #[test]
    fn tells_what_a_program_that_ends_had_to_say() {
        let command = ["sh", "-c", "echo the library is missing >&2; exit 1"];
        let mut peer = Peer::start(&command.map(str::to_owned)).unwrap();
        let error = peer.hello().unwrap_err().to_string();
        assert_eq!(error, "it ended: the library is missing");
        assert!(Peer::start(&["no such program".to_owned()]).is_err());
        assert!(Peer::start(&[]).is_err());
    }

    /// What the peers in C and in Python share speaks it, too.
    #[test]
    fn the_peers_own_loops_speak_it() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../peers/bench");
        let temporary = tempfile::tempdir().unwrap();
        let (source, program) = (
            temporary.path().join("echo.c"),
            temporary.path().join("echo"),
        );
        let text = r#"
            #include "line.h"
            #include <string.h>
            static int begin(void) { return input("message").at != NULL; }
            static int once(void) {
                memcpy(result, input("message").at, result_length = input("message").length);
                return 1;
            }
            int main(void) {
                static const struct operation all[] = {{"echo", begin, once}, {NULL, NULL, NULL}};
                return serve("1.2", "raw", "der", all);
            }"#;
        std::fs::write(&source, text).unwrap();
        let compiled = std::process::Command::new("cc")
            .args(["-Wall", "-Werror", "-I"])
            .arg(folder.join("c"))
            .arg(folder.join("c/line.c"))
            .arg(&source)
            .arg("-o")
            .arg(&program)
            .status();
        assert!(compiled.unwrap().success());
        let python = format!(
            "import sys; sys.path.insert(0, {:?}); import line; \
             line.serve('1.2', 'raw', 'der', {{'echo': lambda inputs: lambda: inputs['message']}})",
            folder.join("python").display().to_string()
        );
        for command in [
            vec![program.display().to_string()],
            ["env", "PYTHONDONTWRITEBYTECODE=1", "python3", "-c", &python]
                .map(str::to_owned)
                .to_vec(),
        ] {
            let mut peer = Peer::start(&command).unwrap();
            let hello = peer.hello().unwrap();
            assert_eq!(
                (hello.version.as_str(), hello.ciphertext.as_str()),
                ("1.2", "der")
            );
            assert_eq!(hello.operations, ["echo"]);
            // Nothing to give back yet: an error, after which it goes on.
            assert!(peer.make("echo").is_err());
            peer.set("message", &[0, 1, 254]).unwrap();
            assert_eq!(peer.make("echo").unwrap(), [0, 1, 254]);
            peer.fill("message", 3).unwrap();
            assert_eq!(peer.make("echo").unwrap(), [0x5A; 3]);
            assert!(!peer.run("echo", 1000).unwrap().wall.is_zero());
            assert!(peer.make("sm5").is_err() && peer.ask("jump").is_err());
            assert_eq!(peer.hello().unwrap(), hello);
        }
    }

    #[test]
    fn refuses_what_is_not_agreed() {
        for wrong in [
            "version=1 signature=der ciphertext=der",
            "version=1 signature=pem ciphertext=der operations=sm3",
            "version=1 signature=der ciphertext=c3 operations=sm3",
            "version= signature=der ciphertext=der operations=sm3",
        ] {
            assert!(Hello::parse(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parse("ok").unwrap(), "");
        assert_eq!(parse("ok 1 2 ").unwrap(), "1 2");
        assert!(parse("okay").is_err() && parse("").is_err());
        assert!(unhex("0").is_err() && unhex("0g").is_err());
        assert_eq!(unhex(&hex(&[1, 171])).unwrap(), [1, 171]);
        assert!(first_words(&"wort ".repeat(100)).ends_with('…'));
        let here = concat!("no ", env!("CARGO_MANIFEST_DIR"), "/src:\n 1");
        assert_eq!(first_words(here), "no crates/kuaimi-lab/src: 1");
        assert!(not_too_long(Duration::from_millis(1999)).is_ok());
        assert!(not_too_long(Duration::from_secs(2)).is_err());
    }
}
