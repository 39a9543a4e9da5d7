import { isLoopbackUrl } from '../platform/loopback.ts';
import { redact } from '../redact/redact.ts';
import type { PlacedEntry } from './config-file.ts';
import type { HttpEntry } from './config-schema.ts';
import { hookEntryOf } from './entry.ts';
import { postForText } from './fetch-text.ts';
import type { Hook } from './hook.ts';
import { type DialectOwner, inEveryWay, meaningOf } from './translate.ts';

/** A hook that asks a server, in the dialect of an agent. */
export function httpHook(
  placed: PlacedEntry,
  entry: HttpEntry,
  all: ReadonlyMap<string, DialectOwner>,
): Hook {
  const { hook, concerns, presentations } = hookEntryOf(placed, all);
  const owner = all.get(entry.dialect);
  if (!owner) throw new Error(`unknown dialect "${entry.dialect}"`);
  const isNear = isLoopbackUrl(entry.url);
  return {
    ...hook,
    kind: 'http',
    concerns,
    run: (event, { budgetMs }) => {
      const deadline = Date.now() + budgetMs;
      return inEveryWay(presentations(event), async (way) => {
        const json = JSON.stringify(way.presented.payload);
        // Secrets are redacted before data leaves this machine.
        const body = isNear ? json : redact(json);
        const headers = headersOf(entry, process.env);
        const { status, text } = await postForText(entry.url, body, headers, deadline - Date.now());
        if (status < 200 || status > 299) throw new Error(`the server responded with status ${status}`);
        const isAnswer = text.trim() === '' || text.trim().startsWith('{');
        if (!isAnswer) throw new Error("the server's response is not a JSON object");
        return meaningOf(event, owner, way, { exit: 0, stdout: text, stderr: '', timedOut: false });
      });
    },
  };
}

/** Replaces `$NAME` and `${NAME}` if the entry allows that variable, otherwise with an empty text. */
export function headersOf(
  entry: Pick<HttpEntry, 'headers' | 'allowedEnvVars'>,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const fill = (value: string) =>
    value
      .replace(/\$(?:\{([A-Z_][A-Z0-9_]*)\}|([A-Z_][A-Z0-9_]*))/g, (_, braced?: string, bare?: string) => {
        const name = braced ?? bare ?? '';
        return entry.allowedEnvVars.includes(name) ? (env[name] ?? '') : '';
      })
      // These characters would end the header and begin another.
      .replace(/[\r\n\0]/g, '');
  return Object.fromEntries(Object.entries(entry.headers).map(([name, value]) => [name, fill(value)]));
}
