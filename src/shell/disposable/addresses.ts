import { countsAs } from '../../knowledge/load.ts';

/** This machine by IP address, or a socket on it. */
const HERE = /^(?:127(?:\.\d{1,3}){3}|\[?::1\]?|\/[\w./-]*)$/;

export function isHere(host: string): boolean {
  const name = host.toLowerCase();
  return HERE.test(name) || countsAs('here-host', name) || countsAs('here-host-outside', name);
}

/** True for host names that lead from a container to its host. */
export const leavesContainer = (host: string | null): boolean =>
  host !== null && countsAs('here-host-outside', host);

/** A host and a name there. */
interface Address {
  readonly host: string;
  readonly port: string | null;
  readonly name: string | null;
}

const URL_FORM =
  /^(?:jdbc:)?[a-z][\w+.-]*:\/\/(?:[^@/?#\\]*@)?(\[[\da-f:.]+\]|[\w.-]*)(?::(\d+))?(?:\/([^?#\\]*))?(?:\?([^#\\]*))?$/i;
/** Parameters that redirect an address to another host. */
const LEADS_ELSEWHERE =
  /(?:^|[&;])(?:host|hostaddr|server|service|servicefile|dbname|database|socket|unix)=/i;

/** Parses `scheme://user@host:port/name`; null for any other address, and for one that is redirected. */
export function readUrl(text: string): Address | null {
  const found = URL_FORM.exec(text);
  // With a percent sign, a parameter name may be encoded.
  const parameters = found?.[4] ?? '';
  if (found === null || parameters.includes('%') || LEADS_ELSEWHERE.test(parameters)) return null;
  return { host: found[1] || 'localhost', port: found[2] ?? null, name: found[3] || null };
}

/** `host=localhost dbname=x` and `Server=localhost;Database=x`: settings by name. */
function readSettings(text: string): Address | null {
  const pairs = text.split(/[;\s]+/).filter((pair) => pair !== '');
  const settings = new Map<string, string>();
  for (const pair of pairs) {
    const [, key = '', value = ''] = /^([\w ]+)=([^'"\\]*)$/.exec(pair) ?? [];
    if (key === '' || settings.has(key.toLowerCase())) return null;
    settings.set(key.toLowerCase(), value);
  }
  if (['hostaddr', 'service', 'address', 'addr'].some((key) => settings.has(key))) return null;
  const hosts = ['host', 'server', 'source'].flatMap((key) => settings.get(key) ?? []);
  const names = ['dbname', 'database', 'catalog'].flatMap((key) => settings.get(key) ?? []);
  if (hosts.length > 1 || names.length > 1) return null;
  const [host = 'localhost', port = null] = (hosts[0] ?? 'localhost').replace(/^tcp:/, '').split(/[:,\\]/);
  return { host, port: settings.get('port') ?? port, name: names[0] ?? null };
}

/** True for an address, false for a name. */
export function isAddress(text: string): boolean {
  return /:\/\/|=/.test(text);
}

/** Parses an address in any form that databases accept; null if unreadable. */
export function readAddress(text: string): Address | null {
  return text.includes('://') ? readUrl(text) : readSettings(text);
}

/** True for a database file with a disposable path or name. */
export function fileOf(url: string): string | null {
  return /^(?:file|sqlite3?|sqlite\+\w+):(?:\/\/)?\/?([^?#:]+)(?:\?[^#]*)?$/i.exec(url)?.[1] ?? null;
}
