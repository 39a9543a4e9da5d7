import { forTerminal } from '../terminal/style.ts';
import { usage } from './command.ts';

/** Asks on a terminal; without one, `--yes` has to say it. */
export async function confirmed(
  question: string,
  yes: boolean | undefined,
  command: string,
): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw usage(command, 'There is no terminal to ask on. Give --yes to agree, or --dry-run to only look.');
  }
  const { confirm, isCancel } = await import('@clack/prompts');
  const answer = await confirm({ message: forTerminal(question) });
  return !isCancel(answer) && answer;
}
