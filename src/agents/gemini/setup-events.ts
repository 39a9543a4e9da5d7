import type { HookEvent } from '../../model/events.ts';
import type { SetupContext } from '../setup.ts';
import { entryOf, wantedEvents } from '../wanted-events.ts';
import { hookCommand } from './setup-command.ts';
import type { NativeEvent } from './wire.ts';

interface EventEntry {
  /** In milliseconds, as the client counts (0.61.0). */
  readonly timeout: number;
  /** Written only when asked for. */
  readonly optIn?: true;
}

// A person may be asked, and people sleep. This is only the ceiling: the forwarder gives up after seconds unless the
// daemon asks it to hold, and it holds for a day at most. On a timeout the client goes on as if nobody had objected.
const PERSON = 86_400_000;
// Users' own hooks do real work here: tests before a stop, formatters after an edit.
const WORK = 600_000;
// Somebody looks at a screen that does not move until we answer.
const PROMPT = 30_000;
// Nothing is done with the answer, but the client waits for it all the same.
const NOTE = 10_000;

/** Every event of the client, with what its entry says. None has a matcher: on most events it is ignored or exact. */
export const EVENTS: Readonly<Record<NativeEvent, EventEntry>> = {
  SessionStart: { timeout: 60_000 },
  BeforeAgent: { timeout: PROMPT },
  PreCompress: { timeout: NOTE },
  BeforeModel: { timeout: PROMPT },
  BeforeToolSelection: { timeout: PROMPT },
  BeforeTool: { timeout: PERSON },
  Notification: { timeout: NOTE },
  AfterTool: { timeout: WORK },
  AfterAgent: { timeout: WORK },
  SessionEnd: { timeout: NOTE },
  // One process for every piece of text that the model streams.
  AfterModel: { timeout: NOTE, optIn: true },
};

/** How long the client waits for us, as setup tells it. An event that setup did not register is not waited for. */
export function patienceMs({ nativeEvent }: Pick<HookEvent, 'nativeEvent'>): number {
  return entryOf(EVENTS, nativeEvent)?.timeout ?? 0;
}

/** A handler as it stands in the settings. */
export interface CommandHandler {
  readonly type: 'command';
  readonly name: string;
  readonly command: string;
  readonly timeout: number;
}

/** The handlers that setup wants, by event. Throws USAGE for an event that the client does not have. */
export function wantedHandlers(
  context: SetupContext,
  platform: NodeJS.Platform = process.platform,
): ReadonlyMap<string, CommandHandler> {
  const options = { failClosed: context.failClosed, platform };
  const wanted = wantedEvents<EventEntry>(
    { label: 'Gemini CLI', table: EVENTS, optIn: (entry) => entry.optIn === true },
    context.events,
  );
  return new Map(
    wanted.map(([event, { timeout }]) => [
      event,
      // The name is what the client's screens show and what `/hooks disable` takes.
      {
        type: 'command',
        name: 'hookline',
        command: hookCommand(context.forwarder, event, options),
        timeout,
      },
    ]),
  );
}
