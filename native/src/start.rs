//! Many hooks may find no daemon at once: one of them starts it, the others wait until it listens.
//! src/home/daemon/start-mark.ts does the same. The file contains the process ID of the starter, then that of the
//! daemon. The daemon deletes the file once it listens, and writes into it if it fails.

use crate::files;
use crate::limits::{START_EVERY_MS, START_NAMELESS_MS, START_WAIT_MS};
use crate::silence::age;
use std::env;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Debug, PartialEq, Eq)]
pub enum Start {
    /// This process starts it.
    Us,
    /// Another process starts it: wait up to this much longer.
    Others(Duration),
    /// Not now: autostart is off, or a start has just failed.
    NotNow,
}

fn mark(home: &Path) -> PathBuf {
    home.join("run/starting")
}

pub fn claim(home: &Path) -> Start {
    if env::var_os("HOOKLINE_NO_AUTOSTART").is_some_and(|value| value == "1") {
        return Start::NotNow;
    }
    let path = mark(home);
    // Doesn't recreate the home itself, because a deleted one must not come back.
    let _ = DirBuilder::new().mode(0o700).create(home.join("run"));
    match make(&path) {
        Ok(()) => Start::Us,
        Err(ErrorKind::AlreadyExists) => match by_others(home) {
            Some(start) => start,
            // Left from a failed start.
            None => {
                let _ = fs::remove_file(&path);
                make(&path).map_or(Start::NotNow, |()| Start::Us)
            }
        },
        Err(_) => Start::NotNow,
    }
}

/// True if the mark still names this process, because the program that should start the daemon has failed.
pub fn is_left_by_us(home: &Path) -> bool {
    files::read_text(&mark(home)).is_ok_and(|text| text == std::process::id().to_string())
}

/// Another process's start according to the mark; None if it is too old.
pub fn by_others(home: &Path) -> Option<Start> {
    let path = mark(home);
    let age = age(&path)?;
    let left = Duration::from_millis(START_WAIT_MS).checked_sub(age);
    match left {
        Some(left) if is_under_way(&path, age) => Some(Start::Others(left)),
        _ => (age < Duration::from_millis(START_EVERY_MS)).then_some(Start::NotNow),
    }
}

/// True if the starting process or the daemon exists. An aborted call starts nothing any more.
fn is_under_way(path: &Path, age: Duration) -> bool {
    match files::read_text(path) {
        Ok(text) if text.is_empty() => age < Duration::from_millis(START_NAMELESS_MS),
        Ok(text) => text.parse().is_ok_and(is_alive),
        Err(_) => false,
    }
}

extern "C" {
    fn kill(pid: i32, signal: i32) -> i32;
}

fn is_alive(pid: i32) -> bool {
    // SAFETY: a plain system call, and no signal is sent.
    pid > 0 && unsafe { kill(pid, 0) } == 0
}

fn make(path: &Path) -> Result<(), ErrorKind> {
    let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    let mut file = made.map_err(|error| error.kind())?;
    // If it doesn't fit, the others wait for a nameless one.
    let _ = file.write_all(std::process::id().to_string().as_bytes());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::time::SystemTime;

    fn home(name: &str) -> PathBuf {
        let home = env::temp_dir().join(format!("hookline-{name}-{}", std::process::id()));
        fs::create_dir_all(home.join("run")).unwrap();
        home
    }

    fn age_by(home: &Path, ms: u64) {
        let file = File::options().write(true).open(mark(home)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_millis(ms)).unwrap();
    }

    #[test]
    fn one_starts_and_the_others_wait() {
        let home = home("start");
        assert_eq!(claim(&home), Start::Us);
        assert!(matches!(claim(&home), Start::Others(left) if left <= Duration::from_millis(START_WAIT_MS)));
        assert_eq!(fs::read_to_string(mark(&home)).unwrap(), std::process::id().to_string());
        assert!(is_left_by_us(&home));
        fs::write(mark(&home), "").unwrap();
        assert!(!is_left_by_us(&home));
        assert!(matches!(claim(&home), Start::Others(_)));
        age_by(&home, START_NAMELESS_MS + 1);
        assert_eq!(claim(&home), Start::NotNow);
        fs::write(mark(&home), std::process::id().to_string()).unwrap();
        age_by(&home, START_WAIT_MS + 1);
        assert_eq!(claim(&home), Start::Us);
        for ended in ["failed", "0", "-1", "2147483647"] {
            fs::write(mark(&home), ended).unwrap();
            assert_eq!(claim(&home), Start::NotNow, "{ended}");
        }
        age_by(&home, START_EVERY_MS + 1);
        assert_eq!(claim(&home), Start::Us);
        fs::remove_dir_all(home).unwrap();
    }

    #[test]
    fn a_home_that_is_gone_does_not_come_back() {
        let home = home("start-none");
        fs::remove_dir_all(&home).unwrap();
        assert_eq!(claim(&home), Start::NotNow);
        assert!(!home.exists());
    }
}
