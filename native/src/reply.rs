//! A line from the daemon.

use crate::json;
use crate::limits::MAX_HOLD_MS;
use std::time::Duration;

#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    Passthrough,
    /// JSON to print unchanged.
    Print(Vec<u8>),
    /// The text for stderr: the one way to exit code 2.
    Block(String),
}

#[derive(Debug, PartialEq, Eq)]
pub enum Reply {
    Answer(Answer),
    /// The same from a person: the daemon wants a delivery confirmation.
    Confirm(Answer),
    /// A person is being asked: wait this much longer.
    Hold(Duration),
    /// A line for another request.
    Other,
}

/// Err says why the line can't be used.
pub fn parse(line: &[u8], request_id: &str) -> Result<Reply, String> {
    let malformed = || "the daemon sent a line that is not a reply".to_owned();
    std::str::from_utf8(line).map_err(|_| malformed())?;
    let object = json::object(line).map_err(|_| malformed())?;
    let id = json::field(object, "request_id").and_then(json::string).ok_or_else(malformed)?;
    if id != request_id {
        return Ok(Reply::Other);
    }
    if let Some(error) = json::field(object, "error") {
        let message = json::field(error, "message").and_then(json::string).unwrap_or_default();
        return Err(format!("the daemon reported an error: {message}"));
    }
    if let Some(hold) = json::field(object, "hold_ms") {
        return duration(hold).map(Reply::Hold).ok_or_else(malformed);
    }
    let payload = json::field(object, "payload").ok_or_else(malformed)?;
    let wants = json::field(object, "confirm") == Some(&b"true"[..]);
    answer(payload).map(if wants { Reply::Confirm } else { Reply::Answer }).ok_or_else(malformed)
}

/// The answer in an object.
pub fn answer(payload: &[u8]) -> Option<Answer> {
    match json::field(payload, "action").and_then(json::string)?.as_str() {
        "passthrough" => Some(Answer::Passthrough),
        "json_output" => {
            let json = json::field(payload, "stdout_json")?;
            json.starts_with(b"{").then(|| Answer::Print(json.to_vec()))
        }
        "block_with_stderr" => json::field(payload, "stderr").and_then(json::string).map(Answer::Block),
        _ => None,
    }
}

fn duration(raw: &[u8]) -> Option<Duration> {
    let ms: f64 = std::str::from_utf8(raw).ok()?.parse().ok()?;
    (ms >= 0.0).then(|| Duration::from_millis(ms.min(MAX_HOLD_MS as f64) as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(payload: &str) -> Result<Reply, String> {
        parse(format!(r#"{{"request_id":"r","ts":1,"payload":{payload}}}"#).as_bytes(), "r")
    }

    #[test]
    fn the_three_actions() {
        assert_eq!(answered(r#"{"action":"passthrough"}"#), Ok(Reply::Answer(Answer::Passthrough)));
        assert_eq!(
            answered(r#"{"action":"json_output","stdout_json":{"a": 1.0}}"#),
            Ok(Reply::Answer(Answer::Print(b"{\"a\": 1.0}".to_vec())))
        );
        assert_eq!(
            answered(r#"{"action":"block_with_stderr","stderr":"no\n"}"#),
            Ok(Reply::Answer(Answer::Block("no\n".to_owned())))
        );
    }

    #[test]
    fn an_answer_that_is_to_be_confirmed() {
        let line = br#"{"request_id":"r","ts":1,"payload":{"action":"passthrough"},"confirm":true}"#;
        assert_eq!(parse(line, "r"), Ok(Reply::Confirm(Answer::Passthrough)));
    }

    #[test]
    fn half_an_action_is_none() {
        for payload in [
            "{}",
            "null",
            r#"{"action":"allow"}"#,
            r#"{"action":2}"#,
            r#"{"action":"json_output"}"#,
            r#"{"action":"json_output","stdout_json":"text"}"#,
            r#"{"action":"json_output","stdout_json":null}"#,
            r#"{"action":"block_with_stderr"}"#,
            r#"{"action":"block_with_stderr","stderr":null}"#,
        ] {
            assert!(answered(payload).is_err(), "{payload}");
        }
    }

    #[test]
    fn holds() {
        let hold = |ms: &str| parse(format!(r#"{{"request_id":"r","hold_ms":{ms}}}"#).as_bytes(), "r");
        assert_eq!(hold("1500"), Ok(Reply::Hold(Duration::from_millis(1500))));
        assert_eq!(hold("1e300"), Ok(Reply::Hold(Duration::from_secs(86_400))));
        assert!(hold("-1").is_err());
        assert!(hold("\"9\"").is_err());
        assert!(hold("null").is_err());
    }

    #[test]
    fn lines_of_others_are_told_apart_from_rubbish() {
        assert_eq!(parse(br#"{"request_id":"q","payload":0}"#, "r"), Ok(Reply::Other));
        for line in
            ["", "x", "{}", "[]", r#"{"request_id":7}"#, r#"{"request_id":"r"}"#, r#"{"request_id":"r","#]
        {
            assert!(parse(line.as_bytes(), "r").is_err(), "{line}");
        }
        assert!(parse(
            b"{\"request_id\":\"r\",\"payload\":{\"action\":\"passthrough\",\"x\":\"\xff\"}}",
            "r"
        )
        .is_err());
    }

    #[test]
    fn an_error_is_not_an_answer() {
        let line =
            br#"{"request_id":"r","error":{"code":"X","message":"full"},"payload":{"action":"passthrough"}}"#;
        assert_eq!(parse(line, "r"), Err("the daemon reported an error: full".to_owned()));
    }
}
