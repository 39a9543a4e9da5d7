import type { HookEvent } from '../../model/events.ts';
import { forwarderCommand } from '../forwarder-command.ts';
import type { SetupContext } from '../setup.ts';
import { entryOf, wantedEvents } from '../wanted-events.ts';
import { isApproval } from './app-server/index.ts';
import type { NativeEvent } from './wire.ts';

// In seconds, as the client counts (0.166.0).
// A person may be asked, and people sleep. This is only the ceiling: the forwarder gives up after seconds unless the
// daemon asks it to hold, and it holds for a day at most.
const PERSON = 86_400;
// Users' own hooks do real work here (tests before a stop, formatters after an edit): the client's default.
const WORK = 600;
// Somebody looks at a screen that does not move until we answer, or nothing is done with the answer.
const NOTE = 30;
// All that the client gives on these events: it cuts more down to this, with a warning.
const MOST = 3;

/** Every event of the client, with its timeout. */
export const EVENTS: Readonly<Record<NativeEvent, number>> = {
  SessionStart: 60,
  UserPromptSubmit: NOTE,
  PreModelRequest: NOTE,
  PostModelRequest: NOTE,
  PreToolUse: PERSON,
  PermissionRequest: PERSON,
  PostToolUse: WORK,
  PreCompact: NOTE,
  PostCompact: NOTE,
  SubagentStart: NOTE,
  SubagentStop: WORK,
  Stop: WORK,
  Interrupt: MOST,
  SessionEnd: MOST,
};

/**
 * How long the client waits for us, as setup tells it. An approval of the app-server waits for whichever of its
 * clients answers; what else the server tells, whose names have a slash, waits for nobody.
 */
export function patienceMs({ nativeEvent }: Pick<HookEvent, 'nativeEvent'>): number {
  if (nativeEvent.includes('/')) return isApproval(nativeEvent) ? PERSON * 1000 : 0;
  return (entryOf(EVENTS, nativeEvent) ?? 0) * 1000;
}

/** A handler as it stands in the settings. */
export interface CommandHandler {
  readonly type: 'command';
  readonly command: string;
  readonly timeout: number;
}

/** The handlers that setup wants, by event. Throws USAGE for an event that the client does not have. */
export function wantedHandlers(context: SetupContext): ReadonlyMap<string, CommandHandler> {
  const wanted = wantedEvents<number>({ label: 'Codex', table: EVENTS }, context.events);
  return new Map(
    wanted.map(([name, timeout]) => [
      name,
      { type: 'command', command: forwarderCommand(context.forwarder, 'codex', name), timeout },
    ]),
  );
}
