import { type Call, literal } from '../call.ts';
import type { Tool, ToolTable } from '../tool.ts';
import { posixPath } from '../windows-paths.ts';
import { hostOf } from '../wrappers/remote.ts';

/** `-Path x`, in any case and as short as it may be; the first word without a dash otherwise. */
function target(call: Call, ...names: readonly string[]): string | null {
  const words = wordsOf(call);
  const at = words.findIndex((word) => names.some((name) => isParameter(word, name)));
  if (at > 0) return words[at + 1] ?? null;
  return words.slice(1).find((word) => !word.startsWith('-')) ?? null;
}

const isParameter = (word: string, name: string): boolean =>
  word.length > 2 && `-${name}`.startsWith(word.toLowerCase());

const has = (call: Call, name: string): boolean => wordsOf(call).some((word) => isParameter(word, name));

const wordsOf = (call: Call): string[] => call.command.argv.map(({ template }) => template);

/** What stands behind a parameter; null without it. */
function value(call: Call, ...names: readonly string[]): string | null {
  const words = wordsOf(call);
  const at = words.findIndex((word) => names.some((name) => isParameter(word, name)));
  return at > 0 ? (words[at + 1] ?? null) : null;
}

const pathOf = (call: Call) => literal(posixPath(target(call, 'path', 'literalpath', 'filepath') ?? '.'));

const SYSTEM: Readonly<Record<string, string>> = {
  shutdown: 'stop-computer restart-computer',
  format: 'format-volume clear-disk initialize-disk remove-partition remove-volume remove-wmiobject',
  'service stop': 'stop-service suspend-service remove-service',
  persist: 'new-service set-service register-scheduledjob',
  schedule: 'register-scheduledtask set-scheduledtask new-scheduledtask new-scheduledtaskaction',
  security: 'set-mppreference add-mppreference remove-mppreference set-executionpolicy enable-psremoting',
  firewall:
    'set-netfirewallprofile set-netfirewallrule new-netfirewallrule remove-netfirewallrule disable-netfirewallrule',
  account:
    'new-localuser set-localuser remove-localuser enable-localuser disable-localuser add-localgroupmember new-localgroup',
  history: 'clear-history clear-eventlog remove-eventlog',
};

const CLOUD =
  'remove-azresourcegroup remove-azvm remove-azstorageaccount remove-azsqldatabase remove-azkeyvault remove-s3bucket ' +
  'remove-ec2instance remove-aduser remove-adcomputer remove-vm remove-gcecomputeinstance';

function deletes(call: Call): undefined {
  const piped = call.command.stdin.from === 'pipe';
  const found = piped && target(call, 'path', 'literalpath') === null;
  call.remove(found ? literal('**') : pathOf(call), has(call, 'recurse') || piped, has(call, 'force'));
}

function moves(call: Call): undefined {
  const from = pathOf(call);
  if (call.name !== 'copy-item') call.remove(from, true, false);
  else call.read(from);
  call.write(
    literal(posixPath(value(call, 'destination', 'newname') ?? call.command.argv.at(-1)?.template ?? '.')),
  );
}

/** What is packed, or unpacked, and where to. */
function packs(call: Call): undefined {
  const from = pathOf(call);
  call.read(from);
  const to =
    value(call, 'destinationpath') ??
    wordsOf(call)
      .slice(1)
      .filter((word) => !word.startsWith('-'))[1];
  call.write(literal(posixPath(to ?? '.')));
}

function download(call: Call): undefined {
  const url = target(call, 'uri', 'source');
  call.network({ url, host: hostOf(url), sends: has(call, 'body') || has(call, 'infile') });
  const sent = value(call, 'infile');
  if (sent !== null) call.read(literal(posixPath(sent)));
  const saved = value(call, 'outfile', 'destination');
  if (saved !== null) call.write(literal(posixPath(saved)));
}

function evaluates(call: Call): undefined {
  const fetched = call.walk.effects.some(({ kind }) => kind === 'network');
  call.execute(fetched ? 'network' : 'unknown');
}

function property(call: Call): undefined {
  const key = target(call, 'path') ?? '';
  call.system(/[\\/](?:Run|RunOnce|Winlogon)\b/i.test(key) ? 'persist' : 'settings', key);
}

const all = (names: string, run: (call: Call) => undefined): [string, Tool][] =>
  names.split(' ').map((name) => [name, { singleDash: true, run }]);

/** Commands of PowerShell that do something, under their names in small letters. */
export const COMMANDLETS: ToolTable = Object.fromEntries([
  ...Object.entries(SYSTEM).flatMap(([action, names]) =>
    all(names, (call) => void call.system(action, target(call, 'name', 'path'))),
  ),
  ...all(CLOUD, (call) => void call.resource('cloud', call.name, true, target(call, 'name'))),
  ...all('remove-item ri clear-content clear-recyclebin', deletes),
  ...all(
    'set-content add-content out-file new-item export-csv tee-object',
    (call) => void call.write(pathOf(call)),
  ),
  ...all('move-item copy-item rename-item', moves),
  ...all('expand-archive compress-archive', packs),
  ...all('get-content select-string import-csv', (call) => void call.read(pathOf(call))),
  ...all('invoke-webrequest invoke-restmethod iwr irm start-bitstransfer', download),
  ...all('invoke-expression iex', evaluates),
  ...all('set-itemproperty new-itemproperty', property),
  ...all('install-module install-package install-script', (call) => {
    call.packages('powershell', 'install', [literal(target(call, 'name') ?? '')], true);
  }),
]);
