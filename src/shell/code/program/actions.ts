import { hasUnknown, isUnknown, unknownOf, withoutUnknown } from '../../placeholders.ts';
import { urlHost } from '../../programs/network/http-clients.ts';
import { makeWord } from '../../word.ts';
import { type Argument, apply } from '../apply.ts';
import type { Action } from '../language.ts';
import type { Arguments } from './brackets.ts';
import { type Reading, spend } from './cursor.ts';
import { isPassingPlace } from './passing.ts';
import type { Ref } from './postfix.ts';
import { removalOf } from './removals.ts';
import { known, madeFrom, NOTHING, type Value } from './value.ts';

/** Handles a call that every language has under its own name; returns its result. */
export function act(reading: Reading, action: Action, callee: Ref, path: string, args: Arguments): Value {
  const all = [...args.list, ...args.named.values()];
  const owner =
    callee.owner !== null && callee.owner.path === undefined && !callee.owner.thing ? callee.owner : null;
  if (action === 'eval') return evaluated(reading, all[0] ?? owner);
  if (action === 'dynamic') return dynamic(reading, path, all);
  if (action === 'sql' && callee.owner?.thing && isPassingPlace(callee.owner.thing)) return NOTHING;
  if (action === 'shell' || action === 'argv') announceRun(reading, action, owner, all);
  let result = NOTHING;
  for (const [receiver, given] of variants(owner, all)) {
    const output = apply(reading.call, removalOf(action, path, given), {
      name: path.replace(/^\./, ''),
      receiver: receiver === null || isUnknown(receiver.text) || receiver.text === '' ? null : receiver.text,
      args: given.map(argument),
      inMemory: reading.inMemory,
    });
    if (output !== undefined) result = known(output);
    else if (action === 'read' || action === 'open')
      result = contentOf(reading, receiver ?? given[0] ?? NOTHING);
  }
  return result;
}

const argument = (value: Value): Argument => (value.items ? value.items.map(({ text }) => text) : value.text);

/** A loop visits every candidate of a value. */
function variants(
  owner: Value | null,
  all: readonly Value[],
): readonly (readonly [Value | null, readonly Value[]])[] {
  if (owner?.any) return owner.any.map((one) => [one, all] as const);
  const at = all.findIndex(({ any }) => any);
  const several = at < 0 ? undefined : all[at]?.any;
  if (several === undefined) return [[owner, all]];
  return several.map((one) => [owner, all.with(at, one)] as const);
}

/** Content of a file that the session wrote, if known. */
function contentOf({ call }: Reading, place: Value): Value {
  if (/^(?:https?|ftp):\/\//i.test(place.text)) {
    const host = urlHost(makeWord(place.text, place.text));
    return madeFrom(place, known(call.walk.mark({ kind: 'network', host })));
  }
  const ref = call.path(makeWord(place.text, withoutUnknown(place.text, '…'), /[*?]/.test(place.text)));
  const written = ref.path === null ? undefined : call.walk.store.get(ref.path);
  if (written !== undefined) return known(written.template);
  const marks = ref.path === null ? '' : call.walk.store.contentOf(ref.path).marks;
  return known(marks + call.walk.mark({ kind: 'file', ref }));
}

const MAX_EVALUATED = 4;

/** Text that is run as code: read if it is literal, otherwise judged by its source. */
function evaluated(reading: Reading, value: Value | null): Value {
  if (value === null || value.body) return NOTHING;
  const { call } = reading;
  for (const one of value.any ?? [value]) {
    const isKnown = !hasUnknown(one.text) && !one.items && !one.fields && one.path === undefined;
    if (isKnown) {
      if (one.decoded) call.execute('decoded');
      evaluate(reading, one.text);
    } else {
      originOf(reading, one);
      call.walk.lost(`${call.name} runs code made at run time`);
    }
  }
  return NOTHING;
}

/** Evaluates each text once: running it again has the same effects. */
function evaluate(reading: Reading, text: string): void {
  if (reading.evaluated.has(text)) return;
  reading.evaluated.add(text);
  const isNear = reading.evaluations < MAX_EVALUATED && spend(reading, EVALUATING + text.length);
  if (isNear) reading.scan(text);
  else reading.isCut = true;
}

const EVALUATING = 60;

/** Judges an unknown value by its source. */
function originOf({ call }: Reading, value: Value): void {
  const origins = call.walk.originsOf(value.marks);
  const fetched = origins.find(({ kind }) => kind === 'network');
  if (fetched?.kind === 'network') call.execute('network', null, fetched.host);
  else if (value.decoded) call.execute('decoded');
  else call.execute('unknown');
}

/** A line or a program that comes over the network or was encoded. */
function announceRun(reading: Reading, action: Action, owner: Value | null, all: readonly Value[]): void {
  const { call } = reading;
  const [first = owner ?? NOTHING] = all;
  const program = first.items?.[0] ?? first;
  if (all.slice(0, 2).some(({ decoded }) => decoded)) call.execute('decoded');
  const start = unknownOf(program.text.trimStart().slice(0, 1));
  const lead = hasUnknown(program.text.trimStart().slice(0, 1)) ? start : '';
  const fetched = call.walk.originsOf(lead).find(({ kind }) => kind === 'network');
  if (fetched?.kind === 'network') call.execute('network', null, fetched.host);
  if (action === 'shell' && isUnknown(first.text) && owner === null) reading.runsAnything = true;
}

/** The callee is known only at run time. */
function dynamic(reading: Reading, path: string, all: readonly Value[]): Value {
  const { call } = reading;
  const [first] = all;
  if (
    !/(?:getattr|__import__|send)$/.test(path) &&
    (first?.decoded || (LOADS_CODE.test(path) && first && first.marks !== ''))
  )
    originOf(reading, first ?? NOTHING);
  call.walk.lost(`${call.name} runs code made at run time`);
  return madeFrom(...all);
}

/** Loaders that run what they load. */
const LOADS_CODE = /(?:pickle|marshal|dill)\.loads?$|unsafe_load$/;
