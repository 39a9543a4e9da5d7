//! Without a daemon the rules still hold: the forwarder in JavaScript evaluates them in its own process.

use crate::home::Home;
use std::fs;
use std::io::Write;
use std::process::{Child, Command, Stdio};

/// The exit code of the script, or why it could not be run.
pub fn run(home: &Home, request_id: &str, arguments: &[String], stdin: &[u8]) -> Result<i32, String> {
    let script = home.script().ok_or_else(|| {
        format!("{}/bin/forwarder.json does not name the JavaScript forwarder", home.path.display())
    })?;
    // Node would fill the screen with a stack trace.
    fs::metadata(&script.script).map_err(|error| format!("{}: {error}", script.script.to_string_lossy()))?;
    let mut child = Command::new(&script.node)
        .arg(&script.script)
        .arg("--fallback")
        .args(arguments)
        .env("HOOKLINE_REQUEST_ID", request_id)
        .env("HOOKLINE_HOME", &home.path)
        // A repository's settings can set variables for hooks, and this one makes Node run any code.
        .env_remove("NODE_OPTIONS")
        .stdin(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{}: {error}", script.node.to_string_lossy()))?;
    feed(&mut child, stdin);
    let status = child.wait().map_err(|error| format!("{}: {error}", script.node.to_string_lossy()))?;
    Ok(match status.code() {
        Some(0) => 0,
        Some(2) => 2,
        // Any other end is a failure, never a decision.
        _ => 1,
    })
}

/// A script that ends before it has read everything has a reason, which its exit code tells.
fn feed(child: &mut Child, stdin: &[u8]) {
    if let Some(mut pipe) = child.stdin.take() {
        let _ = pipe.write_all(stdin);
    }
}
