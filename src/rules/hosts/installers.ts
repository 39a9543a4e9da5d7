import { filesOf } from '../../knowledge/load.ts';
import { once } from '../../platform/bounded.ts';
import type { Analysis, EffectOf } from '../../shell/analysis.ts';

const NAMES: Readonly<Record<string, string>> = {
  '<commit>': '[\\da-f]{40}',
  '<version>': 'v?\\d+(?:\\.\\d+){1,3}',
  '**': '[\\w./+-]+',
  '*': '[\\w.+-]+',
};

/** Addresses of install scripts that vendors recommend, and of content-addressed files. */
const installers = once(() =>
  Object.values(filesOf('installers'))
    .flat()
    .map(
      (one) => new RegExp(`^${one.replace(/<\w+>|\*{1,2}|[.+?]/g, (part) => NAMES[part] ?? `\\${part}`)}$`),
    ),
);

/** Longer than any of these addresses. */
const LONGEST = 500;

/** The address as a client requests it: without `..`, and without anything after the path that the server could use. */
function isInstaller(address: string): boolean {
  if (address.length > LONGEST || !URL.canParse(address)) return false;
  const { href } = new URL(address);
  return installers().some((pattern) => pattern.test(href));
}

/** Options that make another machine answer, or skip its authentication. */
const REROUTES =
  /^-[kKx]$|insecure|no-check|certificate|resolve|connect-to|proxy|socks|unix-socket|^--(?:config|cacert|capath|doh-url)$|^(?:CURL|SSL|WGET|LD)_|HOME$/i;

/**
 * True if all network code that a line runs comes from a vendor's installer, and it downloads nothing else. Then a
 * person decides whether to run it.
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

/** An earlier line may have left any content. */
function writes(effects: Analysis['effects'], path: string): boolean {
  return effects.some((effect) => effect.kind === 'write' && effect.path === path);
}
