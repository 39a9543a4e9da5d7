//! What forwarders and the daemon agree on. src/wire/limits.ts has the same numbers under the same names.

/// Above this a payload is not sent whole.
pub const MAX_PAYLOAD_BYTES: usize = 16 << 20;
/// What is kept of a text that is not an object.
pub const HEAD_BYTES: usize = 64 << 10;
/// Above this stdin is counted, but no longer kept.
pub const MAX_STDIN_BYTES: usize = 64 << 20;
/// Nested deeper than any real payload.
pub const MAX_DEPTH: usize = 200;

/// In the outline of a payload that cannot be read in full: a text longer than this is cut.
pub const OUTLINE_TEXT_BYTES: usize = 8 << 10;
/// What is kept of each level in all, so that a crowded object inside cannot displace the fields around it.
pub const OUTLINE_LEVEL_BYTES: usize = 64 << 10;
/// What a field takes besides its name and its text.
pub const OUTLINE_FIELD_BYTES: usize = 16;
/// No number is longer.
pub const OUTLINE_SCALAR_BYTES: usize = 400;

/// A longer line is not a reply.
pub const MAX_REPLY_BYTES: usize = 64 << 20;

/// How long we wait for the first line of an answer before we judge the call ourselves.
pub const FIRST_REPLY_MS: u64 = 5_000;
/// A daemon that lives says by then at least that it has the call: past it, we also judge the call ourselves.
pub const SILENT_MS: u64 = 400;
/// The same after a daemon has said nothing for that long, for as long as `SILENCE_MS`.
pub const SILENT_AGAIN_MS: u64 = 25;
pub const SILENCE_MS: u64 = 10_000;
/// The same of a daemon that has just begun to listen, to which all speak at once who waited for it.
pub const SILENT_AT_FIRST_MS: u64 = 5_000;
/// How long to wait for a daemon that another process starts. Less than a cold start on a busy machine is worse than not waiting.
pub const START_WAIT_MS: u64 = 20_000;
/// The same where the mark does not say who starts it: that is written at once, or by an older forwarder a little later.
pub const START_NAMELESS_MS: u64 = 3_000;
/// Between two attempts to connect.
pub const TRY_EVERY_MS: u64 = 10;
/// How long until a start is tried again that came to nothing.
pub const START_EVERY_MS: u64 = 10_000;
/// How long we wait for a person at most; it also keeps the clock arithmetic away from overflow.
pub const MAX_HOLD_MS: u64 = 86_400_000;

/// The longest path of a socket that every system takes.
pub const MAX_SOCKET_PATH_BYTES: usize = 100;
