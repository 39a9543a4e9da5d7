//! One request, one answer, each step with a deadline.

use crate::limits::{CONNECT_MS, FIRST_REPLY_MS, MAX_REPLY_BYTES};
use crate::reply::{self, Answer, Reply};
use crate::socket;
use std::io::{ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

const CONNECT: Duration = Duration::from_millis(CONNECT_MS);
const REPLY: Duration = Duration::from_millis(FIRST_REPLY_MS);

/// Sends the line and waits for the answer to it. Err tells why there is none.
pub fn ask(socket: &Path, line: &[u8], request_id: &str) -> Result<Answer, String> {
    let unreachable = |error: std::io::Error| format!("the daemon does not answer: {error}");
    let mut stream = socket::dial(socket, CONNECT).map_err(unreachable)?;
    send(&mut stream, line, Instant::now() + REPLY).map_err(unreachable)?;
    listen(&mut stream, request_id)
}

fn send(stream: &mut UnixStream, mut line: &[u8], deadline: Instant) -> std::io::Result<()> {
    while !line.is_empty() {
        stream.set_write_timeout(Some(left(deadline)?))?;
        match stream.write(line) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(count) => line = line.get(count..).unwrap_or_default(),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn listen(stream: &mut UnixStream, request_id: &str) -> Result<Answer, String> {
    let mut deadline = Instant::now() + REPLY;
    let mut received = Vec::new();
    let mut chunk = [0; 8 << 10];
    loop {
        let count = receive(stream, &mut chunk, deadline)?;
        // Only what has just come can hold the end of a line: looking at the rest again would be quadratic.
        let mut unseen = received.len();
        received.extend_from_slice(chunk.get(..count).unwrap_or_default());
        let mut start = 0;
        while let Some(length) = received.iter().skip(unseen).position(|&byte| byte == b'\n') {
            let end = unseen + length;
            match reply::parse(received.get(start..end).unwrap_or_default(), request_id)? {
                Reply::Answer(answer) => return Ok(answer),
                Reply::Hold(time) => deadline = Instant::now() + time,
                Reply::Other => {}
            }
            start = end + 1;
            unseen = start;
        }
        received.drain(..start);
        if received.len() > MAX_REPLY_BYTES {
            return Err("the daemon sent a line without end".to_owned());
        }
    }
}

fn receive(stream: &mut UnixStream, chunk: &mut [u8], deadline: Instant) -> Result<usize, String> {
    let silent = |error: std::io::Error| match error.kind() {
        ErrorKind::WouldBlock | ErrorKind::TimedOut => "the daemon took too long to answer".to_owned(),
        _ => format!("the connection to the daemon broke: {error}"),
    };
    loop {
        stream.set_read_timeout(Some(left(deadline).map_err(silent)?)).map_err(silent)?;
        match stream.read(chunk) {
            Ok(0) => return Err("the daemon hung up before it answered".to_owned()),
            Ok(count) => return Ok(count),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(silent(error)),
        }
    }
}

fn left(deadline: Instant) -> std::io::Result<Duration> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(ErrorKind::TimedOut.into());
    }
    // Less than the clock of the socket can tell would mean no limit at all.
    Ok(left.max(Duration::from_millis(1)))
}
