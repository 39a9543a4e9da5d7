// Limits shared by forwarders and the daemon. native/src/limits.rs has the same numbers under the same names.

/** A larger payload isn't sent completely. */
export const MAX_PAYLOAD_BYTES: number = 16 << 20;
/** Kept of a text that isn't an object. */
export const HEAD_BYTES: number = 64 << 10;
/** Above this, stdin is counted but no longer stored. */
export const MAX_STDIN_BYTES: number = 64 << 20;
/** Nested deeper than any real payload. */
export const MAX_DEPTH = 200;

/** A longer text in the outline of an unreadable payload is truncated. */
export const OUTLINE_TEXT_BYTES: number = 8 << 10;
/** Kept per level in total, so that a large nested object can't displace the fields around it. */
export const OUTLINE_LEVEL_BYTES: number = 64 << 10;
/** Overhead of a field besides its name and text. */
export const OUTLINE_FIELD_BYTES = 16;
/** No number is longer. */
export const OUTLINE_SCALAR_BYTES = 400;

/** Limit of a line to the daemon: a payload with variables and names. */
export const MAX_REQUEST_BYTES: number = 24 << 20;
export const MAX_REQUEST_ID_CHARS = 200;
/** Limit of a line from the daemon, which may contain several payloads. */
export const MAX_REPLY_BYTES: number = 64 << 20;

/** How long a forwarder waits for the first line of an answer before it evaluates the call itself. */
export const FIRST_REPLY_MS = 5_000;
/** Time limit of a fallback: longer than rules take on a busy machine. Slower hooks announce it. */
export const FALLBACK_MS = 15_000;
/** A working daemon confirms by then that it has the call; otherwise a forwarder starts its fallback too. */
export const SILENT_MS = 400;
/** The same after a daemon was silent for that long, for the duration of `SILENCE_MS`. */
export const SILENT_AGAIN_MS = 25;
export const SILENCE_MS = 10_000;
/** The same for a daemon that has just started to listen, which all waiting callers contact at once. */
export const SILENT_AT_FIRST_MS = 5_000;
/**
 * How long to wait for a daemon that another process starts. On a busy machine, a shorter wait would be worse than
 * none.
 */
export const START_WAIT_MS = 20_000;
/** The same if the mark doesn't name the starter, which is written at once, or slightly later by an older forwarder. */
export const START_NAMELESS_MS = 3_000;
/** Between two attempts to connect. */
export const TRY_EVERY_MS = 10;
/** Wait before a failed start is tried again. */
export const START_EVERY_MS = 10_000;
/** Longest wait for a person; no approval takes longer. */
export const MAX_HOLD_MS = 86_400_000;

/** The longest socket path that every system accepts. */
export const MAX_SOCKET_PATH_BYTES = 100;
