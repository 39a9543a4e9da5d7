import { spawn } from 'node:child_process';
import { HooklineError, messageOf } from '../../model/errors.ts';

/**
 * Runs a command in this terminal until it ends. Returns its exit code; null if a signal ended it. With `quiet`, its
 * output goes to stderr, and stdout has only ours.
 */
export function runHere(
  [program = '', ...args]: readonly string[],
  quiet: boolean,
  env: Readonly<Record<string, string>>,
): Promise<number | null> {
  // Ctrl-C is for the command. Hookline goes on and saves what was captured.
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
