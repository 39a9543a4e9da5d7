import { anyWordFor, countsAs, wordsFor } from '../../knowledge/load.ts';
import { once } from '../../platform/bounded.ts';
import type { Call } from '../call.ts';
import { isOff } from '../options.ts';

/** A word with which a service's tool takes something away, alone or as `delete-bucket`, `bucket_delete`. */
const destructive = once(
  () => new RegExp(`^${anyWordFor('subcommand')}(?:[-_:.].*)?$|[-_:.]${anyWordFor('last-part')}$`),
);
export const isDestructive = (word: string): boolean => destructive().test(word);

const CHANGING =
  /^(?:apply|create|update|put|patch|replace|edit|set|import|deploy|scale|restart|stop|move|sync|install|upgrade|rollout|taint|untaint|label|annotate|attach|modify|restore|promote|publish|enable|rotate|exec|run|cp)(?:[-_].*)?$/;

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
      words.find(isDestructive) ?? words.find((word) => CHANGING.test(word)) ?? call.command.sub[0] ?? '';
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
    if (!offline) call.network({ url: null });
    return undefined;
  };
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
  if (verb !== undefined) call.resource('undescribed', verb.toLowerCase(), true, words.join(' '));
}
