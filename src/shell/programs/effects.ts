import type {
  Conditions,
  Does,
  EffectEntry,
  Entry,
  Flag,
  OptionTest,
  Target,
} from '../../knowledge/program.ts';
import { begins, isLike, says } from '../../knowledge/wildcard.ts';
import type { SimpleCommand, Word } from '../analysis.ts';
import { type Call, literal } from '../call.ts';
import { isGiven, isOn } from '../options.ts';
import { joinWords } from '../word.ts';
import { codeOf } from './code.ts';

type Words = Pick<SimpleCommand, 'argv' | 'sub' | 'options' | 'operands'>;

/** The entries that match a command, in order. The last one without `also` ends the list. */
export function matching(effects: readonly EffectEntry[], command: Words): readonly EffectEntry[] {
  const found: EffectEntry[] = [];
  for (const effect of effects) {
    if (!holds(effect, command)) continue;
    found.push(effect);
    if (effect.also !== true) break;
  }
  return found;
}

/** Applies the entries of a program. */
export function runEffects(call: Call, { effects = [], system, verbs, facts = {} }: Entry): Settled {
  const found = matching(effects, call.command);
  let printed: string | undefined;
  for (const effect of found) {
    if (effect.run === undefined) apply(call, effect, effect.system ?? system ?? verbs ?? call.name);
    else printed = codeOf(effect.run)(call, facts) ?? printed;
  }
  return { isSettled: found.some((effect) => effect.also !== true), printed };
}

interface Settled {
  /** True if no later entry applies. */
  readonly isSettled: boolean;
  readonly printed: string | undefined;
}

/** True if all conditions of an entry match a command. */
export function holds(effect: Conditions, command: Words): boolean {
  const { on, notOn, args, words } = effect;
  const { sub, options, operands } = command;
  const verb = sub.join(' ');
  if (on && !(verb !== '' && on.some((pattern) => isLike(verb, pattern)))) return false;
  if (notOn?.some((pattern) => isLike(verb, pattern))) return false;
  if (args && !(operands.length >= args[0] && operands.length <= args[1])) return false;
  if (words && !operands.some(({ template }) => words.some((pattern) => isLike(template, pattern))))
    return false;
  return isSet(effect, options) && isSaid(effect, command);
}

function isSaid(effect: Conditions, command: Words): boolean {
  if (effect.begins === undefined && effect.says === undefined) return true;
  const line = lineOf(command);
  return (
    (effect.begins?.some((phrase) => begins(line, phrase)) ?? true) &&
    (effect.says?.some((phrase) => says(line, phrase)) ?? true)
  );
}

/** All words except the program's name. */
const lineOf = ({ argv }: Words): string => joinWords(argv.slice(1));

/** True if all required options are present, and none of the excluded ones. */
function isSet({ with: needed, without, standing }: OptionTest, options: SimpleCommand['options']): boolean {
  const has = (asked: string): boolean => {
    const [name = '', value] = asked.split(/=(.*)/s);
    return options.some(
      (option) =>
        option.name === name &&
        (value === undefined ? isGiven(option) : option.general !== true && option.value?.text === value),
    );
  };
  const stands = (name: string): boolean => isOn(options, name);
  return (needed?.some(has) ?? true) && (standing?.some(stands) ?? true) && !without?.some(has);
}

/** A matching entry with everything its effect may need. */
interface Doing {
  readonly call: Call;
  readonly effect: EffectEntry;
  readonly aims: readonly Word[];
  readonly system: string;
  readonly action: string;
  /** The target as one text. */
  readonly target: string | null;
  /** True if a flag of the entry is set. */
  readonly is: (flag: Flag | undefined) => boolean;
}

const DO: Readonly<Record<Does, (doing: Doing) => void>> = {
  read: ({ call, aims }) => each(aims, (word) => call.read(word)),
  use: ({ call, aims }) => each(aims, (word) => call.consume(word)),
  write: ({ call, aims, effect, is }) =>
    each(aims, (word) => call.write(word, { append: is(effect.append), below: is(effect.below) })),
  delete: ({ call, aims, effect, is }) =>
    each(aims, (word) => call.remove(word, is(effect.tree), is(effect.force))),
  move: ({ call, aims }) => each(aims, (word) => call.moveAway(word)),
  connect: ({ call, effect, is }) => call.network({ sends: is(effect.sends) }),
  listen: ({ call }) => call.network({ direction: 'in' }),
  destroy: ({ call, system, action, target }) => call.resource(system, action, true, target),
  change: ({ call, system, action, target }) => call.resource(system, action, false, target),
  package: ({ call, system, action, aims, effect, is }) =>
    call.packages(system, action, aims, is(effect.global)),
  machine: ({ call, action, target }) => call.system(action, target),
  service: ({ call, action, target }) => call.system(`service ${action}`, target),
  execute: ({ call }) => call.execute('unknown'),
  nothing: () => undefined,
};

function apply(call: Call, effect: EffectEntry, system: string): void {
  const aims = aimsOf(call, effect);
  DO[effect.does ?? 'nothing']({
    call,
    effect,
    aims,
    system,
    action: effect.action ?? call.command.sub.join(' '),
    target: targetOf(call, effect, aims),
    is: (flag) => flag !== undefined && (flag === true || isSet(flag, call.command.options)),
  });
}

/** The target as one text. A line keeps its unknown parts. */
function targetOf(call: Call, { to = [] }: EffectEntry, aims: readonly Word[]): string | null {
  if (to.some((target) => 'line' in target)) return lineOf(call.command) || null;
  return to.some(isList)
    ? aims.map(({ text }) => text ?? '?').join(' ') || null
    : (aims.at(-1)?.text ?? null);
}

/** `operands`: all of them, known or not. */
const isList = (target: Target): boolean =>
  'operands' in target && target.operands[0] >= 0 && target.operands[1] - target.operands[0] > 1;

function each(words: readonly Word[], body: (word: Word) => void): void {
  for (const word of words) body(word);
}

function aimsOf(call: Call, { to = [], except = [] }: EffectEntry): readonly Word[] {
  const aims = to.flatMap((target): readonly Word[] => {
    if ('value' in target) return call.values(target.value);
    if ('operands' in target) return call.operands.slice(...target.operands);
    return 'text' in target ? [literal(target.text)] : [];
  });
  return except.length === 0
    ? aims
    : aims.filter(({ template }) => !except.some((pattern) => isLike(template, pattern)));
}
