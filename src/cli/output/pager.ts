import { spawn } from 'node:child_process';
import { forTerminal } from '../../terminal/style.ts';

/** Shows a long text a screen at a time in a terminal, as git does; elsewhere, and without a pager, all of it. */
export async function showPaged(lines: readonly string[]): Promise<void> {
  const { isTTY, rows } = process.stdout;
  const fits = !isTTY || !process.stdin.isTTY || lines.length < rows;
  if (fits || !(await paged(lines.map((line) => forTerminal(line)).join('\n'))))
    console.log(lines.join('\n'));
}

/** False if the pager can't be started. */
function paged(text: string): Promise<boolean> {
  return new Promise((done) => {
    const env = { LESS: 'FRX', ...process.env };
    const pager = spawn(process.env.PAGER || 'less', {
      shell: true,
      env,
      stdio: ['pipe', 'inherit', 'inherit'],
    });
    pager.on('error', () => done(false));
    // A shell that doesn't find the program says so with 127.
    pager.on('close', (code) => done(code !== 127));
    // The pager may be closed before all is written.
    pager.stdin.on('error', () => {});
    pager.stdin.end(`${text}\n`);
  });
}
