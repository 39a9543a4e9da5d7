import { CLEAR_LINE } from './progress.ts';

const SIGNS = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
const TURN_MS = 80;

/**
 * Runs work that takes seconds, with a line in a terminal that says what it waits for. The line is gone afterwards.
 *
 * @param work is given the way to say what it still waits for
 */
export async function withSpinner<T>(
  title: string,
  work: (say: (waitingFor: string) => void) => Promise<T>,
  stream: NodeJS.WriteStream = process.stderr,
): Promise<T> {
  if (!stream.isTTY) return work(() => {});
  let more = '';
  let turn = 0;
  const draw = () => {
    const text = `${SIGNS[turn % SIGNS.length]} ${title}${more === '' ? '' : `: ${more}`} …`;
    // A line that wraps can't be taken back.
    stream.write(`${CLEAR_LINE}${text.slice(0, Math.max(10, stream.columns - 1))}`);
    turn += 1;
  };
  const timer = setInterval(draw, TURN_MS);
  draw();
  try {
    return await work((waitingFor) => {
      more = waitingFor;
    });
  } finally {
    clearInterval(timer);
    stream.write(CLEAR_LINE);
  }
}
