import { forTerminal } from '../terminal/style.ts';
import { usage } from './command.ts';

/** Asks in a terminal. Without one, `--yes` is required. */
export async function confirmed(
  question: string,
  yes: boolean | undefined,
  command: string,
  initial = true,
): Promise<boolean> {
  if (yes) return true;
  requireTerminal(command);
  return confirmedHere(question, initial);
}

/** Like `confirm`, with an answer that shows the full diff first. */
export async function confirmedWithDiff(
  question: string,
  yes: boolean | undefined,
  command: string,
  show: () => Promise<void>,
): Promise<boolean> {
  if (yes) return true;
  requireTerminal(command);
  const { isCancel, select } = await import('@clack/prompts');
  for (;;) {
    const answer = await select({
      message: forTerminal(question),
      options: [
        { value: 'yes', label: 'Yes' },
        { value: 'diff', label: 'Show the diff first' },
        { value: 'no', label: 'No' },
      ],
    });
    if (isCancel(answer) || answer === 'no') return false;
    if (answer === 'yes') return true;
    await show();
  }
}

/** Asks in the terminal. Cancelling means no. Enter alone never confirms a change that permits agents more. */
export async function confirmedHere(question: string, initial = true): Promise<boolean> {
  const { confirm, isCancel } = await import('@clack/prompts');
  const answer = await confirm({ message: forTerminal(question), initialValue: initial });
  return !isCancel(answer) && answer;
}

export function isAtTerminal(): boolean {
  return Boolean(process.stdin.isTTY && process.stdout.isTTY);
}

function requireTerminal(command: string): void {
  if (!isAtTerminal())
    throw usage(command, "Can't prompt without a terminal. Pass --yes to confirm or --dry-run to preview.");
}
