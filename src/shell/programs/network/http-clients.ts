import { asksForTrial, requestDeed } from '../../../doors/request.ts';
import { parseJson } from '../../../model/json.ts';
import type { Word } from '../../analysis.ts';
import { type Call, literal } from '../../call.ts';
import { isHere } from '../../disposable/addresses.ts';
import { firstUnknown, hasUnknown, withoutUnknown } from '../../placeholders.ts';
import { hostOf } from '../../places/hosts.ts';
import type { CodeTable } from '../../tool.ts';

/** Host of an address. After an unknown piece the rest is unknown too. */
export function urlHost(word: Word): string | null {
  const [authority = ''] = word.template.replace(/^[a-z][\w+.-]*:\/\//i, '').split(/[/?#]/);
  return hasUnknown(authority) ? null : hostOf(withoutUnknown(word.template));
}

/** The known start of an address, if it includes the host. */
function knownStart({ text, template }: Word): string | null {
  if (text !== null) return text;
  const start = template.slice(0, firstUnknown(template));
  return /^[a-z]+:\/\/[^/]+\//i.test(start) ? start : null;
}

/** What a client sends in addition to the address. */
export interface Sent {
  /** GET, or POST if there is data and no explicit method. */
  readonly method: string;
  readonly body?: string;
  /** Value of the header that names the operation. */
  readonly target?: string | undefined;
  /** Method from a header that overrides the request's method. */
  readonly override?: string | undefined;
  /** Credentials of the request. */
  readonly login?: string | undefined;
  /** The service, for a program of one service. */
  readonly system?: string;
}

/** Effects of a request on the server, by its method, address and data. */
export function requests(call: Call, address: Word, { system = 'http', ...sent }: Sent): void {
  const known = knownStart(address);
  const deed = requestDeed({ body: '', ...sent, url: address.template });
  if (deed === null && sent.method.toUpperCase() !== 'DELETE') return;
  if (asksForTrial({ url: address.template, login: sent.login })) return;
  const { how, verb } = deed ?? { how: 'destructive', verb: 'delete' };
  if (how === 'destructive') call.resource(system, 'delete', true, known);
  else if (!isOnThisMachine(call, address)) call.resource('http', verb, how, known);
}

/** Checks where its connections go, not only its name. */
function isOnThisMachine(call: Call, address: Word): boolean {
  const host = urlHost(address);
  const leaves = call.walk.effects.some(
    (one) => one.kind === 'network' && one.command === call.index && one.host !== null && !isHere(one.host),
  );
  return host !== null && isHere(host) && !leaves;
}

const METHOD = /^(?:get|post|put|patch|delete|head|options|[A-Z]{3,})$/i;

const httpie = (call: Call): undefined => {
  const [first, second] = call.operands;
  const named = METHOD.test(first?.text ?? '') && second !== undefined;
  const given = named ? second : first;
  // `:3000/x` is this machine.
  const url = given?.template.startsWith(':') ? literal(`localhost${given.template}`) : given;
  const sends = call.operands.slice(named ? 2 : 1).some(({ template }) => !/^[\w-]+:(?!=)/.test(template));
  const method = named ? (first?.text?.toUpperCase() ?? null) : null;
  if (url) {
    call.network({ host: urlHost(url), url: url.text, method, sends });
    const raw = call.value('--raw')?.template ?? '';
    const body = [fieldsIn(call.operands.slice(named ? 2 : 1)), raw, call.command.stdin.template]
      .filter((text) => text !== '')
      .join('&');
    requests(call, url, { method: method ?? (body === '' ? 'GET' : 'POST'), body });
  }
  for (const word of call.operands) {
    const file = /^[\w-]+(?:=@|@|:=@)(.+)$/s.exec(word.template)?.[1];
    if (file) call.read(literal(file));
  }
};

const FIELD = /^([\w-]+)(:=|=)(?!=)([\s\S]*)$/;

/** `name=x` and `size:=3` as sent; `name==x` belongs to the address, and `name:x` is a header. */
function fieldsIn(words: readonly Word[]): string {
  const fields = words.flatMap(({ template }) => {
    const [, name = '', sign, value = ''] = FIELD.exec(template) ?? [];
    return sign === undefined ? [] : [{ name, isJson: sign === ':=', value }];
  });
  if (!fields.some(({ isJson, value }) => isJson && /^\s*[{[]/.test(value)))
    return fields.map(({ name, value }) => `${name}=${value}`).join('&');
  const all = fields.map(({ name, isJson, value }) => [name, isJson ? (parseJson(value) ?? value) : value]);
  return JSON.stringify(Object.fromEntries(all));
}

function lwpRequest(call: Call): undefined {
  const method = call.value('-m')?.text ?? 'GET';
  for (const word of call.operands) {
    const sends = call.command.stdin.from !== 'terminal';
    call.network({ host: urlHost(word), url: word.text, method, sends });
    requests(call, word, { method });
  }
}

/** Clients whose words are a method, an address and data. */
export const HTTP_CLIENTS: CodeTable = { httpie, 'lwp-request': lwpRequest };
