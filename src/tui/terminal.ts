import type { Size } from './view.ts';

/** The alternate screen, without a cursor and line wrap, and with marked pastes. */
const ENTER = '\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h';
const LEAVE = '\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l';
/** Terminals that support it show a frame at once; others ignore it. */
const FRAME = '\x1b[?2026h';
const FRAME_END = '\x1b[?2026l';

interface TerminalScreen {
  size(): Size;
  /** Writes only the changed rows, without clearing the screen, so that nothing flickers. */
  draw(rows: readonly string[]): void;
  close(): void;
}

export function openTerminalScreen(
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
  onInput: (chunk: string) => void,
  onResize: () => void,
): TerminalScreen {
  let drawn: readonly string[] = [];
  const resized = () => {
    drawn = [];
    onResize();
  };
  const read = (chunk: Buffer | string) => onInput(String(chunk));
  input.setEncoding('utf8');
  input.setRawMode(true);
  input.resume();
  input.on('data', read);
  output.on('resize', resized);
  output.write(ENTER);
  return {
    size: () => ({ columns: output.columns || 80, rows: output.rows || 24 }),
    draw(rows) {
      const changed = rows.flatMap((row, at) =>
        row === drawn[at] ? [] : [`\x1b[${at + 1};1H\x1b[K${row}\x1b[0m`],
      );
      drawn = rows;
      if (changed.length > 0) output.write(`${FRAME}${changed.join('')}${FRAME_END}`);
    },
    close() {
      input.off('data', read);
      output.off('resize', resized);
      input.setRawMode(false);
      input.pause();
      output.write(LEAVE);
    },
  };
}
