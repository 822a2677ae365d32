//! Two ends in memory, and the bytes between them, which a test may read and alter.

use std::io::{Read, Write};

use rustls::{ClientConnection, Error, ServerConnection};

/// A client and a server.
pub struct Pair {
    pub client: ClientConnection,
    pub server: ServerConnection,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Client,
    Server,
}

/// An end that refused what it got.
#[derive(Debug)]
pub struct Refusal {
    pub by: Side,
    pub error: Error,
    /// The alert that it sent: the number, if it was readable for the other side.
    pub other: Option<Error>,
}

/// What is between the ends: it sees each flight, whose sender is given, and may change it.
pub type Between<'a> = &'a mut dyn FnMut(Side, &mut Vec<u8>);

macro_rules! pass {
    ($from:expr, $to:expr, $sender:expr, $between:expr) => {{
        let mut flight = Vec::new();
        while $from.wants_write() {
            $from.write_tls(&mut flight).unwrap();
        }
        let sent = !flight.is_empty();
        $between($sender, &mut flight);
        let mut rest = flight.as_slice();
        let mut result = Ok(());
        while !rest.is_empty() && result.is_ok() {
            $to.read_tls(&mut rest).unwrap();
            result = $to.process_new_packets().map(|_| ());
        }
        (sent, result)
    }};
}

impl Pair {
    /// Exchanges flights until nobody has anything to say.
    pub fn run(&mut self) -> Result<(), Box<Refusal>> {
        self.run_with(&mut |_, _| {})
    }

    pub fn run_with(&mut self, between: Between<'_>) -> Result<(), Box<Refusal>> {
        loop {
            let (sent, result) = pass!(self.client, self.server, Side::Client, between);
            if let Err(error) = result {
                let (_, other) = pass!(self.server, self.client, Side::Server, between);
                return Err(Box::new(Refusal {
                    by: Side::Server,
                    error,
                    other: other.err(),
                }));
            }
            let (answered, result) = pass!(self.server, self.client, Side::Server, between);
            if let Err(error) = result {
                let (_, other) = pass!(self.client, self.server, Side::Client, between);
                return Err(Box::new(Refusal {
                    by: Side::Client,
                    error,
                    other: other.err(),
                }));
            }
            if !sent && !answered {
                return Ok(());
            }
        }
    }

    /// Sends data in both directions, in pieces that fit into the ends' buffers. All has to arrive.
    pub fn exchange(&mut self, data: &[u8]) {
        for piece in data.chunks(16_385) {
            self.client.writer().write_all(piece).unwrap();
            self.server.writer().write_all(piece).unwrap();
            let mut found = (Vec::new(), Vec::new());
            while found.0.len() < piece.len() || found.1.len() < piece.len() {
                self.run().unwrap();
                let before = (found.0.len(), found.1.len());
                // An end without data would block, which is no failure.
                let _ = self.server.reader().read_to_end(&mut found.0);
                let _ = self.client.reader().read_to_end(&mut found.1);
                assert_ne!(before, (found.0.len(), found.1.len()), "nothing arrives");
            }
            assert_eq!(found.0, piece);
            assert_eq!(found.1, piece);
        }
    }
}
