const WIDTH = 24;
/** Goes back to the start of the line and empties it. */
export const CLEAR_LINE = '\r\x1b[K';

interface Progress {
  /** @param total where there is more to do than was known */
  at(done: number, total?: number): void;
  end(): void;
}

interface Shown {
  /** What there is so many of. */
  readonly about?: string;
  readonly stream?: NodeJS.WriteStream;
}

/** A bar on a terminal; nothing anywhere else, where it would only be in the way. */
export function progressBar(
  known: number,
  { about = 'calls', stream = process.stderr }: Shown = {},
): Progress {
  if (!stream.isTTY || known === 0) return { at: () => {}, end: () => {} };
  let shown = -1;
  return {
    at(done, total = known) {
      const percent = Math.floor((done / total) * 100);
      if (percent === shown) return;
      shown = percent;
      const filled = Math.round((percent / 100) * WIDTH);
      const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
      stream.write(`\r${bar} ${String(percent).padStart(3)} %  ${done} of ${total} ${about}\x1b[K`);
    },
    end: () => void stream.write('\r\x1b[K'),
  };
}
