// What forwarders and the daemon agree on. native/src/limits.rs has the same numbers under the same names.

/** Above this a payload is not sent whole. */
export const MAX_PAYLOAD_BYTES: number = 16 << 20;
/** What is kept of a text that is not an object. */
export const HEAD_BYTES: number = 64 << 10;
/** Above this stdin is counted, but no longer kept. */
export const MAX_STDIN_BYTES: number = 64 << 20;
/** Nested deeper than any real payload. */
export const MAX_DEPTH = 200;

/** In the outline of a payload that cannot be read in full: a text longer than this is cut. */
export const OUTLINE_TEXT_BYTES: number = 8 << 10;
/** What is kept of each level in all, so that a crowded object inside cannot displace the fields around it. */
export const OUTLINE_LEVEL_BYTES: number = 64 << 10;
/** What a field takes besides its name and its text. */
export const OUTLINE_FIELD_BYTES = 16;
/** No number is longer. */
export const OUTLINE_SCALAR_BYTES = 400;

/** Of a line to the daemon: a payload, and besides it variables and names. */
export const MAX_REQUEST_BYTES: number = 24 << 20;
export const MAX_REQUEST_ID_CHARS = 200;
/** Of a line from the daemon: it may say as much as several payloads. */
export const MAX_REPLY_BYTES: number = 64 << 20;

/** How long a forwarder waits for the first line of an answer before it judges the call itself. */
export const FIRST_REPLY_MS = 5_000;
/** How long a fallback may take to judge a call: longer than rules take on a machine that is busy. Hooks that take longer say so. */
export const FALLBACK_MS = 15_000;
/** A daemon that lives says by then at least that it has the call: past it, a forwarder also judges the call itself. */
export const SILENT_MS = 400;
/** The same after a daemon has said nothing for that long, for as long as `SILENCE_MS`. */
export const SILENT_AGAIN_MS = 25;
export const SILENCE_MS = 10_000;
/** The same of a daemon that has just begun to listen, to which all speak at once who waited for it. */
export const SILENT_AT_FIRST_MS = 5_000;
/** How long to wait for a daemon that another process starts. Shorter would be worse than not at all on a busy machine. */
export const START_WAIT_MS = 20_000;
/** The same where the mark does not say who starts it: that is written at once, or by an older forwarder a little later. */
export const START_NAMELESS_MS = 3_000;
/** Between two attempts to connect. */
export const TRY_EVERY_MS = 10;
/** How long until a start is tried again that came to nothing. */
export const START_EVERY_MS = 10_000;
/** How long it waits for a person at most; no approval takes longer. */
export const MAX_HOLD_MS = 86_400_000;

/** The longest path of a socket that every system takes. */
export const MAX_SOCKET_PATH_BYTES = 100;
