import { filesOf } from '../../knowledge/load.ts';
import { once } from '../../platform/bounded.ts';
import type { Analysis, EffectOf } from '../../shell/analysis.ts';

const NAMES: Readonly<Record<string, string>> = {
  '<commit>': '[\\da-f]{40}',
  '<version>': 'v?\\d+(?:\\.\\d+){1,3}',
  '**': '[\\w./+-]+',
  '*': '[\\w.+-]+',
};

/** Addresses of scripts that vendors tell people to run, and of what keeps its content under its name. */
const installers = once(() =>
  Object.values(filesOf('installers'))
    .flat()
    .map(
      (one) => new RegExp(`^${one.replace(/<\w+>|\*{1,2}|[.+?]/g, (part) => NAMES[part] ?? `\\${part}`)}$`),
    ),
);

/** Longer than any of these addresses. */
const LONGEST = 500;

/** As a client asks for it: without steps up, and nothing behind the path that a server could answer to. */
function isInstaller(address: string): boolean {
  if (address.length > LONGEST || !URL.canParse(address)) return false;
  const { href } = new URL(address);
  return installers().some((pattern) => pattern.test(href));
}

/** By which another machine may answer, or one that cannot say who it is. */
const REROUTES =
  /^-[kKx]$|insecure|no-check|certificate|resolve|connect-to|proxy|socks|unix-socket|^--(?:config|cacert|capath|doh-url)$|^(?:CURL|SSL|WGET|LD)_|HOME$/i;

/**
 * Whether all code from the network that a line runs is what it fetches from a vendor's installer, and it fetches nothing
 * else: then it is for a person to say whether that is wanted.
 */
export function runsInstallers({ effects, commands }: Analysis): boolean {
  if (commands.some(({ options }) => options.some(({ name }) => REROUTES.test(name)))) return false;
  if (effects.some((effect) => effect.kind === 'env' && effect.op === 'set' && REROUTES.test(effect.name)))
    return false;
  const fetched = effects.filter((effect): effect is EffectOf<'network'> => effect.kind === 'network');
  if (!fetched.every(({ url, sends }) => url !== null && !sends && isInstaller(url))) return false;
  const hosts = new Set(fetched.map(({ host }) => host));
  return effects.every(
    (effect) =>
      effect.kind !== 'execute' ||
      effect.from !== 'network' ||
      (hosts.has(effect.host) && (effect.path === null || writes(effects, effect.path))),
  );
}

/** Left by an earlier line, it may be anything. */
function writes(effects: Analysis['effects'], path: string): boolean {
  return effects.some((effect) => effect.kind === 'write' && effect.path === path);
}
