import { existsSync } from 'node:fs';
import { exchange, type Refused } from '../../../wire/exchange.ts';
import { readFailure, readRefusal } from '../../../wire/fail-closed.ts';
import { pickEnv } from '../../../wire/forwarder-settings.ts';
import { askPastHandOver } from '../../../wire/impostor.ts';
import { FIRST_REPLY_MS } from '../../../wire/limits.ts';
import { ACCEPTS, newRequestId, requestLine } from '../../../wire/request.ts';
import { RUN_VARIABLE } from '../../../wire/run-id.ts';
import { firstLineTimeoutMs, noteSilence } from '../../../wire/silence.ts';
import { foreignSocketProblem } from '../../../wire/socket-path.ts';
import { NOT_SET_UP } from '../../refusals.ts';
import { takesOn } from './copies.ts';
import { forward, forwardSync } from './forward.ts';
import { type Instructions, instructionsIn } from './instructions.ts';
import { createListenerCheck } from './listener.ts';
import { type Loaded, writeSeen } from './seen.ts';

/** What setup writes into the file that the client loads, or a package finds on the machine. */
export interface ShimSettings {
  readonly agent: string;
  /** Of the Hookline that wrote it. */
  readonly version: string;
  /** Hookline's home. */
  readonly home: string;
  readonly socket: string;
  readonly forwarder: string;
  /** How long the client waits for us at most; null: as long as a person takes to answer. */
  readonly deadlineMs: number | null;
  /** The user's choice at setup, for when the files that have it are gone. */
  readonly failClosed: boolean;
  /** What refuses each guarded event. */
  readonly refusals: Readonly<Record<string, Instructions>>;
  /** The client installed it as a package: Hookline may not be set up here. */
  readonly packaged?: true;
}

/** The payload of one event: the host adds what the client gave it. */
interface ShimPayload {
  readonly session_id: string;
  readonly cwd: string | null;
  readonly [field: string]: unknown;
}

/** Runs inside the client. It judges nothing: it asks, and a host carries out the answer. Nothing of it throws. */
export interface Shim {
  /** Asks the daemon, or the forwarder where there is none. Waits for earlier reports, so that the order stays. */
  ask(event: string, payload: ShimPayload): Promise<Instructions>;
  /** Asks through the forwarder and blocks the client, where it would not wait otherwise. */
  askSync(event: string, payload: ShimPayload): Instructions;
  /** Reports what the client does not wait for; the answer arrives later. */
  report(event: string, payload: ShimPayload): Promise<Instructions>;
  /** Resolves when all reports have arrived. */
  settled(): Promise<void>;
  /** Is this event for us? Not if another copy of ours took on the object that the client gives to all of them. */
  takes(common: object): boolean;
  /** Tells the user, once, that nothing is guarded: on the client's screen, or on stderr where it has none. */
  warnUnguarded(screen: ((text: string) => void) | null): void;
  /** For doctor: a client says nothing about a file that it did not load. */
  hello(client: string | null): void;
  /** For doctor: a call ran with other arguments than the decided ones. */
  changedAfter(tool: string): void;
}

export function createShim(settings: ShimSettings): Shim {
  let reports: Promise<unknown> = Promise.resolve();
  let loaded: Loaded | null = null;
  let isWarned = false;
  const takes = takesOn(settings.agent, settings.home);
  const refuse = createListenerCheck(settings.home, settings.socket);
  const put = (next: Loaded) => {
    loaded = next;
    writeSeen(settings.home, settings.agent, next);
  };
  return {
    async ask(event, payload) {
      const since = Date.now();
      await within(reports, settings.deadlineMs);
      return askNow(settings, event, payload, { waits: true, since, refuse });
    },
    askSync: (event, payload) => {
      const bytes = bytesOf(event, payload);
      const answer = bytes && forwardSync(settings, event, bytes);
      return instructionsOr(settings, event, bytes === null, answer);
    },
    report(event, payload) {
      const answer = reports.then(() => askNow(settings, event, payload, { waits: false, refuse }));
      reports = answer;
      return answer;
    },
    async settled() {
      await reports;
    },
    // One that guards nothing leaves it to another copy, which may.
    takes: (common) => guardsNothing(settings) || takes(common),
    warnUnguarded(screen) {
      if (isWarned || !guardsNothing(settings)) return;
      isWarned = true;
      const show = screen ?? console.error;
      show(`${NOT_SET_UP} Run: npm install --global hookline && hookline setup ${settings.agent}`);
    },
    hello(client) {
      put({ version: settings.version, client, pid: process.pid, at: Date.now(), changed: 0, tool: null });
    },
    changedAfter(tool) {
      if (loaded) put({ ...loaded, changed: loaded.changed + 1, tool });
    },
  };
}

/** A package without a set-up Hookline, unless the user chose that failures refuse. */
function guardsNothing({ packaged, failClosed, forwarder }: ShimSettings): boolean {
  return packaged === true && !failClosed && !existsSync(forwarder);
}

/** Waits for earlier reports, so that the order stays: of a short deadline not more than a part. */
async function within(reports: Promise<unknown>, deadlineMs: number | null): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    if (deadlineMs !== null) timer = setTimeout(resolve, deadlineMs / 4);
  });
  await Promise.race([reports, late]);
  clearTimeout(timer);
}

interface Asking {
  /** The client waits for the answer, so that a person can be asked. */
  readonly waits: boolean;
  /** When it began to. */
  readonly since?: number;
  /** Why nothing is said to who listens; null where it is the daemon. */
  readonly refuse: () => Refused | null;
}

async function askNow(
  settings: ShimSettings,
  event: string,
  payload: ShimPayload,
  { waits, since = Date.now(), refuse }: Asking,
): Promise<Instructions> {
  const bytes = bytesOf(event, payload);
  if (bytes === null) return instructionsOr(settings, event, true, null);
  const ts = Date.now();
  const call = { id: newRequestId(ts), ts, event, payload: bytes };
  const leftMs = () =>
    settings.deadlineMs === null ? null : Math.max(0, settings.deadlineMs - (Date.now() - since));
  const daemon = { waits, leftMs: leftMs(), refuse };
  const hasTime = daemon.leftMs === null;
  const ask = (firstReplyMs?: number) =>
    askDaemon(settings, { ...call, ts: Date.now() }, { ...daemon, firstReplyMs }).catch(() => null);
  let asked = await ask();
  // Its connection broke: the daemon may have ended, and the next one be there.
  if (asked?.answer === null && asked.kind === 'failed' && hasTime) asked = await ask();
  if (asked?.answer) return instructionsOr(settings, event, false, asked.answer);
  // The forwarder can prove more than we can. It lets a person be asked, for which there must be time.
  const asksAgain = asked?.kind === 'unproved' && hasTime;
  const answer = await forward(settings, { ...call, asksAgain }, leftMs());
  // On a machine that is busy, the daemon may be there by the time that the forwarder has given up.
  const isLeft = answer === null && asked !== null && hasTime;
  const last = isLeft ? ((await ask(FIRST_REPLY_MS))?.answer ?? null) : answer;
  return instructionsOr(settings, event, false, last);
}

interface AskOptions extends Pick<Asking, 'waits' | 'refuse'> {
  readonly leftMs: number | null;
  /** How long to wait for the first line of an answer. */
  readonly firstReplyMs?: number | undefined;
}

interface Asked {
  readonly id: string;
  readonly ts: number;
  readonly event: string;
  readonly payload: Buffer;
}

async function askDaemon(
  { agent, home, socket }: ShimSettings,
  { id, ts, event, payload }: Asked,
  { waits, leftMs, refuse, firstReplyMs = firstLineTimeoutMs(home) }: AskOptions,
) {
  if (foreignSocketProblem(socket) !== null) return null;
  // A client that does not wait is never asked to wait: then no approval is requested on its behalf.
  const holds = waits && leftMs === null;
  const accepts = holds ? ACCEPTS : ['busy', 'error'];
  const stdin = { bytes: payload, total: payload.length };
  const env = pickEnv([RUN_VARIABLE], process.env);
  const line = requestLine({ id, ts, agent, event, env, stdin, accepts });
  const options = {
    firstReplyMs,
    refuse,
    // Of a daemon that is busy. The forwarder needs a part of a short wait, too.
    ...(leftMs !== null && { signal: AbortSignal.timeout(Math.floor(leftMs * 0.6)) }),
  };
  const result = await askPastHandOver(home, () => exchange(socket, line, id, options));
  if (result.answer === null && result.kind === 'silent') noteSilence(home);
  return result;
}

/** What the answer says. Without one, or with one that makes no sense, the user's choice about failures decides. */
function instructionsOr(
  settings: ShimSettings,
  event: string,
  unreadable: boolean,
  answer: Parameters<typeof instructionsIn>[0] | null,
): Instructions {
  const { home, agent, failClosed, refusals } = settings;
  const own = (Object.hasOwn(refusals, event) && refusals[event]) || {};
  // A call that can't be read can't be judged, in either failure mode.
  if (unreadable) return own;
  const instructions = answer && instructionsIn(answer);
  if (instructions) return instructions;
  const failure = readFailure(home);
  if (failure === null) return failClosed ? own : {};
  if (failure.failure !== 'closed') return {};
  // Files of an older Hookline do not know this agent: what setup wrote for it does.
  const refusal = readRefusal(home, agent, event);
  return (refusal && instructionsIn(refusal)) ?? own;
}

/** Null for what cannot be written as JSON. */
function bytesOf(event: string, payload: ShimPayload): Buffer | null {
  try {
    return Buffer.from(JSON.stringify({ ...payload, hook_event_name: event }));
  } catch {
    return null;
  }
}
