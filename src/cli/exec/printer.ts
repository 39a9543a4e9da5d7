import { type Approval, approvalTitle } from '../../approvals/approval.ts';
import { toPublicEvent } from '../../store/read/public-event.ts';
import type { StoredEvent } from '../../store/read/stored-event.ts';
import { folded } from '../../terminal/fold.ts';
import { paint } from '../output/paint.ts';
import { printCalls } from '../output/print-calls.ts';
import { typedHere } from '../program.ts';
import type { RunResult } from './result.ts';

/** Reports the progress of a run. */
export interface RunPrinter {
  event(event: StoredEvent): void;
  /** The pending approvals of the run. */
  waiting(approvals: readonly Approval[]): void;
  result(result: RunResult): void;
}

/** One JSON object per line. */
export function printJson(): RunPrinter {
  const printed = new Set<string>();
  const print = (line: object) => console.log(JSON.stringify(line));
  return {
    event: (event) => print({ type: 'event', event: toPublicEvent(event) }),
    waiting(approvals) {
      for (const { id, tool, question, reason, rules, expiresAt } of approvals) {
        if (printed.has(id)) continue;
        printed.add(id);
        const about = { tool: tool?.name ?? null, input: tool?.input ?? {}, question };
        print({ type: 'waiting', id, ...about, reason, rules, expiresAt: new Date(expiresAt).toISOString() });
      }
    },
    result: print,
  };
}

const LONGEST_TITLE = 80;

/** For the user: one row per call on stderr, and the last message on stdout. */
export function printForPeople(): RunPrinter {
  const calls = printCalls([], console.error);
  const printed = new Set<string>();
  return {
    event: calls.event,
    waiting(approvals) {
      calls.waiting(approvals);
      for (const approval of approvals) {
        if (printed.has(approval.id)) continue;
        printed.add(approval.id);
        const title = approvalTitle(approval, LONGEST_TITLE);
        console.error(
          typedHere(
            `Needs approval: ${title}. Run \`hookline approve ${approval.id}\` or \`hookline deny ${approval.id}\`.`,
          ),
        );
      }
    },
    result({ outcome, message, lastMessage }) {
      if (message !== null) console.error(folded(`${paint.red('hookline:')} ${outcome}: ${message}`));
      if (lastMessage !== null) console.log(lastMessage);
    },
  };
}
