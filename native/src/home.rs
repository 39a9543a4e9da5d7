//! Hookline's home on this machine, and the files that setup wrote there for the forwarder.

use crate::files;
use crate::json;
use crate::limits::MAX_SOCKET_PATH_BYTES;
use crate::reply::{self, Answer};
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

pub struct Home {
    pub path: PathBuf,
    settings: Vec<u8>,
}

/// The JavaScript forwarder, for when the daemon can't be reached.
pub struct Script {
    pub node: OsString,
    pub script: OsString,
}

/// An installed forwarder belongs to the home that contains it: hooks run with variables that a repository's settings
/// can set, and those must not select another home's rules.
pub fn find() -> Result<Home, String> {
    if let Some(home) = env::current_exe().ok().as_deref().and_then(installed) {
        return Ok(home);
    }
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    let path = match set("HOOKLINE_HOME") {
        Some(home) => PathBuf::from(home),
        None => PathBuf::from(set("HOME").ok_or("neither HOOKLINE_HOME nor HOME is set")?).join(".hookline"),
    };
    let path = fs::canonicalize(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let settings = files::read(&settings_file(&path)).unwrap_or_default();
    Ok(Home { path, settings })
}

fn installed(executable: &Path) -> Option<Home> {
    let folder = executable.parent().filter(|folder| folder.file_name() == Some(OsStr::new("bin")))?;
    let path = folder.parent()?;
    let settings = match files::read(&settings_file(path)) {
        Ok(settings) => settings,
        Err(error) if error.kind() == ErrorKind::NotFound && !closed_file(path).exists() => return None,
        Err(_) => Vec::new(),
    };
    // The daemon derives the socket from the real path; only Linux reports our own as a real path.
    let path = if cfg!(target_os = "linux") { path.to_owned() } else { fs::canonicalize(path).ok()? };
    Some(Home { path, settings })
}

fn settings_file(home: &Path) -> PathBuf {
    home.join("bin/forwarder.json")
}

/// Exists in failure mode closed. Repeats the settings, in case those are lost.
fn closed_file(home: &Path) -> PathBuf {
    home.join("bin/fail-closed.json")
}

impl Home {
    /// The variables to send: those on setup's list that are set.
    pub fn environment(&self) -> Vec<(String, String)> {
        let names = self.setting("env").map(json::items).unwrap_or_default();
        let names = names.into_iter().filter_map(json::string);
        names.filter_map(|name| Some((env_value(&name)?, name))).map(|(value, name)| (name, value)).collect()
    }

    pub fn script(&self) -> Option<Script> {
        let path = |name| self.setting(name).and_then(json::string).map(OsString::from);
        Some(Script { node: path("node")?, script: path("script")? })
    }

    /// The answer to an event that couldn't be evaluated; None in failure mode open, or if the event isn't guarded.
    pub fn refusal(&self, agent: &str, event: &str) -> Option<Answer> {
        let lost = files::read(&closed_file(&self.path)).unwrap_or_default();
        let refusal = |settings| {
            let settings = json::object(settings).ok()?;
            let failure = json::field(settings, "failure").and_then(json::string)?;
            let find = || {
                let refusals = json::field(settings, "refusals")?;
                json::field(json::field(refusals, agent)?, event).and_then(reply::answer)
            };
            Some(if failure == "closed" { find() } else { None })
        };
        refusal(&self.settings).or_else(|| refusal(&lost)).flatten()
    }

    fn setting(&self, name: &str) -> Option<&[u8]> {
        json::field(json::object(&self.settings).ok()?, name)
    }

    pub fn socket(&self) -> Result<PathBuf, String> {
        let path = self.path.join("run/hookline.sock");
        if path.as_os_str().len() <= MAX_SOCKET_PATH_BYTES {
            return Ok(path);
        }
        let unreadable = |error| format!("{}: {error}", self.path.display());
        let uid = fs::metadata(&self.path).map_err(unreadable)?.uid();
        let folder = PathBuf::from(format!("/tmp/hookline-{uid}"));
        // Anyone can create a directory in /tmp, and one that others can write to may contain a socket that isn't our
        // daemon's.
        let found =
            fs::symlink_metadata(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        if !found.is_dir() || found.uid() != uid || found.mode() & 0o077 != 0 {
            return Err(format!("{} is not private to this user", folder.display()));
        }
        Ok(folder.join(format!("{:016x}.sock", hash(self.path.as_os_str().as_bytes()))))
    }
}

fn env_value(name: &str) -> Option<String> {
    // std panics on an invalid name.
    if name.is_empty() || name.contains(['=', '\0']) {
        return None;
    }
    env::var_os(name).map(|value| value.to_string_lossy().into_owned())
}

/// FNV-1a, 64 bits.
fn hash(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home(settings: &str) -> Home {
        Home { path: PathBuf::from("/nowhere"), settings: settings.as_bytes().to_vec() }
    }

    #[test]
    fn the_hash_is_the_one_the_daemon_uses() {
        assert_eq!(hash(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn only_listed_variables_that_are_set_are_sent() {
        let home = home(r#"{"env":["PATH","HOOKLINE_NOT_SET","","A=B",7]}"#);
        let names: Vec<String> = home.environment().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["PATH"]);
    }

    #[test]
    fn broken_settings_are_no_settings() {
        for text in ["", "{", "[]", r#"{"node":"/n"}"#, r#"{"node":1,"script":2,"env":"PATH"}"#] {
            assert!(home(text).script().is_none(), "{text}");
            assert!(home(text).environment().is_empty(), "{text}");
        }
    }

    #[test]
    fn the_refusal_of_an_event_is_what_setup_wrote() {
        let refusals = r#"{"a":{"E":{"action":"block_with_stderr","stderr":"no"},"F":{"action":"x"}}}"#;
        let with = |failure: &str| home(&format!(r#"{{"failure":"{failure}","refusals":{refusals}}}"#));
        assert_eq!(with("closed").refusal("a", "E"), Some(Answer::Block("no".to_owned())));
        assert_eq!(with("open").refusal("a", "E"), None);
        for (agent, event) in [("a", "F"), ("a", "G"), ("b", "E")] {
            assert_eq!(with("closed").refusal(agent, event), None);
        }
        for text in ["", "{", "[]", "{}", r#"{"failure":1}"#, r#"{"failure":"closed"}"#] {
            assert_eq!(home(text).refusal("a", "E"), None, "{text}");
        }
    }

    #[test]
    fn a_short_socket_path_stays_in_the_home() {
        assert_eq!(home("").socket().unwrap(), PathBuf::from("/nowhere/run/hookline.sock"));
    }
}
