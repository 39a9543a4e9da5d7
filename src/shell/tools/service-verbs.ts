import { anyWordFor, countsAs, wordsFor } from '../../knowledge/load.ts';
import { once } from '../../platform/bounded.ts';
import type { Call } from '../call.ts';
import { DEPLOYMENT } from '../deployment.ts';
import { isOff } from '../options.ts';

/** A word with which a service's tool takes something away, alone or as `delete-bucket`, `bucket_delete`. */
const destructive = once(
  () => new RegExp(`^${anyWordFor('subcommand')}(?:[-_:.].*)?$|[-_:.]${anyWordFor('last-part')}$`),
);
export const isDestructive = (word: string): boolean => destructive().test(word);

const altering = once(() => new RegExp(`^${anyWordFor('alters')}(?:[-_].*)?$`));

/** As interfaces for programs spell it: `DeleteInstance`. */
const operation = once(() => {
  const verbs = wordsFor('operation').map((verb) => `${verb.charAt(0).toUpperCase()}${verb.slice(1)}`);
  return new RegExp(`^(?:${verbs.join('|')})[A-Z]\\w+$`);
});

/** `--delete`, `--remove`, `--purge`: the same said with an option. */
const destructiveOption = once(() => new RegExp(`^-{1,2}${anyWordFor('option')}(?:-.*)?$`));

const looking = once(() => new RegExp(`^${anyWordFor('look-only')}(?:[-_:].*)?$`));

/**
 * The words up to the verb, and no names: what follows a verb that only looks is one (`jobs describe cleanup`), and so are
 * several words in one behind another verb of a group (`functions deploy delete-users`).
 */
function upToVerb(words: readonly string[]): readonly string[] {
  const at = words.findIndex(
    (word, index) =>
      looking().test(word) ||
      (index > 0 && countsAs('names-next', word) && /[-_:.]/.test(words[index + 1] ?? '')),
  );
  return at < 0 ? words : words.slice(0, at + 1);
}

/** Says what a service's own command line does, from its words. */
export function service(system: string, offline = false): (call: Call) => undefined {
  return (call) => {
    const words = upToVerb([
      ...call.command.sub,
      ...call.operands.slice(0, 2).map((word) => word.text ?? ''),
    ]);
    const verb =
      words.find(isDestructive) ?? words.find((word) => altering().test(word)) ?? call.command.sub[0] ?? '';
    const option =
      call.command.options.some((one) => destructiveOption().test(one.name) && !isOff(one)) ||
      call.command.argv.slice(1, 4).some(({ template }) => operation().test(template));
    const rest = call.operands.map((word) => word.text ?? '?').join(' ');
    call.resource(
      system,
      verb,
      !call.command.inert && (isDestructive(verb) || option),
      [...call.command.sub, rest].join(' ').trim() || null,
    );
    if (deploys(words)) call.resource(DEPLOYMENT, verb, false, call.command.sub.join(' ') || null);
    if (!offline) call.network({ url: null });
    return undefined;
  };
}

/** `run deploy` is one, and none of `deploy releases list`, `patch deploy x` and `deploy delete-application`. */
function deploys(words: readonly string[]): boolean {
  const at = words.findIndex((word) => countsAs('deploys', word) || word === 'create-deployment');
  if (at < 0 || words.some(isDestructive)) return false;
  const looks = words.some((word) => countsAs('look', /^[a-z]+/.exec(word)?.[0] ?? ''));
  return (
    !looks &&
    !words.slice(0, at).some((word) => word !== 'run' && !countsAs('deploys', word) && altering().test(word))
  );
}

/** Verbs that are unambiguous in any program. */
const final = once(
  () =>
    new RegExp(`^${anyWordFor('undescribed')}(?:[-_:.].*)?$|[-_:.]${anyWordFor('undescribed-last-part')}$`),
);

/** An undescribed command line of the form `tool noun… verb name`: it removes what it says it does. */
export function undescribed(call: Call): void {
  const words = call.operands.slice(0, 3).map(({ template }) => template);
  const verb = upToVerb(words).find((word) => final().test(word) || operation().test(word));
  if (countsAs('deploys', words[0] ?? '')) call.resource(DEPLOYMENT, 'deploy', false, words.join(' '));
  if (verb !== undefined) call.resource('undescribed', verb.toLowerCase(), true, words.join(' '));
}
