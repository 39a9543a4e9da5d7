//! The process that holds a home's lock. src/home/daemon/lock.ts takes it through SQLite, and the kernel knows its
//! holder. A file that names the daemon could be written by any process of the user.

use std::fs::File;
use std::os::fd::AsRawFd;
use std::path::Path;

#[derive(Debug, PartialEq, Eq)]
pub enum Holder {
    /// 0 for a process of another pid namespace.
    Process(i32),
    Free,
    /// This system can't tell.
    Unknown,
}

/// Location of SQLite's writer lock: in the index of its log, or in the file itself if the disk can't have such an
/// index.
const PLACES: [(&str, i64); 2] = [("run/lock.db-shm", 120), ("run/lock.db", 0x4000_0000)];

pub fn of(home: &Path) -> Holder {
    for (file, byte) in PLACES {
        // A file that can't be opened has no lock that this user's daemon could have taken.
        let Ok(file) = File::open(home.join(file)) else { continue };
        match writer(&file, byte) {
            Holder::Free => {}
            found => return found,
        }
    }
    Holder::Free
}

#[cfg(all(any(target_os = "linux", target_os = "android"), target_pointer_width = "64"))]
fn writer(file: &File, byte: i64) -> Holder {
    const F_GETLK: i32 = 5;
    const F_RDLCK: i16 = 0;
    const F_UNLCK: i16 = 2;
    #[repr(C)]
    struct Lock {
        kind: i16,
        whence: i16,
        start: i64,
        length: i64,
        pid: i32,
    }
    extern "C" {
        fn fcntl(descriptor: i32, command: i32, ...) -> i32;
    }
    // Only a writer's lock conflicts with a reader, so locks of other readers don't count.
    let mut lock = Lock { kind: F_RDLCK, whence: 0, start: byte, length: 1, pid: 0 };
    // SAFETY: the structure is the one that the call expects on these systems, and it outlives the call.
    let result = unsafe { fcntl(file.as_raw_fd(), F_GETLK, std::ptr::addr_of_mut!(lock)) };
    match result {
        0 if lock.kind == F_UNLCK => Holder::Free,
        0 => Holder::Process(lock.pid),
        _ => Holder::Unknown,
    }
}

#[cfg(not(all(any(target_os = "linux", target_os = "android"), target_pointer_width = "64")))]
fn writer(_: &File, _: i64) -> Holder {
    Holder::Unknown
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_home_without_a_lock_is_free() {
        let home = std::env::temp_dir().join(format!("hookline-holder-{}", std::process::id()));
        assert_eq!(of(&home), Holder::Free);
        fs::create_dir_all(home.join("run")).unwrap();
        fs::write(home.join("run/lock.db-shm"), b"").unwrap();
        let expected = if cfg!(target_os = "linux") { Holder::Free } else { Holder::Unknown };
        assert_eq!(of(&home), expected);
        fs::remove_dir_all(home).unwrap();
    }
}
