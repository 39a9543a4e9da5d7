import { anyWordFor } from '../../../knowledge/load.ts';
import { once } from '../../../platform/bounded.ts';
import type { Word } from '../../analysis.ts';
import { type Call, literal } from '../../call.ts';
import { firstUnknown, hasUnknown, withoutUnknown } from '../../marks.ts';
import { hostOf } from '../../places/hosts.ts';
import type { CodeTable } from '../../tool.ts';

/** Host of an address; what follows an unknown piece of it is unknown too. */
export function urlHost(word: Word): string | null {
  const [authority = ''] = word.template.replace(/^[a-z][\w+.-]*:\/\//i, '').split(/[/?#]/);
  return hasUnknown(authority) ? null : hostOf(withoutUnknown(word.template));
}

/** Addresses that stand for taking something away, whatever the method. */
const removal = once(() => new RegExp(`[/_.-](?:do)?${anyWordFor('request')}(?:[_/?.]|$)`, 'i'));

/** An address as far as it is known, where it is known whose it is. */
function knownStart({ text, template }: Word): string | null {
  if (text !== null) return text;
  const start = template.slice(0, firstUnknown(template));
  return /^[a-z]+:\/\/[^/]+\//i.test(start) ? start : null;
}

/** What a request takes away at the other end: by its method, or by what its address says. */
export function requests(call: Call, address: Word, method: string | null, sends: boolean): void {
  const path = address.template.replace(/^[a-z]+:\/\/[^/]*/i, '');
  const takes = method?.toUpperCase() === 'DELETE' || (sends && removal().test(path));
  if (takes) call.resource('http', 'delete', true, knownStart(address));
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
    requests(call, url, method, sends || (method !== null && method !== 'GET'));
  }
  for (const word of call.operands) {
    const file = /^[\w-]+(?:=@|@|:=@)(.+)$/s.exec(word.template)?.[1];
    if (file) call.read(literal(file));
  }
};

function lwpRequest(call: Call): undefined {
  const method = call.value('-m')?.text ?? 'GET';
  for (const word of call.operands) {
    const sends = call.command.stdin.from !== 'terminal';
    call.network({ host: urlHost(word), url: word.text, method, sends });
    requests(call, word, method, false);
  }
}

/** Clients whose words are a method, an address and what is sent. */
export const HTTP_CLIENTS: CodeTable = { httpie, 'lwp-request': lwpRequest };
