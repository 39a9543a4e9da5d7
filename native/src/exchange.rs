//! One request, one answer, each step with a deadline.

use crate::impostor;
use crate::limits::{FIRST_REPLY_MS, MAX_REPLY_BYTES, TRY_EVERY_MS};
use crate::reply::{self, Answer, Reply};
use crate::request::{self, Request};
use crate::socket;
use std::io::{ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// The daemon announces a hold for a longer one. src/daemon/socket/intake.ts has the same number.
const LARGE_LINE_BYTES: usize = 256 << 10;
const REPLY: Duration = Duration::from_millis(FIRST_REPLY_MS);
/// How long a killed process may still listen; after that it counts as an impostor.
const ENDING: Duration = Duration::from_secs(1);
pub const TRY: Duration = Duration::from_millis(TRY_EVERY_MS);

/// Why there is no connection.
pub enum Unreached {
    /// No process listens.
    NotListening(String),
    /// A process may listen, but doesn't take the call.
    Silent(String),
    /// This process listens, and is not the daemon.
    Impostor(i32),
    Failed(String),
}

/// The result of listening for a while.
pub enum Heard {
    Answer(Answer),
    /// No reply to this request so far.
    Nothing,
    /// The daemon has the call, and says how long it may take.
    Held,
    /// The time is over. The daemon may only be busy, so a reply may still come.
    Late,
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
    is_held: bool,
}

impl Exchange {
    /// Sends the line to the home's daemon. Err if the peer does nothing for longer than `limit`.
    pub fn open(home: &Path, socket: &Path, request: &Request, limit: Duration) -> Result<Self, Unreached> {
        let unreached = |error: std::io::Error| {
            let why = format!("the daemon does not answer: {error}");
            match error.kind() {
                ErrorKind::NotFound | ErrorKind::ConnectionRefused => Unreached::NotListening(why),
                ErrorKind::TimedOut | ErrorKind::WouldBlock => Unreached::Silent(why),
                _ => Unreached::Failed(why),
            }
        };
        let dial = || socket::dial(socket, limit).map_err(unreached);
        let stream = past_hand_over(dial, |stream| impostor::behind(stream, home))?;
        let mut exchange = Self {
            stream,
            request_id: request.id.clone(),
            received: Vec::new(),
            deadline: Instant::now() + REPLY,
            is_held: false,
        };
        exchange.send(&request.line, send_limit(&request.line, limit)).map_err(unreached)?;
        exchange.deadline = exchange.deadline.max(Instant::now() + REPLY);
        Ok(exchange)
    }

    /// True if the daemon has confirmed that it has the call, or its beginning.
    pub fn is_held(&self) -> bool {
        self.is_held
    }

    /// Listens while sending: a daemon with many large calls pauses reading and announces that.
    fn send(&mut self, mut line: &[u8], limit: Duration) -> std::io::Result<()> {
        self.stream.set_nonblocking(true)?;
        let mut give_up = Instant::now() + limit;
        while !line.is_empty() {
            match self.stream.write(line) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(count) => {
                    line = line.get(count..).unwrap_or_default();
                    give_up = give_up.max(Instant::now() + limit);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    let Some(left) = left(give_up) else { return Err(ErrorKind::TimedOut.into()) };
                    if socket::await_either(&self.stream, left)? {
                        self.hear_hold()?;
                        give_up = give_up.max(self.deadline_if_held());
                    }
                }
                Err(error) => return Err(error),
            }
        }
        self.stream.set_nonblocking(false)
    }

    fn deadline_if_held(&self) -> Instant {
        if self.is_held {
            self.deadline
        } else {
            Instant::now()
        }
    }

    /// An answer to an incomplete call doesn't count.
    fn hear_hold(&mut self) -> std::io::Result<()> {
        let mut chunk = [0; 8 << 10];
        let count = match self.stream.read(&mut chunk) {
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(count) => count,
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        match self.take(chunk.get(..count).unwrap_or_default()) {
            Heard::Nothing | Heard::Held => Ok(()),
            _ => Err(ErrorKind::InvalidData.into()),
        }
    }

    /// Listens until then, or until there is a reply to this request.
    pub fn listen(&mut self, until: Instant) -> Heard {
        let mut chunk = [0; 8 << 10];
        loop {
            let limit = until.min(self.deadline);
            let count = match receive(&mut self.stream, &mut chunk, limit) {
                Ok(Some(count)) => count,
                Ok(None) if limit < self.deadline => return Heard::Nothing,
                Ok(None) => return Heard::Late,
                Err(why) => return Heard::Failed(why),
            };
            match self.take(chunk.get(..count).unwrap_or_default()) {
                Heard::Nothing => {}
                heard => return heard,
            }
        }
    }

    /// Gives the daemon the same time again.
    pub fn wait_longer(&mut self) {
        self.deadline = Instant::now() + REPLY;
    }

    /// Gives the daemon that long for a first word.
    pub fn listen_for(&mut self, time: Duration) -> Heard {
        self.deadline = Instant::now() + time;
        self.listen(self.deadline)
    }

    /// Waits for the answer as long as necessary: that, or `Late`, or `Failed`.
    pub fn wait(&mut self) -> Heard {
        loop {
            match self.listen(self.deadline) {
                Heard::Nothing | Heard::Held => {}
                heard => return heard,
            }
        }
    }

    /// The same if there is nothing else left to try.
    pub fn finish(mut self) -> Result<Answer, String> {
        match self.wait() {
            Heard::Answer(answer) => Ok(answer),
            Heard::Failed(why) => Err(why),
            _ => Err("the daemon took too long to answer".to_owned()),
        }
    }

    fn take(&mut self, chunk: &[u8]) -> Heard {
        // Only new data can contain the end of a line: searching the rest again would be quadratic.
        let mut unseen = self.received.len();
        self.received.extend_from_slice(chunk);
        let mut start = 0;
        let mut heard = Heard::Nothing;
        while let Some(length) = self.received.iter().skip(unseen).position(|&byte| byte == b'\n') {
            let end = unseen + length;
            match reply::parse(self.received.get(start..end).unwrap_or_default(), &self.request_id) {
                Ok(Reply::Answer(answer)) => return Heard::Answer(answer),
                Ok(Reply::Confirm(answer)) => {
                    // An answer still counts if its confirmation doesn't reach the daemon.
                    let _ = self.stream.write_all(&request::got_line(&self.request_id));
                    return Heard::Answer(answer);
                }
                Ok(Reply::Hold(time)) => {
                    self.deadline = Instant::now() + time;
                    self.is_held = true;
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

/// Dials again if another process listens. A daemon that hands over no longer has the lock and stops listening; a
/// killed one may lose its lock first. An impostor keeps listening.
fn past_hand_over(
    dial: impl Fn() -> Result<UnixStream, Unreached>,
    impostor: impl Fn(&UnixStream) -> Option<i32>,
) -> Result<UnixStream, Unreached> {
    let first = dial()?;
    if impostor(&first).is_none() {
        return Ok(first);
    }
    let until = Instant::now() + ENDING;
    loop {
        let next = dial()?;
        let Some(pid) = impostor(&next) else { return Ok(next) };
        if !impostor::is_ending(pid) || Instant::now() >= until {
            return Err(Unreached::Impostor(pid));
        }
        thread::sleep(TRY);
    }
}

/// A large line is read in many steps, and after others as large: on a busy machine its first step may take long.
fn send_limit(line: &[u8], limit: Duration) -> Duration {
    if line.len() > LARGE_LINE_BYTES {
        limit.max(REPLY)
    } else {
        limit
    }
}

/// None if nothing arrived in time.
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
    // A value below the socket's clock resolution would mean no limit.
    (!left.is_zero()).then(|| left.max(Duration::from_millis(1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn a_daemon_that_hands_over_is_dialed_again_and_an_impostor_stays_one() {
        let dials = Cell::new(0);
        let dial = || {
            dials.set(dials.get() + 1);
            Ok(UnixStream::pair().unwrap().0)
        };
        // No process has this ID: it ended.
        for (foreign, pid) in [(0, 1), (1, 1), (3, i32::MAX)] {
            dials.set(0);
            assert!(past_hand_over(dial, |_| (dials.get() <= foreign).then_some(pid)).is_ok());
            assert_eq!(dials.get(), foreign + 1);
        }
        let own = std::process::id() as i32;
        assert!(matches!(past_hand_over(dial, |_| Some(own)), Err(Unreached::Impostor(pid)) if pid == own));
        let gone = || Err(Unreached::NotListening(String::new()));
        assert!(matches!(past_hand_over(gone, |_| Some(7)), Err(Unreached::NotListening(_))));
    }

    #[test]
    fn a_word_after_the_deadline_is_still_heard() {
        let (here, mut there) = UnixStream::pair().unwrap();
        let mut exchange = Exchange {
            stream: here,
            request_id: "r".to_owned(),
            received: Vec::new(),
            deadline: Instant::now(),
            is_held: false,
        };
        assert!(matches!(exchange.listen(Instant::now() + REPLY), Heard::Late));
        exchange.wait_longer();
        there.write_all(b"{\"request_id\":\"r\",\"hold_ms\":600000}\n").unwrap();
        assert!(matches!(exchange.listen(Instant::now() + REPLY), Heard::Held));
        drop(there);
        assert!(matches!(exchange.listen(Instant::now() + REPLY), Heard::Failed(_)));
    }

    /// More than a socket accepts without a reader.
    const LINE_BYTES: usize = 4 << 20;
    const LIMIT: Duration = Duration::from_millis(100);

    fn opened(stream: UnixStream) -> Exchange {
        let deadline = Instant::now() + REPLY;
        Exchange { stream, request_id: "r".to_owned(), received: Vec::new(), deadline, is_held: false }
    }

    #[test]
    fn who_reads_nothing_and_says_nothing_is_not_waited_for() {
        let (here, _there) = UnixStream::pair().unwrap();
        let error = opened(here).send(&[b'x'; LINE_BYTES], LIMIT).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TimedOut);
    }

    #[test]
    fn a_daemon_that_reads_no_further_is_waited_for_when_it_says_so() {
        let (here, mut there) = UnixStream::pair().unwrap();
        let (sent, was_sent) = std::sync::mpsc::channel();
        let reader = std::thread::spawn(move || {
            there.write_all(b"{\"request_id\":\"r\",\"hold_ms\":600000}\n").unwrap();
            // The sender has received it, and its own limit is over.
            assert!(was_sent.recv_timeout(3 * LIMIT).is_err());
            let mut all = vec![0; LINE_BYTES];
            there.read_exact(&mut all).unwrap();
            was_sent.recv().unwrap();
        });
        let mut exchange = opened(here);
        exchange.send(&[b'x'; LINE_BYTES], LIMIT).unwrap();
        sent.send(()).unwrap();
        reader.join().unwrap();
        assert!(exchange.is_held());
    }

    #[test]
    fn an_answer_to_a_part_of_a_call_is_none() {
        let (here, mut there) = UnixStream::pair().unwrap();
        there
            .write_all(b"{\"request_id\":\"r\",\"ts\":1,\"payload\":{\"action\":\"passthrough\"}}\n")
            .unwrap();
        let error = opened(here).send(&[b'x'; LINE_BYTES], LIMIT).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidData);
    }
}
