//! The line that goes to the daemon.

use crate::json;
use crate::payload::{self, Input, HEAD};
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::time::{SystemTime, UNIX_EPOCH};

pub struct Request {
    pub id: String,
    pub line: Vec<u8>,
}

pub fn build(agent: &str, event: Option<&str>, env: &[(String, String)], input: &Input) -> Request {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let id = new_id(now.as_millis());
    let mut line = Vec::with_capacity(input.bytes.len().min(payload::MAX_PAYLOAD) + 1024);
    line.extend_from_slice(b"{\"request_id\":");
    json::quote(&id, &mut line);
    line.extend_from_slice(format!(",\"ts\":{},\"agent\":", now.as_millis()).as_bytes());
    json::quote(agent, &mut line);
    if let Some(event) = event {
        line.extend_from_slice(b",\"event\":");
        json::quote(event, &mut line);
    }
    line.extend_from_slice(b",\"env\":{");
    for (index, (name, value)) in env.iter().enumerate() {
        if index > 0 {
            line.push(b',');
        }
        json::quote(name, &mut line);
        line.push(b':');
        json::quote(value, &mut line);
    }
    line.extend_from_slice(b"},\"payload\":");
    match payload::problem(input) {
        // A line break in valid JSON is always between tokens, where a space means the same.
        None => line
            .extend(input.bytes.iter().map(|&byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { byte })),
        Some(problem) => {
            let head = input.bytes.get(..HEAD).unwrap_or(&input.bytes);
            json::quote(&String::from_utf8_lossy(head), &mut line);
            line.extend_from_slice(
                format!(",\"bytes\":{},\"problem\":\"{problem}\"", input.total).as_bytes(),
            );
        }
    }
    line.extend_from_slice(b"}\n");
    Request { id, line }
}

/// Sortable by time, and never the same twice: the keys of RandomState come from the system's random source.
fn new_id(ms: u128) -> String {
    let mut hasher = RandomState::new().build_hasher();
    hasher.write_u32(std::process::id());
    hasher.write_u128(ms);
    format!("{ms:013}-{:016x}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(bytes: &[u8]) -> Input {
        Input { bytes: bytes.to_vec(), total: bytes.len() as u64 }
    }

    #[test]
    fn a_payload_is_embedded_untouched_on_one_line() {
        let env = [("A".to_owned(), "1\n2".to_owned()), ("B".to_owned(), String::new())];
        let request = build("an\"agent", Some("Event"), &env, &input(b"{\r\n \"a\": 1.50\n}\n"));
        let line = request.line.strip_suffix(b"\n").unwrap();
        assert!(!line.contains(&b'\n') && !line.contains(&b'\r'));
        let object = json::object(line).unwrap();
        let text = |name| json::field(object, name).and_then(json::string).unwrap();
        assert_eq!(text("request_id"), request.id);
        assert_eq!(text("agent"), "an\"agent");
        assert_eq!(text("event"), "Event");
        assert_eq!(json::field(object, "env"), Some(&br#"{"A":"1\n2","B":""}"#[..]));
        assert_eq!(json::field(object, "payload"), Some(&br#"{   "a": 1.50 }"#[..]));
        assert_eq!(json::field(object, "problem"), None);
    }

    #[test]
    fn what_cannot_be_sent_is_described() {
        let request = build("a", None, &[], &input(&b"\xffx\n".repeat(HEAD)));
        let object = json::object(request.line.strip_suffix(b"\n").unwrap()).unwrap();
        assert_eq!(json::field(object, "problem"), Some(&b"\"not-utf8\""[..]));
        assert_eq!(json::field(object, "bytes"), Some((3 * HEAD).to_string().as_bytes()));
        assert_eq!(json::field(object, "event"), None);
        let head = json::field(object, "payload").and_then(json::string).unwrap();
        assert!(head.starts_with("\u{fffd}x\n\u{fffd}"));
        assert_eq!(head.chars().count(), HEAD);
    }

    #[test]
    fn ids_differ_and_sort() {
        let (a, b) = (new_id(7), new_id(7));
        assert_ne!(a, b);
        assert_eq!(a.len(), 30);
        assert!(new_id(1_700_000_000_000) < new_id(1_700_000_000_001));
        assert!(a.starts_with("0000000000007-"));
    }
}
