/** A process, and the system call that it begins; a call that another thread interrupts is resumed on a later line. */
const BEGINS = /^\d+\s+(\w+)\(/;
/** Waits, and the memory that V8 takes and gives back: how many there are depends on when a thread gets its turn. */
const BY_CHANCE = /^\d+\s+(?:futex|epoll_p?wait|mmap|munmap|mprotect|madvise)\(/;
/** Each hook call comes on a connection of its own. Nothing to accept is not a connection. */
const ACCEPTS = /^\d+\s+accept4?\(/;
const ACCEPTS_NONE = /^\d+\s+(?:accept4?\(|<\.\.\. accept4? resumed>).* = -1 /;

/**
 * What `strace -f -o` has seen between two marks, for each of the hook calls that were made there. A log that lacks a mark or
 * a connection would give too small a number, so it throws.
 *
 * @param {string} log
 * @param {{ begin: string, end: string }} marks Paths that the daemon looked for.
 * @param {number} calls
 */
export function systemCallsPerCall(log, { begin, end }, calls) {
  const lines = log.split('\n');
  const at = (mark) => lines.findIndex((line) => line.includes(`"${mark}"`));
  const [from, to] = [at(begin), at(end)];
  if (from < 0 || to < from) throw new Error('strace did not see the daemon while it was measured');
  const seen = lines.slice(from + 1, to);
  const countOf = (pattern) => seen.filter((line) => pattern.test(line)).length;
  const connections = countOf(ACCEPTS) - countOf(ACCEPTS_NONE);
  if (connections !== calls) throw new Error(`strace saw ${connections} connections for ${calls} calls`);
  return (countOf(BEGINS) - countOf(BY_CHANCE)) / calls;
}
