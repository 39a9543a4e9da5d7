//! A daemon that was silent isn't waited for again at once: a file in the home remembers it for a while.
//! src/wire/silence.ts does the same.

use crate::files;
use crate::limits::{SILENCE_MS, SILENT_AGAIN_MS, SILENT_MS};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

fn mark(home: &Path) -> PathBuf {
    home.join("run/silent")
}

/// Age of the file; None if there is none.
pub fn age(path: &Path) -> Option<Duration> {
    let written = fs::metadata(path).ok()?.modified().ok()?;
    // A time in the future is meaningless.
    SystemTime::now().duration_since(written).ok()
}

/// How long to wait for the first line, when there was none for `SILENT_AGAIN_MS`.
pub fn timeout(home: &Path) -> Duration {
    let known = age(&mark(home)).is_some_and(|age| age < Duration::from_millis(SILENCE_MS));
    Duration::from_millis(if known { SILENT_AGAIN_MS } else { SILENT_MS })
}

/// Remembers that the daemon sent no line in time.
pub fn note(home: &Path) {
    // Without the file, the next call waits again.
    let _ = files::write(&mark(home), b"");
}
