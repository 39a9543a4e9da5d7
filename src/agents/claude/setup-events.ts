import type { HookEvent } from '../../model/events.ts';
import { forwarderCommand } from '../forwarder-command.ts';
import type { SetupContext } from '../setup.ts';
import { entryOf, wantedEvents } from '../wanted-events.ts';
import type { NativeEvent } from './names.ts';

interface EventEntry {
  /** In seconds, as the client counts (2.1.325). */
  readonly timeout: number;
  /** Something happens that a failing hook should be able to stop. */
  readonly guard?: true;
  /** Written only when asked for. */
  readonly optIn?: true;
}

// A person may be asked, and people sleep. This is only the ceiling: the forwarder gives up after seconds unless the
// daemon asks it to hold, and it holds for a day at most.
const PERSON = 86_400;
// Users' own hooks do real work here (tests before a stop, formatters after an edit): the client's default.
const WORK = 600;
// Somebody looks at a screen that does not move until we answer. For prompts and model switches it is the default.
const PROMPT = 30;
// Nothing waits for the answer, or nothing is done with it.
const NOTE = 30;

/**
 * Every event of the client, with what its entry says. `onFailure` is not honoured on Stop, SubagentStop,
 * TaskCompleted and TeammateIdle (2.1.325). Two more events can block and are yet no guards: a broken forwarder on
 * PreCompact would leave a session stuck with a full context, and on ConfigChange it would refuse the very edit of
 * the settings that takes it out.
 */
export const EVENTS: Readonly<Record<NativeEvent, EventEntry>> = {
  Setup: { timeout: WORK },
  SessionStart: { timeout: 60 },
  UserPromptSubmit: { timeout: PROMPT, guard: true },
  UserPromptExpansion: { timeout: PROMPT, guard: true },
  PreToolUse: { timeout: PERSON, guard: true },
  PermissionRequest: { timeout: PERSON, guard: true },
  PermissionDenied: { timeout: PROMPT },
  PostToolUse: { timeout: WORK },
  PostToolUseFailure: { timeout: WORK },
  PostToolBatch: { timeout: WORK },
  Stop: { timeout: WORK },
  StopFailure: { timeout: NOTE },
  SubagentStart: { timeout: PROMPT },
  SubagentStop: { timeout: WORK },
  TaskCreated: { timeout: WORK },
  TaskCompleted: { timeout: WORK },
  TeammateIdle: { timeout: WORK },
  PreCompact: { timeout: PROMPT },
  PostCompact: { timeout: NOTE },
  PreModelSwitch: { timeout: PROMPT, guard: true },
  PostModelSwitch: { timeout: PROMPT },
  Notification: { timeout: NOTE },
  Elicitation: { timeout: PERSON, guard: true },
  ElicitationResult: { timeout: PROMPT, guard: true },
  ConfigChange: { timeout: PROMPT },
  InstructionsLoaded: { timeout: NOTE },
  CwdChanged: { timeout: NOTE },
  DirectoryAdded: { timeout: NOTE },
  WorktreeRemove: { timeout: NOTE },
  // Without a timeout of its own a hook has a share of 1.5 s here and is then killed.
  SessionEnd: { timeout: 10 },
  // Needs a list of files to watch; without one it never fires.
  FileChanged: { timeout: NOTE, optIn: true },
  // Fires for every few lines of output and can change the result of `claude -p`.
  MessageDisplay: { timeout: 10, optIn: true },
  // Having a hook here means having to make the worktree: any failure fails its creation.
  WorktreeCreate: { timeout: WORK, optIn: true },
};

/** How long the client waits for us, as setup tells it. An event that setup did not register is not waited for. */
export function patienceMs({ nativeEvent }: Pick<HookEvent, 'nativeEvent'>): number {
  return (entryOf(EVENTS, nativeEvent)?.timeout ?? 0) * 1000;
}

/** A handler as it stands in the settings. */
export interface CommandHandler {
  readonly type: 'command';
  readonly command: string;
  readonly timeout: number;
  readonly onFailure?: 'block';
}

/** The handlers that setup wants, by event. Throws USAGE for an event that the client does not have. */
export function wantedHandlers(context: SetupContext): ReadonlyMap<string, CommandHandler> {
  const wanted = wantedEvents<EventEntry>(
    { label: 'Claude Code', table: EVENTS, optIn: (entry) => entry.optIn === true },
    context.events,
  );
  return new Map(wanted.map(([name, entry]) => [name, handler(context, name, entry)]));
}

function handler(context: SetupContext, event: string, { timeout, guard }: EventEntry): CommandHandler {
  const command = forwarderCommand(context.forwarder, 'claude', event);
  return guard && context.failClosed
    ? { type: 'command', command, timeout, onFailure: 'block' }
    : { type: 'command', command, timeout };
}
