import { spawn } from 'node:child_process';
import { HooklineError, messageOf } from '../../model/errors.ts';

/**
 * Runs a command in this terminal until it ends, and gives its exit code; null when a signal ended it. With `quiet`
 * what it prints goes to stderr, so that stdout has nothing but our own.
 */
export function runHere(
  [program = '', ...args]: readonly string[],
  quiet: boolean,
  env: Readonly<Record<string, string>>,
): Promise<number | null> {
  // What is typed to interrupt it is for the command; we go on to write down what came of it.
  const ignore = () => {};
  process.on('SIGINT', ignore);
  return new Promise<number | null>((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ['inherit', quiet ? 2 : 'inherit', 'inherit'],
      env: { ...process.env, ...env },
    });
    child.on('error', (cause) =>
      reject(
        new HooklineError('NOT_FOUND', `Can't start ${program}: ${messageOf(cause)}`, {
          cause,
          hint: 'Pass the command as you type it in a terminal, without aliases.',
        }),
      ),
    );
    child.on('close', (code) => resolve(code));
  }).finally(() => void process.off('SIGINT', ignore));
}
