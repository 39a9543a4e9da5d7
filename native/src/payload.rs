//! An agent's input on stdin: reads it within limits and reports what is wrong with it.

use crate::json::{self, Flaw};
use crate::limits::{HEAD_BYTES, MAX_PAYLOAD_BYTES, MAX_STDIN_BYTES};
use std::io::{ErrorKind, Read};
use std::time::Duration;

pub struct Input {
    pub bytes: Vec<u8>,
    /// Total number of bytes, stored or not.
    pub total: u64,
}

/// Reads to the end regardless of size, because an agent whose pipe is closed early may treat that as a failure.
pub fn read(mut source: impl Read) -> Input {
    let mut bytes = Vec::with_capacity(8 << 10);
    loop {
        let room = MAX_STDIN_BYTES.saturating_sub(bytes.len()) as u64;
        match source.by_ref().take(room).read_to_end(&mut bytes) {
            Ok(_) => break,
            Err(error) if error.kind() == ErrorKind::WouldBlock => pause(),
            Err(_) => break,
        }
    }
    let mut total = bytes.len() as u64;
    if bytes.len() >= MAX_STDIN_BYTES {
        let mut scratch = vec![0; HEAD_BYTES];
        loop {
            match source.read(&mut scratch) {
                Ok(0) => break,
                Ok(count) => total += count as u64,
                Err(error) if error.kind() == ErrorKind::WouldBlock => pause(),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
    }
    Input { bytes, total }
}

/// Some parent processes pass a non-blocking pipe.
fn pause() {
    std::thread::sleep(Duration::from_millis(1));
}

/// Why the payload can't be sent unchanged; None for one valid JSON object.
pub fn problem(input: &Input) -> Option<&'static str> {
    let bytes = &input.bytes;
    if bytes.len() > MAX_PAYLOAD_BYTES {
        return Some("too-large");
    }
    if bytes.iter().all(|byte| matches!(byte, b' ' | b'\n' | b'\t' | b'\r')) {
        return Some("empty");
    }
    if std::str::from_utf8(bytes).is_err() {
        return Some("not-utf8");
    }
    match json::object(bytes) {
        Ok(_) => None,
        Err(Flaw::Syntax) => Some("not-json"),
        Err(Flaw::Depth) => Some("too-deep"),
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// The lines of a vector file: the expected result, and the payload. The top of vectors.txt explains the format.
    pub fn vectors(file: &str) -> impl Iterator<Item = (&str, Vec<u8>)> {
        let lines = file.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        lines.map(|line| {
            let (expected, spec) = line.split_once('\t').unwrap();
            (expected, unescape(spec.as_bytes()))
        })
    }

    pub fn unescape(spec: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut at = 0;
        while at < spec.len() {
            if spec[at] != b'\\' {
                out.push(spec[at]);
                at += 1;
                continue;
            }
            match spec[at + 1] {
                b'x' => {
                    let digits = std::str::from_utf8(&spec[at + 2..at + 4]).unwrap();
                    out.push(u8::from_str_radix(digits, 16).unwrap());
                    at += 4;
                }
                b'(' => {
                    let length = spec[at..].windows(2).position(|pair| pair == b"\\)").unwrap();
                    let inside = &spec[at + 2..at + length];
                    let space = inside.iter().position(|&byte| byte == b' ').unwrap();
                    let count: usize = std::str::from_utf8(&inside[..space]).unwrap().parse().unwrap();
                    out.extend(inside[space + 1..].repeat(count));
                    at += length + 2;
                }
                b'\\' => {
                    out.push(b'\\');
                    at += 2;
                }
                other => panic!("unknown escape {}", other as char),
            }
        }
        out
    }

    #[test]
    fn the_shared_vectors() {
        let mut checked = 0;
        for (expected, bytes) in vectors(include_str!("../vectors.txt")) {
            let total = bytes.len() as u64;
            let shown = String::from_utf8_lossy(bytes.get(..100).unwrap_or(&bytes)).into_owned();
            assert_eq!(problem(&Input { bytes, total }).unwrap_or("ok"), expected, "{shown}");
            checked += 1;
        }
        assert!(checked > 50);
    }

    #[test]
    fn reading_is_bounded_and_counts_on() {
        let input = read(std::io::repeat(b'x').take(65 << 20));
        assert_eq!(input.bytes.len(), MAX_STDIN_BYTES);
        assert_eq!(input.total, 65 << 20);
    }

    struct Hesitant(u8);
    impl Read for Hesitant {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            self.0 += 1;
            match self.0 {
                1 | 3 => Err(ErrorKind::WouldBlock.into()),
                2 | 4 => {
                    buffer[0] = b'a';
                    Ok(1)
                }
                _ => Ok(0),
            }
        }
    }

    #[test]
    fn a_pipe_that_does_not_block_is_read_to_the_end() {
        assert_eq!(read(Hesitant(0)).bytes, b"aa");
    }
}
