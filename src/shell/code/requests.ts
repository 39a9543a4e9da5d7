import type { Call } from '../call.ts';
import { hasUnknown, withoutUnknown } from '../marks.ts';
import { hostOf } from '../places/hosts.ts';
import type { Action } from './language.ts';
import type { Argument } from './literals.ts';
import { argumentsIn } from './removals.ts';

const MAX_ARGUMENTS = 600;
const METHOD = /\b(?:method|type)['"]?\s*(?:[:=]|=>)\s*['"]DELETE['"]/i;

/** A request by which a program has something taken away: `requests.delete(url)`, `fetch(url, { method: 'DELETE' })`. */
export function takesAway(
  call: Call,
  action: Action,
  name: string,
  args: readonly Argument[],
  text: string,
): void {
  if (action !== 'network' && action !== 'read') return;
  const first = typeof args[0] === 'string' ? args[0] : '';
  const isNamed = /(?:^|\.)[Dd]elete$/.test(name) && action === 'network';
  const isFirst = /^DELETE$/i.test(first);
  if (!isNamed && !isFirst && !METHOD.test(argumentsIn(text.slice(0, MAX_ARGUMENTS)) ?? '')) return;
  const second = typeof args[1] === 'string' ? args[1] : '';
  const url = isFirst ? second : first;
  const isKnown = /^https?:\/\//i.test(url) && !hasUnknown(url.split(/[/?#]/, 3).join('/'));
  if (!isKnown) return;
  if (isFirst)
    call.network({ host: hostOf(withoutUnknown(url)), url: hasUnknown(url) ? null : url, method: 'DELETE' });
  call.resource('http', 'delete', true, withoutUnknown(url));
}
