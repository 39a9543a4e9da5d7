import { countsAs } from '../../knowledge/load.ts';
import type { Facts } from '../facts.ts';
import { isPrivateAddress, isThisMachine } from '../hosts/nearby.ts';

/** Temporary hosts that anyone can get in a minute: tunnels, request bins, file drops. */
const TEMPORARY_HOST = new RegExp(
  '(?:^|\\.)(?:' +
    [
      'ngrok(?:-free)?\\.(?:io|app|dev)|trycloudflare\\.com|loca\\.lt|localhost\\.run|serveo\\.net|pagekite\\.me|telebit\\.io|bore\\.pub',
      'webhook\\.site|requestbin\\.\\w+|requestcatcher\\.com|requestrepo\\.com|pipedream\\.net|beeceptor\\.com|hookbin\\.com|postb\\.in',
      'oast\\.\\w+|oastify\\.com|burpcollaborator\\.net|interact\\.sh|interactsh\\.com|dnslog\\.cn|ceye\\.io|canarytokens\\.com',
      'transfer\\.sh|file\\.io|0x0\\.st|termbin\\.com|paste\\.rs|pastebin\\.com|ix\\.io|dpaste\\.\\w+|bashupload\\.com|temp\\.sh|catbox\\.moe|gofile\\.io|anonfiles\\.com|sprunge\\.us|hastebin\\.com|rentry\\.co|controlc\\.com|paste\\.ee',
      'gist\\.githubusercontent\\.com|duckdns\\.org|ddns\\.net|no-ip\\.\\w+|hopto\\.org|zapto\\.org|sytes\\.net|dyndns\\.org|nip\\.io|sslip\\.io|[\\w-]+\\.onion|[\\w-]+\\.(?:tk|ml|ga|cf|gq|top|zip|mov|cam|icu|bid)',
    ].join('|') +
    ')$',
  'i',
);
const ADDRESS = /^(?:\d+(?:\.\d+){3}|\[[0-9a-f:.]+\]|0x[0-9a-f]+|\d+)$/i;

/** Well-known installers whose documentation says to pipe them into a shell. */
const INSTALLERS =
  /^https:\/\/(?:sh\.rustup\.rs|get\.docker\.com|(?:deb|rpm)\.nodesource\.com|install\.python-poetry\.org|astral\.sh|bun\.sh|deno\.land|get\.pnpm\.io|get\.sdkman\.io|get\.k3s\.io|get\.volta\.sh|fnm\.vercel\.app|starship\.rs|mise\.run|just\.systems|nixos\.org|install\.determinate\.systems|bootstrap\.pypa\.io|sdk\.cloud\.google\.com|dot\.net|codecov\.io|cli\.codecov\.io|pixi\.sh|rclone\.org|tailscale\.com|get\.helm\.sh|foundry\.paradigm\.xyz|raw\.githubusercontent\.com\/(?:Homebrew\/install|nvm-sh\/nvm|golangci\/golangci-lint|helm\/helm|pyenv\/\w+|rbenv\/[\w-]+|ohmyzsh\/ohmyzsh|aquasecurity\/\w+|anchore\/\w+|k3d-io\/k3d|jdx\/\w+|astral-sh\/\w+|cargo-bins\/cargo-binstall|rust-lang\/rustup|kubernetes-sigs\/kustomize|tilt-dev\/tilt|junegunn\/fzf))(?:[/?#]|$)/i;

/** Whether code that is run comes from an untrustworthy place: an IP address, an unverified or a temporary host. */
export function isFromOddPlace(facts: Facts): boolean {
  return sources(facts).some(({ host, url }) => isOdd(host, url)) || isUnchecked(facts);
}

/** Whether all code that is run comes from well-known installers. */
export function isFromKnownInstaller(facts: Facts): boolean {
  const all = sources(facts);
  return (
    all.length > 0 && !isUnchecked(facts) && all.every(({ url }) => url !== null && INSTALLERS.test(url))
  );
}

/** Whether something is sent to such a place. */
export function isToOddPlace(facts: Facts): boolean {
  const effects = facts.analysis()?.effects ?? [];
  return effects.some((effect) => effect.kind === 'send' && effect.host !== null && isOdd(effect.host, null));
}

/** Whether another machine is contacted. */
export function usesNetwork(facts: Facts): boolean {
  const effects = facts.analysis()?.effects ?? [];
  return effects.some((effect) => effect.kind === 'network' && effect.host !== null && !isHere(effect.host));
}

interface Source {
  readonly host: string;
  readonly url: string | null;
}

/** Where the code that is run was fetched. */
function sources(facts: Facts): Source[] {
  const effects = facts.analysis()?.effects ?? [];
  const hosts = new Set(
    effects.flatMap((effect) =>
      effect.kind === 'execute' && effect.from === 'network' && effect.host !== null ? [effect.host] : [],
    ),
  );
  const fetched = effects.flatMap((effect) =>
    effect.kind === 'network' && effect.host !== null && hosts.has(effect.host)
      ? [{ host: effect.host, url: effect.url }]
      : [],
  );
  return fetched.length > 0 ? fetched : [...hosts].map((host) => ({ host, url: null }));
}

/** Also as a container calls the machine that it runs on. */
function isHere(host: string): boolean {
  return isThisMachine(host) || countsAs('here-host-outside', host.toLowerCase());
}

function isOdd(host: string, url: string | null): boolean {
  if (isHere(host)) return false;
  return TEMPORARY_HOST.test(host) || ADDRESS.test(host) || /^http:\/\//i.test(url ?? '');
}

/** Certificate checks are switched off. */
function isUnchecked(facts: Facts): boolean {
  const commands = facts.analysis()?.commands ?? [];
  return commands.some(({ options }) =>
    options.some(({ name }) => /^(?:--insecure|-k|--no-check-certificate)$/.test(name)),
  );
}

/** True for the address of an untrustworthy registry. */
export function isOddAddress(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return !isPrivateAddress(hostname) && isOdd(hostname, url);
}
