import type { StoredEvent } from '../store/read/stored-event.ts';
import { isPartOfRun } from '../wire/run-id.ts';

/** One hook call in the form of a fixture. */
export interface CapturedCall {
  /** `<native event>/<case>`, unique. */
  readonly name: string;
  /** What the client sent. */
  readonly payload: unknown;
  /** Hookline's answer; null if it couldn't be stored. */
  readonly answer: unknown;
}

/**
 * The calls of one run, from what an agent sent since it began: those that name the run. Not every forwarder and
 * plugin passes that on; then it takes sessions in the run's directory. If some of those began since, the others
 * belong to another run. If none did, the run continued an earlier session.
 */
export function callsOfRun(
  events: readonly StoredEvent[],
  cwd: string,
  run: string | null,
): readonly StoredEvent[] {
  const named = events.filter(({ event }) => run !== null && isPartOfRun(event.workflowId, run));
  if (named.length > 0) return named;
  const isHere = (event: StoredEvent) => event.cwd === cwd || (event.cwd ?? '').startsWith(`${cwd}/`);
  const sessions = [...new Set(events.map(({ sessionId }) => sessionId))].map((id) =>
    events.filter(({ sessionId }) => sessionId === id),
  );
  const here = sessions.filter((session) => session.some(isHere));
  const began = (session: readonly StoredEvent[]) => session[0]?.sequence === 1;
  const chosen = here.some(began) ? here.filter(began) : here.length > 0 ? here : sessions.filter(began);
  return chosen.flat().sort((a, b) => a.row - b.row);
}

/** Names each call after its event and its tool, and anonymizes its content. */
export function capturedCalls(
  events: readonly StoredEvent[],
  clean: (value: unknown) => unknown,
): readonly CapturedCall[] {
  const taken = new Map<string, number>();
  return events.map(({ nativeEvent, tool, native, answer }) => {
    const plain = `${eventFolder(nativeEvent)}/${kebab(tool?.name ?? '') || 'plain'}`;
    // On some systems, names that differ only in case are the same file.
    const key = plain.toLowerCase();
    const count = (taken.get(key) ?? 0) + 1;
    taken.set(key, count);
    const name = count === 1 ? plain : `${plain}-${count}`;
    return { name, payload: clean(native), answer: clean(answer) };
  });
}

const LONGEST_NAME = 60;

/** Next to `meta.json`, whatever the client calls its event: a name must not cause the loss of a captured call. */
function eventFolder(nativeEvent: string): string {
  const name = fileName(nativeEvent).slice(0, LONGEST_NAME) || 'unknown';
  return /^meta\.json$/i.test(name) ? `${name}-event` : name;
}

/** A client may use any event name, but a directory can't. */
function fileName(name: string): string {
  return name.replace(/[^\w.-]+/g, '-').replace(/^\.+/, '');
}

function kebab(name: string): string {
  return fileName(name.replace(/([a-z0-9])([A-Z])/g, '$1-$2'))
    .replaceAll('_', '-')
    .toLowerCase()
    .slice(0, LONGEST_NAME);
}
