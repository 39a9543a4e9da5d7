//! Files that another process may have replaced with a pipe, where opening would wait for the other end.

use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind, Read, Result, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

#[cfg(target_os = "linux")]
const O_NONBLOCK: i32 = 0o4000;
#[cfg(not(target_os = "linux"))]
const O_NONBLOCK: i32 = 4;

/// The content of a regular file.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    regular(OpenOptions::new().read(true), path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

pub fn read_text(path: &Path) -> Result<String> {
    String::from_utf8(read(path)?).map_err(|_| ErrorKind::InvalidData.into())
}

/// Writes a regular file, creating it if necessary.
pub fn write(path: &Path, content: &[u8]) -> Result<()> {
    regular(OpenOptions::new().write(true).create(true).truncate(true), path)?.write_all(content)
}

fn regular(options: &mut OpenOptions, path: &Path) -> Result<File> {
    let file = options.custom_flags(O_NONBLOCK).open(path)?;
    if file.metadata()?.is_file() {
        return Ok(file);
    }
    Err(Error::new(ErrorKind::InvalidInput, "it is not a regular file"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::process::Command;

    #[test]
    fn a_pipe_is_not_waited_for_and_a_device_is_not_read() {
        let path = std::env::temp_dir().join(format!("hookline-pipe-{}", std::process::id()));
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        assert!(read(&path).is_err());
        assert!(write(&path, b"x").is_err());
        fs::remove_file(&path).unwrap();
        write(&path, b"text").unwrap();
        assert_eq!(read_text(&path).unwrap(), "text");
        write(&path, b"x").unwrap();
        assert_eq!(read(&path).unwrap(), b"x");
        fs::remove_file(&path).unwrap();
        assert!(read(Path::new("/dev/zero")).is_err());
    }
}
