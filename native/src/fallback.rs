//! Without a daemon the rules still apply: the JavaScript forwarder evaluates them in its own process.

use crate::exchange::TRY;
use crate::home::Home;
use std::fs;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Why the script was started, and with what.
pub struct Call<'a> {
    pub request_id: &'a str,
    pub arguments: &'a [String],
    pub stdin: &'a [u8],
    /// It should start a daemon first.
    pub starts_daemon: bool,
}

/// The running script. Ends with this value.
pub struct Fallback {
    child: Child,
    stdout: Option<Output>,
    stderr: Option<Output>,
}

/// Its result: a decision with code 0 or 2, or a failure with code 1.
pub struct Ended {
    pub code: i32,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

impl Fallback {
    pub fn start(home: &Home, call: &Call) -> Result<Self, String> {
        let script = home.script().ok_or_else(|| {
            format!("{}/bin/forwarder.json does not name the JavaScript forwarder", home.path.display())
        })?;
        // Node would print a long stack trace.
        fs::metadata(&script.script)
            .map_err(|error| format!("{}: {error}", script.script.to_string_lossy()))?;
        let mut child = Command::new(&script.node)
            .arg(&script.script)
            .arg("--fallback")
            .args(call.arguments)
            .env("HOOKLINE_REQUEST_ID", call.request_id)
            .env("HOOKLINE_HOME", &home.path)
            .env("HOOKLINE_STARTS_DAEMON", if call.starts_daemon { "1" } else { "" })
            // A repository's settings can set variables for hooks, and this one makes Node run any code.
            .env_remove("NODE_OPTIONS")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{}: {error}", script.node.to_string_lossy()))?;
        feed(&mut child, call.stdin.to_vec());
        let stdout = child.stdout.take().map(Output::of);
        let stderr = child.stderr.take().map(Output::of);
        Ok(Self { child, stdout, stderr })
    }

    /// None while it runs.
    pub fn poll(&mut self) -> Option<Ended> {
        match self.child.try_wait() {
            Ok(None) => None,
            Ok(Some(status)) => Some(self.ended(status.code())),
            Err(_) => Some(self.ended(None)),
        }
    }

    pub fn wait(&mut self) -> Ended {
        let code = self.child.wait().ok().and_then(|status| status.code());
        self.ended(code)
    }

    /// A script that takes longer is ended.
    pub fn has_succeeded_within(mut self, limit: Duration) -> bool {
        let until = Instant::now() + limit;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return status.success(),
                Ok(None) if Instant::now() < until => thread::sleep(TRY),
                _ => return false,
            }
        }
    }

    fn ended(&mut self, code: Option<i32>) -> Ended {
        // Any other end is a failure, never a decision.
        let code = code.filter(|code| matches!(code, 0 | 2)).unwrap_or(1);
        let text = |output: Option<Output>| output.map(Output::text).unwrap_or_default();
        Ended { code, stdout: text(self.stdout.take()), stderr: text(self.stderr.take()) }
    }
}

impl Drop for Fallback {
    fn drop(&mut self) {
        // A script that has ended can't be killed.
        let _ = self.child.kill();
    }
}

/// A script that ends before it has read everything has a reason, which its exit code shows.
fn feed(child: &mut Child, stdin: Vec<u8>) {
    if let Some(mut pipe) = child.stdin.take() {
        thread::spawn(move || {
            let _ = pipe.write_all(&stdin);
        });
    }
}

/// Reads a program's output while it runs, because it would block without a reader.
struct Output {
    text: Arc<Mutex<Vec<u8>>>,
    ended: Receiver<()>,
}

/// How long to wait for output after it ends: a program that it started may keep the pipe open.
const LAST_OUTPUT: Duration = Duration::from_secs(2);

impl Output {
    fn of(mut pipe: impl Read + Send + 'static) -> Self {
        let text = Arc::new(Mutex::new(Vec::new()));
        let (end, ended) = mpsc::channel();
        let written = Arc::clone(&text);
        thread::spawn(move || {
            let mut chunk = [0; 8 << 10];
            while let Ok(count @ 1..) = pipe.read(&mut chunk) {
                if let Ok(mut text) = written.lock() {
                    text.extend_from_slice(chunk.get(..count).unwrap_or_default());
                }
            }
            let _ = end.send(());
        });
        Self { text, ended }
    }

    fn text(self) -> Vec<u8> {
        let _ = self.ended.recv_timeout(LAST_OUTPUT);
        self.text.lock().map(|mut text| std::mem::take(&mut *text)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn succeeds(program: &str, arguments: &[&str], limit: Duration) -> bool {
        let child = Command::new(program).args(arguments).spawn().unwrap();
        Fallback { child, stdout: None, stderr: None }.has_succeeded_within(limit)
    }

    #[test]
    fn a_script_that_hangs_is_not_waited_for() {
        assert!(!succeeds("sleep", &["600"], TRY));
        assert!(succeeds("true", &[], Duration::from_secs(60)));
        assert!(!succeeds("false", &[], Duration::from_secs(60)));
    }
}
