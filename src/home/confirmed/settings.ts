import { isObject } from '../../model/json.ts';
import { allowingPacks } from '../../rules/pack.ts';
import { DEFAULT_PACKS } from '../../rules/rule-set.ts';
import { type Config, parseConfig } from '../config.ts';

/** How a setting protects less than before, one line per way; empty if it doesn't. */
type Compare<T> = (before: T, after: T) => readonly string[];

/** Protects nothing. */
const FREE: Compare<unknown> = () => [];

/** Every setting, with the changes that weaken it. A new setting without an entry here doesn't compile. */
const SETTINGS: { readonly [K in keyof Config]: Compare<Config[K]> } = {
  failure: ranked('failure', ['open', 'closed']),
  durability: ranked('durability', ['process', 'power']),
  http: (before, after) =>
    switchedOn('http.hooksWithoutToken', before.hooksWithoutToken, after.hooksWithoutToken),
  // Also while it is switched off, because switching it on later wouldn't show them.
  phone: (before, after) => [
    ...replaced('phone.address', before.address, after.address),
    ...replaced('phone.name', before.name, after.name),
    ...replaced('phone.cert', before.cert, after.cert),
    ...replaced('phone.key', before.key, after.key),
  ],
  approvals: (before, after) => [
    ...ranked('approvals.hold', ['never', 'surface', 'always'])(before.hold, after.hold),
    ...smaller('approvals.waitSeconds', before.waitSeconds, after.waitSeconds),
    ...ranked('approvals.onExpiry', ['none', 'deny'])(before.onExpiry, after.onExpiry),
  ],
  // Where approvals can be answered, and where the text of calls is sent.
  notify: (before, after) => [
    ...replaced('notify.ntfy', before.ntfy, after.ntfy),
    ...replaced('notify.telegram', before.telegram, after.telegram),
    ...replaced('notify.slack', before.slack, after.slack),
    ...replaced('notify.webhook', before.webhook, after.webhook),
    ...replaced('notify.link', before.link, after.link),
  ],
  packs: weakenedPacks,
  disabledRules: (before, after) => added('disabledRules', before, after),
  develop: (before, after) => replaced('develop', before, after),
  access: (before, after) => added('access.terminals', before.terminals, after.terminals),
  retention: (before, after) => [
    ...smaller('retention.days', before.days ?? Infinity, after.days ?? Infinity),
    ...smaller('retention.megabytes', before.megabytes ?? Infinity, after.megabytes ?? Infinity),
  ],
  memory: FREE,
  former: FREE,
};

const KEYS = Object.keys(SETTINGS).filter(isSetting);

/** How settings protect less than before, as in `packs.secrets: on → off`. */
export function weakenedSettings(before: Config, after: Config): readonly string[] {
  return KEYS.flatMap((key) => compare(key, before, after));
}

/** The settings, but none weaker than the default: within a group, values that aren't weaker stay. */
export function noWeakerThanDefault(config: Config): Config {
  const defaults = parseConfig('', '');
  const stricter = { ...config };
  for (const key of KEYS) strengthen(key, defaults[key], stricter);
  return stricter;
}

function strengthen<K extends keyof Config>(
  key: K,
  base: Config[K],
  settings: { -readonly [P in K]: Config[P] },
): void {
  const wanted = settings[key];
  const isWeaker = (value: Config[K]) => SETTINGS[key](base, value).length > 0;
  if (!isWeaker(wanted)) return;
  const kept = Object.entries(isObject(wanted) ? wanted : {}).filter(
    ([name, value]) => !isWeaker(Object.assign({}, base, { [name]: value })),
  );
  settings[key] = isObject(base) ? Object.assign({}, base, Object.fromEntries(kept)) : base;
}

function compare<K extends keyof Config>(key: K, before: Config, after: Config): readonly string[] {
  return SETTINGS[key](before[key], after[key]);
}

function isSetting(key: string): key is keyof Config {
  return Object.hasOwn(SETTINGS, key);
}

/** Later values protect more. */
function ranked<T extends string>(name: string, order: readonly T[]): Compare<T> {
  return (before, after) =>
    order.indexOf(after) < order.indexOf(before) ? [`${name}: ${before} → ${after}`] : [];
}

function switchedOn(name: string, before: boolean, after: boolean): readonly string[] {
  return after && !before ? [`${name}: false → true`] : [];
}

function smaller(name: string, before: number, after: number): readonly string[] {
  return after < before ? [`${name}: ${before === Infinity ? 'all' : before} → ${after}`] : [];
}

/** Doesn't show the values, because addresses may contain secrets. */
function replaced(name: string, before: unknown, after: unknown): readonly string[] {
  const isSame = JSON.stringify(before) === JSON.stringify(after);
  return after === null || isSame ? [] : [`${name}: ${before === null ? 'set' : 'changed'}`];
}

function added(name: string, before: readonly string[], after: readonly string[]): readonly string[] {
  return after.filter((one) => !before.includes(one)).map((one) => `${name}: ${one} added`);
}

/** Packs that allow calls weaken when switched on, the others when switched off. */
function weakenedPacks(before: Config['packs'], after: Config['packs']): readonly string[] {
  const [was, is] = [before, after].map((packs) => ({ ...DEFAULT_PACKS, ...packs }));
  const allowing = allowingPacks();
  return Object.keys({ ...was, ...is }).flatMap((name) => {
    const order = ['off', 'observe', 'on'] as const;
    const compared = ranked(`packs.${name}`, allowing.includes(name) ? order.toReversed() : order);
    return compared(was?.[name] ?? 'off', is?.[name] ?? 'off');
  });
}
