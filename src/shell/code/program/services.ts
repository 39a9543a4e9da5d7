import { countsAs, entryFor } from '../../../knowledge/load.ts';
import { UNKNOWN, type Word } from '../../analysis.ts';
import { isHere } from '../../disposable/addresses.ts';
import { hostIn } from '../../disposable/environments.ts';
import { hasUnknown, withoutUnknown } from '../../placeholders.ts';
import { makeWord } from '../../word.ts';
import type { Arguments } from './brackets.ts';
import type { Reading } from './cursor.ts';
import { isPassingPlace } from './passing.ts';
import { isCommand, type Operation, Thing, wordsIn } from './thing.ts';
import type { Value } from './value.ts';

/** What a chain of calls deletes in a service. */
export function judge(reading: Reading, thing: Thing): void {
  const { removal, service, names } = thing;
  if (removal === null || isPassingPlace(thing) || isEmulated(reading, thing)) return;
  const nouns = removal.words.filter((word) => !isVerb(word));
  const object = nouns.length > 0 ? nouns : names.slice(0, -1).flatMap(wordsIn);
  const isBig = nouns.some((word) => isNoun('noun-big', word));
  if (!isBig && isNoun('noun-small', object.at(-1) ?? '')) return;
  if (service.rows && thing.isLimited && !isBig && !DROPS_ALL.test(removal.name)) return;
  const isVolume = service.system === 'container' && object.some((word) => /^volumes?$/.test(word));
  reading.call.resource(
    isVolume ? 'volume' : service.system,
    removal.words.join(''),
    true,
    names.join(' ') || null,
  );
}

const EMULATOR = /_EMULATOR_HOST$/;

/** A variable says that what stands in for the service is on this machine. */
function isEmulated({ call }: Reading, { service: { program } }: Thing): boolean {
  const isSet = call.walk.effects.some(
    (effect) => effect.kind === 'env' && effect.op === 'set' && EMULATOR.test(effect.name),
  );
  if (isSet) return true;
  const { variables } = entryFor(program?.name ?? '')?.place ?? {};
  const given = call.command.assignments.filter(({ name }) => variables?.host?.includes(name));
  return given.length > 0 && given.every(({ value }) => value !== null && isHere(hostIn(value)));
}

/** The arguments say where, not which. */
const DROPS_ALL = /^drop_?(?:all|tables)$/i;

const isVerb = (word: string): boolean => countsAs('method', word) || countsAs('method-big', word);
const isNoun = (use: 'noun-big' | 'noun-small', word: string): boolean =>
  countsAs(use, word) || countsAs(use, word.replace(/s$/, ''));

/** A method named like a subcommand of a program has the same effects; so does a command that is sent. */
export function operate(reading: Reading, thing: Thing, { list }: Arguments): Thing {
  const sent = list.find((value) => value.thing?.operation)?.thing?.operation;
  const operation = sent ?? (isCommand(thing.names.at(-1) ?? '') ? null : thing.operation);
  const { program } = thing.service;
  if (operation === null || program === undefined) return thing;
  const [verb = '', ...nouns] = operation.name.split('-');
  // What is looked at may be a secret.
  if (countsAs('look', verb) && !nouns.some((noun) => countsAs('noun-key', noun))) return thing;
  const at = thing.places.find((place) => /^https?:/.test(place));
  const words = [...wordsOf(operation), ...(at === undefined ? [] : ['--endpoint-url', at])];
  reading.call.runArgv([program.name, ...words].map(word), { guessed: true, via: reading.call.name });
  return new Thing(thing.service, { ...thing, removal: null, operation: null });
}

const MAX_FIELDS = 40;

function wordsOf({ group, name, fields }: Operation): readonly string[] {
  const options = [...fields].slice(0, MAX_FIELDS).flatMap(([key, value]) => optionOf(key, value));
  return [group, name, ...options];
}

function optionOf(key: string, value: Value): readonly string[] {
  const option = `--${wordsIn(key).join('-')}`;
  if (/^(?:True|true)$/.test(value.path ?? '')) return [option];
  if (/^(?:False|false)$/.test(value.path ?? '')) return [`--no-${option.slice(2)}`];
  return [option, value.items || value.fields ? UNKNOWN : value.text];
}

const word = (text: string): Word => makeWord(text, hasUnknown(text) ? withoutUnknown(text, '…') : text);
