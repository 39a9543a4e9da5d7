import * as v from 'valibot';
import { SettingsDocument, type SettingsOptions } from '../setup/settings-json.ts';

const PLACE = ['statusLine'];

const ours = v.looseObject({ command: v.pipe(v.string(), v.regex(/\bhookline\b.* statusline claude$/)) });

const given = v.looseObject({ session_id: v.string() });

/** The session in what the client writes to the program's stdin (2.1.325). */
export function statusLineSession(input: unknown): string | null {
  return v.is(given, input) ? input.session_id : null;
}

/** The settings with our status line, unless the user has one: the client shows only one (2.1.325). */
export function withStatusLine(text: string, command: string | undefined, options: SettingsOptions): string {
  if (command === undefined) return text;
  const document = new SettingsDocument(text, options);
  const found = document.get(PLACE);
  if (found !== undefined && !v.is(ours, found)) return text;
  document.set(PLACE, { type: 'command', command: `${command} claude` });
  return document.toString();
}

/** The settings without our status line. */
export function withoutStatusLine(text: string, options: SettingsOptions): string {
  const document = new SettingsDocument(text, options);
  if (!v.is(ours, document.get(PLACE))) return text;
  document.remove(PLACE);
  return document.toString();
}
