//! A connection to a Unix socket that can't hang: std's own `connect` waits forever on a full backlog, as a stopped
//! daemon has. The two calls are declared here to avoid a crate; std links the same C library.

use std::io::{Error, ErrorKind, Result};
use std::mem::size_of;
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

const AF_UNIX: u8 = 1;
const SOCK_STREAM: i32 = 1;

#[cfg(any(target_vendor = "apple", target_os = "freebsd", target_os = "openbsd", target_os = "netbsd"))]
#[repr(C)]
struct Address {
    length: u8,
    family: u8,
    path: [u8; 104],
}

#[cfg(not(any(
    target_vendor = "apple",
    target_os = "freebsd",
    target_os = "openbsd",
    target_os = "netbsd"
)))]
#[repr(C)]
struct Address {
    family: u16,
    path: [u8; 108],
}

const POLL_IN: i16 = 1;
const POLL_OUT: i16 = 4;

#[repr(C)]
struct Polled {
    descriptor: i32,
    events: i16,
    found: i16,
}

#[cfg(any(target_os = "linux", target_os = "android"))]
type Count = std::ffi::c_ulong;
#[cfg(not(any(target_os = "linux", target_os = "android")))]
type Count = std::ffi::c_uint;

extern "C" {
    fn poll(polled: *mut Polled, count: Count, timeout_ms: i32) -> i32;
    fn socket(domain: i32, kind: i32, protocol: i32) -> i32;
    fn connect(descriptor: i32, address: *const Address, length: u32) -> i32;
}

fn address(path: &Path) -> Result<Address> {
    let mut address = Address {
        #[cfg(any(
            target_vendor = "apple",
            target_os = "freebsd",
            target_os = "openbsd",
            target_os = "netbsd"
        ))]
        length: size_of::<Address>() as u8,
        family: AF_UNIX.into(),
        path: [0; size_of::<Address>() - 2],
    };
    let bytes = path.as_os_str().as_bytes();
    let room = address.path.get_mut(..bytes.len()).ok_or(ErrorKind::InvalidInput)?;
    room.copy_from_slice(bytes);
    // The name must end in a zero.
    match address.path.last() {
        Some(0) => Ok(address),
        _ => Err(ErrorKind::InvalidInput.into()),
    }
}

/// Connects, or fails within `limit`. The stream is blocking.
pub fn dial(path: &Path, limit: Duration) -> Result<UnixStream> {
    let address = address(path)?;
    let give_up = Instant::now() + limit;
    // SAFETY: plain system calls; this function alone owns the descriptor it has just made.
    let stream = unsafe {
        let descriptor = socket(AF_UNIX.into(), SOCK_STREAM, 0);
        if descriptor < 0 {
            return Err(Error::last_os_error());
        }
        UnixStream::from_raw_fd(descriptor)
    };
    stream.set_nonblocking(true)?;
    loop {
        let descriptor = stream.as_raw_fd();
        // SAFETY: `address` outlives the call and its size is given.
        let result = unsafe { connect(descriptor, &address, size_of::<Address>() as u32) };
        if result == 0 {
            stream.set_nonblocking(false)?;
            return Ok(stream);
        }
        let error = Error::last_os_error();
        if !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) {
            return Err(error);
        }
        if Instant::now() >= give_up {
            return Err(ErrorKind::TimedOut.into());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until the stream is writable or readable. True if it is readable, or has ended.
pub fn await_either(stream: &UnixStream, limit: Duration) -> Result<bool> {
    let mut polled = Polled { descriptor: stream.as_raw_fd(), events: POLL_IN | POLL_OUT, found: 0 };
    let ms = limit.as_millis().clamp(1, 60_000) as i32;
    // SAFETY: `polled` outlives the call, and there is one of it.
    let result = unsafe { poll(&mut polled, 1, ms) };
    if result >= 0 {
        return Ok(polled.found & !POLL_OUT != 0);
    }
    let error = Error::last_os_error();
    // The caller checks the clock and retries.
    if error.kind() == ErrorKind::Interrupted {
        Ok(false)
    } else {
        Err(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::UnixListener;
    use std::path::PathBuf;

    fn scratch(name: &str) -> PathBuf {
        let temporary = std::env::temp_dir();
        // The path of a socket is limited to about 100 bytes.
        let folder = if temporary.as_os_str().len() > 60 { PathBuf::from("/tmp") } else { temporary };
        let path = folder.join(format!("hookline-{name}-{}.sock", std::process::id()));
        let _ = std::fs::remove_file(&path);
        path
    }

    #[test]
    fn a_listener_that_never_accepts_does_not_hold_us() {
        let path = scratch("backlog");
        let _listener = UnixListener::bind(&path).unwrap();
        let mut open = Vec::new();
        // std listens with a backlog of 128 or more; once it is full, connecting would block.
        let error = loop {
            match dial(&path, Duration::from_millis(20)) {
                Ok(stream) if open.len() < 100_000 => open.push(stream),
                Ok(_) => panic!("the backlog never filled"),
                Err(error) => break error,
            }
        };
        let _ = std::fs::remove_file(&path);
        assert_eq!(error.kind(), ErrorKind::TimedOut);
    }

    #[test]
    fn a_missing_socket_is_an_error() {
        assert_eq!(dial(&scratch("none"), Duration::from_secs(1)).unwrap_err().kind(), ErrorKind::NotFound);
        let long = PathBuf::from("/".repeat(300));
        assert_eq!(dial(&long, Duration::from_secs(1)).unwrap_err().kind(), ErrorKind::InvalidInput);
    }
}
