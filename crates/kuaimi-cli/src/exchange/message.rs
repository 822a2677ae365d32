//! The lines that the two sides send each other.
//!
//! A line is a label and hexadecimal digits: `R_A 04…`, `S_B 5f…`. On reading, lines may be wrapped
//! or joined, a label may be followed by `:` or `=`, `>` may quote it, and it may be left out, as
//! points and confirmations differ in length.

use std::io::{IsTerminal as _, stdin};
use std::path::{Path, PathBuf};

use clap::Args;
use zeroize::Zeroizing;

use crate::failure::{Failure, Result};
use crate::input;
use crate::say::{say, show};
use crate::text;

/// Where the other side's lines come from.
#[derive(Args, Debug)]
pub struct Received {
    /// What the other side sent.
    #[arg(long, value_name = "TEXT", conflicts_with = "message")]
    received: Option<String>,
    /// Read what the other side sent from FILE [default: standard input].
    #[arg(long, value_name = "FILE")]
    message: Option<PathBuf>,
}

/// The points that are sent: those of SM2's exchange, and of SM9's.
pub trait Point: Copy {
    /// From bytes, or why they are none.
    fn read(bytes: &[u8]) -> Result<Self, String>;
    /// With the leading 04.
    fn uncompressed(&self) -> [u8; 65];
}

/// The values in a message, as far as they were in it.
pub struct Message<P> {
    name: String,
    point: Option<P>,
    confirmation: Option<[u8; 32]>,
}

impl Received {
    /// Reads the message of the side with this letter.
    pub fn read<P: Point>(&self, from: char) -> Result<Message<P>> {
        let (name, content) = self.content()?;
        parse(&name, &String::from_utf8_lossy(&content), from)
    }

    /// What was sent, and where it comes from.
    pub fn content(&self) -> Result<(String, Zeroizing<Vec<u8>>)> {
        if let Some(text) = &self.received {
            let content = Zeroizing::new(text.as_bytes().to_vec());
            return Ok(("--received".to_owned(), content));
        }
        let path = self.path();
        if path == Path::new("-") && stdin().is_terminal() {
            say("paste what the other side sent, then press Ctrl-D on a line of its own");
        }
        Ok((show(path), input::read_all(path, 1 << 16)?))
    }

    /// The file that is read unless the text is given.
    pub fn path(&self) -> &Path {
        self.message.as_deref().unwrap_or(Path::new("-"))
    }

    pub fn is_read(&self) -> bool {
        self.received.is_none()
    }
}

impl<P: Point> Message<P> {
    pub fn point(&self, label: &str) -> Result<P> {
        self.point.ok_or_else(|| self.missing(label))
    }

    pub fn confirmation(&self, label: &str) -> Result<[u8; 32]> {
        self.confirmation.ok_or_else(|| self.missing(label))
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Takes in one value: a confirmation, or a point.
    fn take(&mut self, digits: &str) -> Result<()> {
        let bad = |what: String| Failure::file(&self.name, what);
        let bytes = text::digits(digits).ok_or_else(|| {
            bad(format!(
                "{:?} is not hexadecimal; give the lines as the other side's kuaimi printed them",
                digits.chars().take(20).collect::<String>()
            ))
        })?;
        if let Ok(confirmation) = <[u8; 32]>::try_from(bytes.as_slice()) {
            if self.confirmation.replace(confirmation).is_some() {
                return Err(bad(
                    "has two confirmations; give one message at a time".to_owned()
                ));
            }
            return Ok(());
        }
        if !matches!(bytes.len(), 33 | 65) {
            return Err(bad(format!(
                "has a value of {} bytes, where points have 65 (or 33) and confirmations 32; copy all of the other side's lines again",
                bytes.len()
            )));
        }
        let point = P::read(&bytes)
            .map_err(|error| bad(format!("{error}; copy all of the other side's lines again")))?;
        if self.point.replace(point).is_some() {
            return Err(bad("has two points; give one message at a time".to_owned()));
        }
        Ok(())
    }

    fn missing(&self, label: &str) -> Failure {
        Failure::file(
            &self.name,
            format_args!("there is no {label} in it; give all that the other side sent"),
        )
    }
}

fn parse<P: Point>(name: &str, text: &str, from: char) -> Result<Message<P>> {
    let mut message = Message {
        name: name.to_owned(),
        point: None,
        confirmation: None,
    };
    let words = text
        .split(|letter: char| letter.is_whitespace() || ":=,>".contains(letter))
        .filter(|word| !word.is_empty());
    // Behind a label all digits up to the next one are its value, so that wrapped lines are read;
    // without labels, each word is a value.
    let mut labelled: Option<String> = None;
    for word in words {
        if let Some(side) = label_side(word) {
            if side != from {
                return Err(Failure::file(
                    name,
                    format_args!(
                        "{word} is a line of your own side; give what the other side sent, which has the letter {from}"
                    ),
                ));
            }
            if let Some(digits) = labelled.replace(String::new()) {
                message.take(&digits)?;
            }
        } else if let Some(digits) = &mut labelled {
            digits.push_str(word);
        } else {
            message.take(word)?;
        }
    }
    if let Some(digits) = labelled {
        message.take(&digits)?;
    }
    Ok(message)
}

/// The letter of a label `R_A`, `S_B`, …
fn label_side(word: &str) -> Option<char> {
    match word.to_ascii_uppercase().as_str() {
        "R_A" | "RA" | "S_A" | "SA" => Some('A'),
        "R_B" | "RB" | "S_B" | "SB" => Some('B'),
        _ => None,
    }
}

pub fn point_line(label: &str, point: &impl Point) -> String {
    format!("{label} {}\n", text::hex(point.uncompressed()))
}

pub fn confirmation_line(label: &str, confirmation: &[u8; 32]) -> String {
    format!("{label} {}\n", text::hex(confirmation))
}

#[cfg(test)]
mod tests {
    use kuaimi::sm2::PublicKey;

    use super::*;

    fn read(text: &str, from: char) -> Result<Message<PublicKey>> {
        parse("message", text, from)
    }

    #[test]
    fn as_people_paste_it() {
        let point = *kuaimi::sm2::PrivateKey::from_bytes(&[7; 32])
            .unwrap()
            .public_key();
        let (r, s) = (
            point_line("R_B", &point),
            confirmation_line("S_B", &[9; 32]),
        );
        let digits = text::hex(point.to_sec1_bytes());
        let short = text::hex(point.to_compressed_bytes());
        for text in [
            format!("{r}{s}"),
            format!("{s}\r\n{r}"),
            format!("> {r}> {s}"),
            format!(
                "R_B: {}\n  {} S_B={}",
                &digits[..64],
                &digits[64..],
                "09".repeat(32)
            ),
            format!("rb {short}, sb {}", "09".repeat(32)),
            format!("{digits}\n{}", "09".repeat(32)),
        ] {
            let message = read(&text, 'B').unwrap_or_else(|failure| panic!("{failure}: {text}"));
            assert_eq!(message.point("R_B").unwrap(), point);
            assert_eq!(message.confirmation("S_B").unwrap(), [9; 32]);
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let point = *kuaimi::sm2::PrivateKey::from_bytes(&[7; 32])
            .unwrap()
            .public_key();
        let line = point_line("R_B", &point);
        let said = |text: &str, from| read(text, from).err().unwrap().to_string();
        assert!(said(&line, 'A').contains("your own side"));
        assert!(said(&line[..100], 'B').contains("copy all"));
        assert!(said(&line.repeat(2), 'B').contains("two points"));
        assert!(said("hello", 'B').contains("not hexadecimal"));
        assert!(said(&line.replace("04", "05"), 'B').contains("starts with"));
        let empty = read("", 'B').unwrap();
        assert!(empty.point("R_B").is_err() && empty.confirmation("S_B").is_err());
    }
}
