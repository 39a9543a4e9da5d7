//! The process and user at the other end of a connection, as the kernel noted at connection time. Node can't query
//! that, so the daemon starts `hookline-forward --peer` with the connection as standard input.

use std::io::{Error, Result};
use std::mem::size_of;

pub struct Peer {
    pub pid: i32,
    pub uid: u32,
}

extern "C" {
    fn getsockopt(descriptor: i32, level: i32, name: i32, value: *mut u8, length: *mut u32) -> i32;
    #[cfg(target_vendor = "apple")]
    fn getpeereid(descriptor: i32, uid: *mut u32, gid: *mut u32) -> i32;
}

/// Reads an option of known size. Any other size is an error.
fn option<T: Default>(descriptor: i32, level: i32, name: i32) -> Result<T> {
    let mut value = T::default();
    let mut length = size_of::<T>() as u32;
    // SAFETY: the value is plain numbers, and its size is given.
    let result = unsafe {
        getsockopt(descriptor, level, name, std::ptr::addr_of_mut!(value).cast::<u8>(), &mut length)
    };
    match result {
        0 if length as usize == size_of::<T>() => Ok(value),
        0 => Err(std::io::ErrorKind::InvalidData.into()),
        _ => Err(Error::last_os_error()),
    }
}

/// The process at the other end. Err if it isn't visible from here.
pub fn of(descriptor: i32) -> Result<Peer> {
    match at(descriptor)? {
        // A socket that isn't a Unix socket has no peer and returns zeros, like a peer in another PID namespace.
        peer if peer.pid <= 0 => Err(std::io::ErrorKind::NotConnected.into()),
        peer => Ok(peer),
    }
}

/// The same with 0 for a process of another pid namespace.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub fn at(descriptor: i32) -> Result<Peer> {
    const SOL_SOCKET: i32 = 1;
    const SO_PEERCRED: i32 = 17;
    #[derive(Default)]
    #[repr(C)]
    struct Credentials {
        pid: i32,
        uid: u32,
        gid: u32,
    }
    let found: Credentials = option(descriptor, SOL_SOCKET, SO_PEERCRED)?;
    Ok(Peer { pid: found.pid, uid: found.uid })
}

#[cfg(target_vendor = "apple")]
pub fn at(descriptor: i32) -> Result<Peer> {
    const SOL_LOCAL: i32 = 0;
    const LOCAL_PEERPID: i32 = 2;
    let pid: i32 = option(descriptor, SOL_LOCAL, LOCAL_PEERPID)?;
    let (mut uid, mut gid) = (0, 0);
    // SAFETY: both point to numbers of the right size.
    if unsafe { getpeereid(descriptor, &mut uid, &mut gid) } != 0 {
        return Err(Error::last_os_error());
    }
    Ok(Peer { pid, uid })
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub fn at(_: i32) -> Result<Peer> {
    Err(std::io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::AsRawFd;
    use std::os::unix::net::UnixStream;

    #[test]
    fn the_other_end_of_a_pair_is_this_process() {
        let (here, _there) = UnixStream::pair().unwrap();
        let peer = of(here.as_raw_fd()).unwrap();
        assert_eq!(peer.pid, std::process::id() as i32);
    }

    #[test]
    fn what_is_no_connection_has_no_peer() {
        let file = std::fs::File::open("/dev/null").unwrap();
        assert!(of(file.as_raw_fd()).is_err());
        assert!(of(-1).is_err());
    }
}
