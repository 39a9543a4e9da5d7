//! Another process on the daemon's socket: its answers don't count, and a file in the home tells the daemon about it.
//! src/wire/impostor.ts does the same as far as Node can.

use crate::files;
use crate::holder::{self, Holder};
use crate::peer::{self, Peer};
use std::fs;
use std::io::ErrorKind;
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixStream;
use std::path::Path;

/// The peer if it isn't the home's daemon; None if it is, or the system can't tell.
pub fn behind(stream: &UnixStream, home: &Path) -> Option<i32> {
    let peer = peer::at(stream.as_raw_fd()).ok()?;
    let owner = fs::metadata(home).ok().map(|found| found.uid());
    (!is_daemon(&peer, owner, &holder::of(home))).then_some(peer.pid)
}

/// A daemon in another PID namespace has ID 0 here, as its lock does. A visible process has a different ID.
fn is_daemon(peer: &Peer, owner: Option<u32>, holder: &Holder) -> bool {
    owner == Some(peer.uid)
        && match *holder {
            Holder::Process(pid) => pid == peer.pid,
            Holder::Free => false,
            Holder::Unknown => true,
        }
}

/// A killed process may have lost its lock and still listen. Its own threads can make it look like that only for as
/// long as we wait.
pub fn is_ending(pid: i32) -> bool {
    const PF_EXITING: u64 = 4;
    let stat = match fs::read_to_string(format!("/proc/{pid}/stat")) {
        Ok(stat) => stat,
        // A process of another PID namespace has no ID here, and we can't see it end.
        Err(error) => return pid > 0 && error.kind() == ErrorKind::NotFound,
    };
    // The program's name may contain anything; after it come state, parent, group, session, terminal, its group, and
    // flags.
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let flags = fields.split_whitespace().nth(6).and_then(|flags| flags.parse::<u64>().ok());
    flags.is_some_and(|flags| flags & PF_EXITING != 0)
}

/// For the daemon, which raises an alert.
pub fn note(home: &Path, pid: i32) {
    // The rules still evaluate the call.
    let _ = files::write(&home.join("run/impostor"), pid.to_string().as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_who_has_the_lock_is_the_daemon() {
        let is = |pid, uid, holder| is_daemon(&Peer { pid, uid }, Some(1000), &holder);
        assert!(is(7, 1000, Holder::Process(7)));
        assert!(!is(8, 1000, Holder::Process(7)));
        assert!(!is(7, 1001, Holder::Process(7)));
        assert!(!is(7, 1000, Holder::Free));
        assert!(is(7, 1000, Holder::Unknown));
        assert!(!is(7, 1001, Holder::Unknown));
    }

    #[test]
    fn in_another_pid_namespace_neither_has_a_number() {
        let is = |pid, holder| is_daemon(&Peer { pid, uid: 1000 }, Some(1000), &Holder::Process(holder));
        assert!(is(0, 0));
        assert!(!is(7, 0));
        assert!(!is(0, 7));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_that_was_not_waited_for_has_ended() {
        let mut child =
            std::process::Command::new("cat").stdin(std::process::Stdio::piped()).spawn().unwrap();
        let pid = child.id() as i32;
        assert!(!is_ending(pid));
        child.kill().unwrap();
        while !is_ending(pid) {
            std::thread::yield_now();
        }
        child.wait().unwrap();
        assert!(is_ending(pid));
        assert!(!is_ending(0));
    }

    #[test]
    fn a_process_without_the_lock_is_found_by_its_number() {
        let home = std::env::temp_dir().join(format!("hookline-impostor-{}", std::process::id()));
        fs::create_dir_all(home.join("run")).unwrap();
        let (here, _there) = UnixStream::pair().unwrap();
        let found = behind(&here, &home);
        assert_eq!(found, Some(std::process::id() as i32));
        note(&home, 7);
        assert_eq!(fs::read(home.join("run/impostor")).unwrap(), b"7");
        fs::remove_dir_all(home).unwrap();
    }
}
