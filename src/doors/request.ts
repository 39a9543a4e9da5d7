import { countsAs } from '../knowledge/load.ts';
import { isObject } from '../model/json.ts';
import { deedOf } from './deed.ts';
import { mutationsIn } from './graph.ts';
import { allWords, type How, type Phrase } from './phrase.ts';
import { type Sent, sentIn } from './request-body.ts';
import { changesByMethod, readingsOfPath } from './request-path.ts';
import { removesRows } from './statement.ts';
import { isTestHost, isTestName } from './test-names.ts';
import { singular, textsIn, wordsOf } from './text-words.ts';
import { type Visit, visitOf } from './visit.ts';
import { stopsAll } from './zero.ts';

/** A request of any client, as far as it is known. */
export interface Request {
  readonly method: string;
  readonly url: string;
  /** What is sent with it. */
  readonly body: string;
  /** The operation that a header names: `DynamoDB_20120810.DeleteTable`. */
  readonly target?: string | undefined;
  /** Method from a header that overrides the request's method. */
  readonly override?: string | undefined;
  /** Credentials of the request. */
  readonly login?: string | undefined;
}

const LONGEST_BODY = 1024 * 1024;
const LONGEST_NAME = 80;
/** More at once than anyone writes down. */
const MOST_OPERATIONS = 200;

/** The effect of a request on the server; null if nothing shared changes, as far as its words tell. */
export function requestDeed(request: Request): { readonly how: How; readonly verb: string } | null {
  const { url, login = '' } = request;
  const host = hostIn(url);
  if (host === null || isTriedOut(host, login)) return null;
  const sent = sentIn(request.body.slice(0, LONGEST_BODY));
  const visit = visitOf(url, request.login);
  const phrases = phrasesIn(request, host, sent, visit);
  if (phrases.length > MOST_OPERATIONS) return { how: 'destructive', verb: 'change' };
  for (const phrase of phrases) {
    const how = stopsAll(allWords(phrase).join('_'), sent.input) ? 'destructive' : deedOf(phrase);
    const isReal = how === 'destructive' || !(isTestHost(host) || isTestName(login));
    if (how !== null && how !== 'secret' && isReal) return { how, verb: phrase.readings[0]?.[0] ?? '' };
  }
  return hasStatement(sent, visit) ? { how: 'destructive', verb: 'delete' } : null;
}

/** Nothing is kept there, or only what was put there to be tried out. */
function isTriedOut(host: string, login: string): boolean {
  return countsAs('echo-host', host.toLowerCase()) || /^[rs]k_test_/.test(login);
}

/** The same of a request, whatever it asks for. */
export function asksForTrial({ url, login = '' }: Pick<Request, 'url' | 'login'>): boolean {
  return isTriedOut(hostIn(url) ?? '', login);
}

function phrasesIn(request: Request, place: string, { input, parts }: Sent, visit: Visit): readonly Phrase[] {
  const texts = textsIn(input);
  const said = (readings: Phrase['readings']) => ({ place, readings, verbs: readings, input, texts });
  const methods = [
    request.method,
    request.override,
    visit.method,
    ...parts.map(({ _method }) => _method),
  ].flatMap((one) => (typeof one === 'string' ? [one.toUpperCase()] : []));
  const isMeant = (method: string) => (method === 'GET' ? visit.isMeant : changesByMethod(method));
  const paths = [...new Set(methods)]
    .filter(isMeant)
    .map((method) => readingsOfPath(method, request.url, input))
    // A name that is looked at may have a verb in it: `GET /trash`.
    .filter((readings, at) => at > 0 || request.method.toUpperCase() !== 'GET' || removesSurely(readings));
  const inside = parts.flatMap((part) => {
    const { method, url = part.path } = part;
    if (part === input || typeof method !== 'string' || typeof url !== 'string') return [];
    return changesByMethod(method.toUpperCase()) ? [readingsOfPath(method.toUpperCase(), url, part)] : [];
  });
  const operations = [
    request.target,
    ...visit.operations,
    ...parts.flatMap(proceduresIn),
    ...[...texts.map(({ text }) => text), ...visit.queries].flatMap(mutationsIn),
  ].flatMap((one) => (typeof one === 'string' ? [namedReading(one)] : []));
  return [...operations.map((words) => [words]), ...paths, ...inside].map(said);
}

/** What a part names by its name, and what it calls through another. */
function proceduresIn(part: Sent['input']): readonly unknown[] {
  const { Action, jsonrpc, method, params } = part;
  if (jsonrpc === undefined) return [Action];
  return [Action, method, method === 'tools/call' && isObject(params) ? params.name : undefined];
}

function hasStatement({ input, parts }: Sent, { queries }: Visit): boolean {
  const texts = [input, ...parts].flatMap((part) => [
    part[''],
    part.sql,
    part.statement,
    part.stmt,
    part.query,
  ]);
  return [...texts, ...queries].some((text) => typeof text === 'string' && removesRows(text));
}

function removesSurely(readings: Phrase['readings']): boolean {
  return readings.some(([verb = '']) => countsAs('request', verb));
}

/** Empty if unknown. */
function hostIn(url: string): string | null {
  const [authority = ''] = url.replace(/^[a-z][\w+.-]*:\/\//i, '').split(/[/?#\\]/, 1);
  if (/[\ue000-\uf8ff]/.test(authority)) return '';
  return /^(?:[a-z][\w+.-]*:\/\/)?(?:[^@/?#\\]*@)?(\[[\da-f:.]+\]|[\w.-]+)/i.exec(url)?.[1] ?? null;
}

/** `TerminateInstances`, `deleteRepository`, `admin.dropDatabase`. */
function namedReading(name: string): readonly string[] {
  const own = name.slice(0, LONGEST_NAME).replace(/\.v?\d+$/, '');
  return wordsOf(own.slice(own.lastIndexOf('.') + 1)).map(singular);
}
