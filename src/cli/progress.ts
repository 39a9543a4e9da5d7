const WIDTH = 24;

interface Progress {
  at(done: number): void;
  end(): void;
}

/** A bar on a terminal; nothing anywhere else, where it would only be in the way. */
export function progressBar(total: number, stream: NodeJS.WriteStream = process.stderr): Progress {
  if (!stream.isTTY || total === 0) return { at: () => {}, end: () => {} };
  let shown = -1;
  return {
    at(done) {
      const percent = Math.floor((done / total) * 100);
      if (percent === shown) return;
      shown = percent;
      const filled = Math.round((percent / 100) * WIDTH);
      const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
      stream.write(`\r${bar} ${String(percent).padStart(3)} %  ${done} of ${total} calls`);
    },
    end: () => void stream.write('\r\x1b[K'),
  };
}
