import { join } from 'node:path';
import { isObject } from '../model/json.ts';
import type { NativeAnswer } from '../model/native.ts';
import { readRegularText } from '../platform/bounded-files.ts';
import { forwarderSettingsFile } from './forwarder-settings.ts';
import { readAnswer } from './reply.ts';

/** What to answer to guarded events that nothing could judge: by agent, and by event in the agent's own words. */
type Refusals = Readonly<Record<string, Readonly<Record<string, NativeAnswer>>>>;

/** What both files say that tell forwarders about failures. */
export interface FailureSettings {
  readonly failure: 'open' | 'closed';
  /** Only where the user chose to fail closed. */
  readonly refusals?: Refusals;
}

/** There while the user wants to fail closed. It says what `forwarder.json` says, for when that one is lost. */
export function failClosedFile(home: string): string {
  return join(home, 'bin', 'fail-closed.json');
}

/** The answer to an event that nothing could judge; null where the user did not choose one, or it guards nothing. */
export function readRefusal(home: string, agent: string, event: string): NativeAnswer | null {
  const settings = readFailure(home);
  if (settings?.failure !== 'closed') return null;
  const answer = fieldOf(fieldOf(settings.refusals, agent), event);
  return isObject(answer) ? readAnswer(answer) : null;
}

/** What the user wants a failure to mean; null where neither file says so any more. */
export function readFailure(home: string): Readonly<Record<string, unknown>> | null {
  const files = [forwarderSettingsFile(home), failClosedFile(home)].map(readObject);
  return files.find(({ failure }) => typeof failure === 'string') ?? null;
}

function fieldOf(object: unknown, name: string): unknown {
  return isObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;
}

function readObject(file: string): Record<string, unknown> {
  try {
    const found: unknown = JSON.parse(readRegularText(file));
    return isObject(found) ? found : {};
  } catch {
    return {};
  }
}
