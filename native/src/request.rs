//! The line that goes to the daemon.

use crate::json;
use crate::limits::{HEAD_BYTES, MAX_PAYLOAD_BYTES};
use crate::outline;
use crate::payload::{self, Input};
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::ops::Range;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

pub struct Request {
    pub id: String,
    pub line: Vec<u8>,
    /// Position of the time in the line.
    time: Range<usize>,
}

impl Request {
    pub fn with_current_time(&self) -> Self {
        let mut line = self.line.clone();
        let now = since_epoch().as_millis().to_string();
        let time = self.time.start..self.time.start + now.len();
        line.splice(self.time.clone(), now.into_bytes());
        Self { id: self.id.clone(), line, time }
    }
}

fn since_epoch() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

pub fn build(agent: &str, event: Option<&str>, env: &[(String, String)], input: &Input) -> Request {
    let now = since_epoch().as_millis();
    let id = new_id(now);
    let mut line = Vec::with_capacity(input.bytes.len().min(MAX_PAYLOAD_BYTES) + 1024);
    line.extend_from_slice(b"{\"request_id\":");
    json::quote(&id, &mut line);
    line.extend_from_slice(b",\"ts\":");
    let start = line.len();
    line.extend_from_slice(now.to_string().as_bytes());
    let time = start..line.len();
    let problem = payload::problem(input);
    let found = problem.and_then(|_| outline::of(&input.bytes));
    let object = if problem.is_none() { Some(&input.bytes[..]) } else { found.as_deref() };
    let text = |name| object.and_then(|object| json::field(object, name)).and_then(json::string);
    push_text(&mut line, "session_id", text("session_id").as_deref());
    push_text(&mut line, "hook_event_name", text("hook_event_name").as_deref().or(event));
    line.extend_from_slice(b",\"agent\":");
    json::quote(agent, &mut line);
    if let Some(event) = event {
        line.extend_from_slice(b",\"event\":");
        json::quote(event, &mut line);
    }
    line.extend_from_slice(b",\"accepts\":[\"hold_ms\",\"error\",\"confirm\"],\"env\":{");
    for (index, (name, value)) in env.iter().enumerate() {
        if index > 0 {
            line.push(b',');
        }
        json::quote(name, &mut line);
        line.push(b':');
        json::quote(value, &mut line);
    }
    line.extend_from_slice(b"},\"payload\":");
    match problem {
        // A line break in valid JSON is always between tokens, where a space means the same.
        None => line
            .extend(input.bytes.iter().map(|&byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { byte })),
        Some(problem) => {
            match &found {
                Some(found) => line.extend_from_slice(found),
                None => {
                    let head = input.bytes.get(..HEAD_BYTES).unwrap_or(&input.bytes);
                    json::quote(&String::from_utf8_lossy(head), &mut line);
                }
            }
            line.extend_from_slice(
                format!(",\"bytes\":{},\"problem\":\"{problem}\"", input.total).as_bytes(),
            );
        }
    }
    line.extend_from_slice(b"}\n");
    Request { id, line, time }
}

/// Confirms that an answer was read.
pub fn got_line(id: &str) -> Vec<u8> {
    let mut line = b"{\"request_id\":".to_vec();
    json::quote(id, &mut line);
    line.extend_from_slice(b",\"got\":true}\n");
    line
}

/// Repeated next to the payload, for readers that look at nothing else.
fn push_text(line: &mut Vec<u8>, name: &str, value: Option<&str>) {
    if let Some(value) = value {
        line.extend_from_slice(format!(",\"{name}\":").as_bytes());
        json::quote(value, line);
    }
}

/// Sortable by time, and unique: the keys of RandomState come from the system's random source.
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
        assert_eq!(text("hook_event_name"), "Event");
        assert_eq!(json::field(object, "session_id"), None);
        assert_eq!(json::field(object, "accepts"), Some(&br#"["hold_ms","error","confirm"]"#[..]));
        assert_eq!(json::field(object, "env"), Some(&br#"{"A":"1\n2","B":""}"#[..]));
        assert_eq!(json::field(object, "payload"), Some(&br#"{   "a": 1.50 }"#[..]));
        assert_eq!(json::field(object, "problem"), None);
    }

    #[test]
    fn a_request_that_waited_has_another_time_and_nothing_else() {
        let mut request = build("a", None, &[], &input(br#"{"ts":1}"#));
        request.line.splice(request.time.clone(), b"7".to_vec());
        request.time.end = request.time.start + 1;
        let later = request.with_current_time();
        let object = |line: &[u8]| json::object(line.strip_suffix(b"\n").unwrap()).unwrap().to_vec();
        let (old, new) = (object(&request.line), object(&later.line));
        for name in ["request_id", "agent", "payload", "accepts"] {
            assert_eq!(json::field(&old, name), json::field(&new, name), "{name}");
        }
        assert_eq!(json::field(&old, "ts"), Some(&b"7"[..]));
        assert_eq!(json::field(&new, "ts").map(<[u8]>::len), Some(13));
        assert_eq!(later.with_current_time().line.len(), later.line.len());
    }

    #[test]
    fn what_cannot_be_sent_is_described() {
        let request = build("a", None, &[], &input(&b"\xffx\n".repeat(HEAD_BYTES)));
        let object = json::object(request.line.strip_suffix(b"\n").unwrap()).unwrap();
        assert_eq!(json::field(object, "problem"), Some(&b"\"not-utf8\""[..]));
        assert_eq!(json::field(object, "bytes"), Some((3 * HEAD_BYTES).to_string().as_bytes()));
        assert_eq!(json::field(object, "event"), None);
        let head = json::field(object, "payload").and_then(json::string).unwrap();
        assert!(head.starts_with("\u{fffd}x\n\u{fffd}"));
        assert_eq!(head.chars().count(), HEAD_BYTES);
    }

    #[test]
    fn of_an_object_what_can_be_found_is_sent() {
        let deep =
            format!(r#"{{"event":"E","input":{{"x":{}{}}},"id":7}}"#, "[".repeat(200), "]".repeat(200));
        let request = build("a", None, &[], &input(deep.as_bytes()));
        let object = json::object(request.line.strip_suffix(b"\n").unwrap()).unwrap();
        assert_eq!(json::field(object, "problem"), Some(&b"\"too-deep\""[..]));
        assert_eq!(json::field(object, "payload"), Some(&br#"{"event":"E","input":{"x":[]},"id":7}"#[..]));
    }

    #[test]
    fn the_session_and_the_event_stand_beside_the_payload() {
        let payload = br#"{"session_id":"s\u0031","hook_event_name":"Own","x":1}"#;
        for bytes in [&payload[..], &payload[..payload.len() - 1]] {
            let request = build("a", Some("Event"), &[], &input(bytes));
            let object = json::object(request.line.strip_suffix(b"\n").unwrap()).unwrap();
            let text = |name| json::field(object, name).and_then(json::string).unwrap();
            assert_eq!((text("session_id"), text("hook_event_name")), ("s1".to_owned(), "Own".to_owned()));
        }
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
