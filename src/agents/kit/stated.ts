/** `Exit code: 1`, `Process exited with code 1`, `[exit status 1]`: nothing else in the line. */
const EXIT_CODE =
  /^[^\w]*(?:[a-z]+:? ){0,3}exit(?:ed)?(?: with)?(?: (?:code|status))?[:= ]+(-?\d{1,3})[^\w]*$/i;
const LONGEST_LINE = 80;

/** The exit code that a text about a command has in its first or its last line; null when it has none. */
export function statedExitCode(text: string): number | null {
  const trimmed = text.trim();
  const first = trimmed.slice(0, LONGEST_LINE + 1).split('\n', 1)[0] ?? '';
  const last =
    trimmed
      .slice(-LONGEST_LINE - 1)
      .split('\n')
      .at(-1) ?? '';
  for (const line of [first, last]) {
    const code = line.length > LONGEST_LINE ? undefined : EXIT_CODE.exec(line)?.[1];
    if (code !== undefined) return Number(code);
  }
  return null;
}

/** How many things a search lists, one a line, where it does not say itself how many. */
export function statedCount(text: string): number {
  const count = /^Found (\d+) /.exec(text)?.[1];
  if (count !== undefined) return Number(count);
  if (/^No (?:files|matches) found/.test(text)) return 0;
  return text.split('\n').filter((line) => line.trim() !== '').length;
}
