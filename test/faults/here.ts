import { format } from 'node:util';
import type { Ran } from './product.ts';

/** A command line of `hookline` with all that a process of its own would get. */
export interface Called {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs `hookline …` in the process of the test: for commands that only read, a process of their own proves nothing
 * and costs a third of a second. One at a time, because the environment, the folder and the console belong to the
 * whole process.
 */
export function runHere(called: Called): Promise<Ran> {
  const next = last.then(() => run(called));
  last = next.catch(() => {});
  return next;
}

async function run({ program, args, env, cwd }: Called): Promise<Ran> {
  const before = { env: { ...process.env }, cwd: process.cwd(), argv: process.argv };
  const output = captureOutput();
  try {
    replaceEnvironment(env);
    process.chdir(cwd);
    process.argv = [process.execPath, program, ...args];
    // Loaded here, because whether to use colours is decided on loading.
    const { dispatch } = await import('../../src/cli/dispatch.ts');
    output.begin((await import('../../src/terminal/style.ts')).forTerminal);
    const code = await dispatch(args);
    return { code, ...output.said() };
  } finally {
    output.end();
    process.argv = before.argv;
    process.chdir(before.cwd);
    replaceEnvironment(before.env);
  }
}

/** Variable by variable: the home folder of the user is read from the process itself, not from this object. */
function replaceEnvironment(env: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  for (const [name, value] of Object.entries(env)) if (value !== undefined) process.env[name] = value;
}

function captureOutput() {
  const { log, info, warn, error } = console;
  const writes = { stdout: process.stdout.write, stderr: process.stderr.write };
  const out: string[] = [];
  const err: string[] = [];
  return {
    begin(forTerminal: (text: string) => string) {
      const into =
        (lines: string[]) =>
        (...values: unknown[]) =>
          void lines.push(`${forTerminal(format(...values))}\n`);
      Object.assign(console, { log: into(out), info: into(out), warn: into(err), error: into(err) });
      const writeInto = (lines: string[]) => (chunk: string | Uint8Array) => {
        lines.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
        return true;
      };
      process.stdout.write = writeInto(out);
      process.stderr.write = writeInto(err);
    },
    end() {
      Object.assign(console, { log, info, warn, error });
      process.stdout.write = writes.stdout;
      process.stderr.write = writes.stderr;
    },
    said: () => ({ stdout: out.join(''), stderr: err.join('') }),
  };
}
