import { forTerminal } from '../terminal/style.ts';
import { usage } from './command.ts';

/** Asks on a terminal; without one, `--yes` has to say it. */
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

/** The same, where whoever is asked may want to see everything first. */
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

/** Asks whoever is at the terminal; cancelled is no. What lets agents do more is not what Enter alone says. */
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
