//! One request, one answer, each step with a deadline.

use crate::limits::{FIRST_REPLY_MS, MAX_REPLY_BYTES};
use crate::reply::{self, Answer, Reply};
use crate::socket;
use std::io::{ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

const REPLY: Duration = Duration::from_millis(FIRST_REPLY_MS);

/// Why there is no connection.
pub enum Unreached {
    /// Nobody listens.
    Nobody(String),
    /// Somebody may, and does not take the call.
    Silent(String),
    Failed(String),
}

/// What came of listening for a while.
pub enum Heard {
    Answer(Answer),
    /// Not a word for this request so far.
    Nothing,
    /// The daemon has the call, and says how long it may take.
    Held,
    /// There will be no answer.
    Failed(String),
}

/// A request that was sent.
pub struct Exchange {
    stream: UnixStream,
    request_id: String,
    received: Vec<u8>,
    /// When to give up.
    deadline: Instant,
}

impl Exchange {
    /// Sends the line. Err where the other end does nothing for longer than `limit`.
    pub fn open(socket: &Path, line: &[u8], request_id: &str, limit: Duration) -> Result<Self, Unreached> {
        let unreached = |error: std::io::Error| {
            let why = format!("the daemon does not answer: {error}");
            match error.kind() {
                ErrorKind::NotFound | ErrorKind::ConnectionRefused => Unreached::Nobody(why),
                ErrorKind::TimedOut | ErrorKind::WouldBlock => Unreached::Silent(why),
                _ => Unreached::Failed(why),
            }
        };
        let mut stream = socket::dial(socket, limit).map_err(unreached)?;
        send(&mut stream, line, limit).map_err(unreached)?;
        let deadline = Instant::now() + REPLY;
        Ok(Self { stream, request_id: request_id.to_owned(), received: Vec::new(), deadline })
    }

    /// Listens until then, or until there is a word for this request.
    pub fn listen(&mut self, until: Instant) -> Heard {
        let mut chunk = [0; 8 << 10];
        loop {
            let limit = until.min(self.deadline);
            let count = match receive(&mut self.stream, &mut chunk, limit) {
                Ok(Some(count)) => count,
                Ok(None) if limit < self.deadline => return Heard::Nothing,
                Ok(None) => return Heard::Failed("the daemon took too long to answer".to_owned()),
                Err(why) => return Heard::Failed(why),
            };
            match self.take(chunk.get(..count).unwrap_or_default()) {
                Heard::Nothing => {}
                heard => return heard,
            }
        }
    }

    /// Waits for the answer as long as it may take.
    pub fn finish(mut self) -> Result<Answer, String> {
        loop {
            match self.listen(self.deadline) {
                Heard::Answer(answer) => return Ok(answer),
                Heard::Failed(why) => return Err(why),
                Heard::Nothing | Heard::Held => {}
            }
        }
    }

    fn take(&mut self, chunk: &[u8]) -> Heard {
        // Only what has just come can hold the end of a line: looking at the rest again would be quadratic.
        let mut unseen = self.received.len();
        self.received.extend_from_slice(chunk);
        let mut start = 0;
        let mut heard = Heard::Nothing;
        while let Some(length) = self.received.iter().skip(unseen).position(|&byte| byte == b'\n') {
            let end = unseen + length;
            match reply::parse(self.received.get(start..end).unwrap_or_default(), &self.request_id) {
                Ok(Reply::Answer(answer)) => return Heard::Answer(answer),
                Ok(Reply::Hold(time)) => {
                    self.deadline = Instant::now() + time;
                    heard = Heard::Held;
                }
                Ok(Reply::Other) => {}
                Err(why) => return Heard::Failed(why),
            }
            start = end + 1;
            unseen = start;
        }
        self.received.drain(..start);
        if self.received.len() > MAX_REPLY_BYTES {
            return Heard::Failed("the daemon sent a line without end".to_owned());
        }
        heard
    }
}

fn send(stream: &mut UnixStream, mut line: &[u8], limit: Duration) -> std::io::Result<()> {
    stream.set_write_timeout(Some(limit))?;
    while !line.is_empty() {
        match stream.write(line) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(count) => line = line.get(count..).unwrap_or_default(),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// None where nothing came in time.
fn receive(stream: &mut UnixStream, chunk: &mut [u8], deadline: Instant) -> Result<Option<usize>, String> {
    let broken = |error: std::io::Error| format!("the connection to the daemon broke: {error}");
    loop {
        let Some(left) = left(deadline) else { return Ok(None) };
        stream.set_read_timeout(Some(left)).map_err(broken)?;
        match stream.read(chunk) {
            Ok(0) => return Err("the daemon hung up before it answered".to_owned()),
            Ok(count) => return Ok(Some(count)),
            Err(error) => match error.kind() {
                ErrorKind::Interrupted => {}
                ErrorKind::WouldBlock | ErrorKind::TimedOut => return Ok(None),
                _ => return Err(broken(error)),
            },
        }
    }
}

fn left(deadline: Instant) -> Option<Duration> {
    let left = deadline.saturating_duration_since(Instant::now());
    // Less than the clock of the socket can tell would mean no limit at all.
    (!left.is_zero()).then(|| left.max(Duration::from_millis(1)))
}
