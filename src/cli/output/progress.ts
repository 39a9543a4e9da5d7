const WIDTH = 24;
/** Goes back to the start of the line and empties it. */
export const CLEAR_LINE = '\r\x1b[K';

interface Progress {
  /** @param total the new total, if there is more to do than expected */
  at(done: number, total?: number): void;
  end(): void;
}

interface Shown {
  /** The unit of the count. */
  readonly about?: string;
  readonly stream?: NodeJS.WriteStream;
}

/** A progress bar on a terminal; elsewhere nothing. */
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
