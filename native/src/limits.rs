//! Limits shared by forwarders and the daemon. src/wire/limits.ts has the same numbers under the same names.

/// A larger payload isn't sent completely.
pub const MAX_PAYLOAD_BYTES: usize = 16 << 20;
/// Kept of a text that isn't an object.
pub const HEAD_BYTES: usize = 64 << 10;
/// Above this, stdin is counted but no longer stored.
pub const MAX_STDIN_BYTES: usize = 64 << 20;
/// Nested deeper than any real payload.
pub const MAX_DEPTH: usize = 200;

/// A longer text in the outline of an unreadable payload is truncated.
pub const OUTLINE_TEXT_BYTES: usize = 8 << 10;
/// Kept per level in total, so that a large nested object can't displace the fields around it.
pub const OUTLINE_LEVEL_BYTES: usize = 64 << 10;
/// Overhead of a field besides its name and text.
pub const OUTLINE_FIELD_BYTES: usize = 16;
/// No number is longer.
pub const OUTLINE_SCALAR_BYTES: usize = 400;

/// A longer line is not a reply.
pub const MAX_REPLY_BYTES: usize = 64 << 20;

/// How long to wait for the first line of an answer before evaluating the call here.
pub const FIRST_REPLY_MS: u64 = 5_000;
/// A working daemon confirms by then that it has the call; otherwise the fallback starts too.
pub const SILENT_MS: u64 = 400;
/// The same after a daemon was silent for that long, for the duration of `SILENCE_MS`.
pub const SILENT_AGAIN_MS: u64 = 25;
pub const SILENCE_MS: u64 = 10_000;
/// The same for a daemon that has just started to listen, which all waiting callers contact at once.
pub const SILENT_AT_FIRST_MS: u64 = 5_000;
/// How long to wait for a daemon that another process starts. On a busy machine, waiting less than a cold start would
/// be worse than not waiting.
pub const START_WAIT_MS: u64 = 20_000;
/// The same if the mark doesn't name the starter, which is written at once, or slightly later by an older forwarder.
pub const START_NAMELESS_MS: u64 = 3_000;
/// Between two attempts to connect.
pub const TRY_EVERY_MS: u64 = 10;
/// Wait before a failed start is tried again.
pub const START_EVERY_MS: u64 = 10_000;
/// Longest wait for a person; it also keeps the clock arithmetic from overflowing.
pub const MAX_HOLD_MS: u64 = 86_400_000;

/// The longest socket path that every system accepts.
pub const MAX_SOCKET_PATH_BYTES: usize = 100;
