import { sendMarks } from '../../memory/flow.ts';
import { hasUnknown, withoutUnknown } from '../../placeholders.ts';
import { hostOf } from '../../places/hosts.ts';
import { requests, urlHost } from '../../programs/network/http-clients.ts';
import { makeWord } from '../../word.ts';
import type { Arguments } from './brackets.ts';
import type { Reading } from './cursor.ts';
import { actionOf } from './invoke.ts';
import type { Ref } from './postfix.ts';
import { known, madeFrom, NOTHING, objectOf, plainOf, type Value } from './value.ts';

const METHOD = /^(?:get|post|put|patch|delete|head|options)$/i;
/** Fields that describe the request or its sender rather than the data. */
const ABOUT =
  /^(?:headers?|auth|cookies?|cert|verify|token|prox(?:y|ies)|timeout|credentials|agent|method|type|url|uri|baseURL|base_url|api_?key|password|user\w*|port|host|hostname)$/i;

/** A connection to another machine, or a client that keeps an address. */
export interface Link {
  readonly host: string | null;
  readonly base: string;
}

/** A request or connection: what it asks for and what it sends. Null for any other call. */
export function askFrom(reading: Reading, callee: Ref, path: string, args: Arguments): Value | null {
  const { owner } = callee;
  const link = owner?.link;
  const action = actionOf(reading, path);
  const isOwn =
    (link !== undefined && METHOD.test(callee.name)) ||
    (link !== undefined && /^(?:request|urlopen|fetch|send_request)$/.test(callee.name));
  if (action === 'client') return { ...NOTHING, link: linkFrom(args) };
  const isAddress =
    (action === 'read' || action === 'open') && /^(?:https?|ftp):\/\//i.test(args.list[0]?.text ?? '');
  if (action !== 'network' && !isOwn && !isAddress) return null;
  const { method, url, sent } = requestOf(path, callee.name, args);
  const address = addressOf(url, link?.base ?? '');
  const isHttp = /^https?:\/\//i.test(address);
  const word = makeWord(address, withoutUnknown(address, '…'));
  const host = isHttp ? urlHost(word) : (hostIn(url) ?? link?.host ?? null);
  const marks = sent.reduce((all, value) => all + value.marks, '');
  const { call } = reading;
  call.network({
    host,
    url: isHttp && !hasUnknown(address) ? address : isHttp ? null : plainUrl(url),
    method,
  });
  if (isHttp)
    requests(call, word, { method: method ?? (sent.length > 0 ? 'POST' : 'GET'), body: bodyOf(sent) });
  sendMarks(call, host, marks + (url?.marks ?? ''), true);
  const next = linkFrom(args);
  const own = { host: host ?? next.host, base: next.base || (isHttp ? address : '') };
  return { ...known(call.walk.mark({ kind: 'network', host: own.host })), link: own };
}

const LONGEST_BODY = 8_192;

/** The request body, as JSON or unchanged. */
function bodyOf(sent: readonly Value[]): string {
  const [only] = sent;
  const whole = sent.length === 1 && only !== undefined ? plainOf(only) : sent.map((value) => plainOf(value));
  return (typeof whole === 'string' ? whole : JSON.stringify(whole)).slice(0, LONGEST_BODY);
}

/** Default address of a client. */
function linkFrom(args: Arguments): Link {
  const base = fieldOf(args, 'baseURL', 'base_url', 'prefixUrl')?.text ?? '';
  return { host: base === '' || hasUnknown(base) ? null : hostOf(base), base };
}

const plainUrl = (url: Value | null): string | null =>
  url === null || url.items || hasUnknown(url.text) || url.text === '' ? null : url.text;

function hostIn(url: Value | null): string | null {
  const text = url?.items?.[0]?.text ?? url?.text ?? '';
  return text === '' || hasUnknown(text) ? null : hostOf(text);
}

function addressOf(url: Value | null, base: string): string {
  const text = url?.text ?? '';
  return /^[a-z]+:\/\//i.test(text) || base === ''
    ? text
    : `${base.replace(/\/$/, '')}/${text.replace(/^\//, '')}`;
}

function fieldOf({ list, named }: Arguments, ...names: readonly string[]): Value | undefined {
  for (const name of names) {
    const found = named.get(name) ?? list.find(({ fields }) => fields?.has(name))?.fields?.get(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Asked {
  readonly method: string | null;
  readonly url: Value | null;
  readonly sent: readonly Value[];
}

/** The method, the address and the body, in the conventions of all libraries. */
function requestOf(path: string, name: string, args: Arguments): Asked {
  const parts = path.split(/[./]/);
  const last = name || (parts.at(-1) ?? '');
  const named = [last, ...(last === 'new' ? [parts.at(-2) ?? ''] : [])].find((one) => METHOD.test(one));
  // `connect(port, host)`
  const [first, second] = args.list[0]?.number === undefined ? args.list : args.list.slice(1);
  const isFirst = first !== undefined && /^[A-Z]{3,7}$/.test(first.text) && METHOD.test(first.text);
  const told = fieldOf(args, 'method', 'type')?.text;
  const method = isFirst ? first.text : told !== undefined && METHOD.test(told) ? told : (named ?? null);
  const url = isFirst
    ? second
    : (fieldOf(args, 'url', 'uri') ??
      (first?.fields && !first.text.startsWith('http') ? fieldOf(args, 'hostname', 'host') : first));
  const others = args.list.slice(isFirst ? 2 : 1);
  const rest = [...others, ...(first?.fields ? [first] : [])].flatMap((value) => partsOf(value));
  const sent = [...rest, ...[...args.named].flatMap(([key, value]) => (ABOUT.test(key) ? [] : [value]))];
  return { method: method?.toUpperCase() ?? null, url: url ?? null, sent: sent.filter(({ body }) => !body) };
}

/** What an argument sends: the body among options, or an object without the request settings. */
function partsOf(value: Value): readonly Value[] {
  if (!value.fields) return [value];
  const fields = [...value.fields].filter(([key]) => !ABOUT.test(key));
  const bodies = fields.filter(([key]) => BODY.test(key));
  if (bodies.length > 0) return bodies.map(([, body]) => body);
  return fields.length === 0 ? [] : [objectOf(new Map(fields), false)];
}

const BODY = /^(?:body|data|json|form|content|payload|params|files|multipart|searchParams|qs)$/;

/** Data written to a connection leaves this machine. */
export function talk(reading: Reading, owner: Value | null, { list, named }: Arguments): void {
  if (owner?.link === undefined) return;
  const { marks } = madeFrom(
    ...list.flatMap(partsOf),
    ...[...named].flatMap(([key, value]) => (ABOUT.test(key) ? [] : [value])),
  );
  sendMarks(reading.call, owner.link.host, marks, true);
}
