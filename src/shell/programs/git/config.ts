import { variablesIn } from '../../../knowledge/load.ts';
import { UNKNOWN } from '../../analysis.ts';
import type { Call } from '../../call.ts';
import { lookUp } from '../../expand/parameter.ts';

/** Settings given on the command line or through variables, by lower-case key. */
export function configOf(call: Call): ReadonlyMap<string, string> {
  const config = new Map<string, string>();
  const add = (setting: string): void => {
    const at = setting.indexOf('=');
    if (at < 0) config.set(setting.toLowerCase(), 'true');
    else config.set(setting.slice(0, at).toLowerCase(), setting.slice(at + 1));
  };
  for (const option of call.command.options) {
    if (option.value === null) continue;
    if (option.name === '-c') add(option.value.template);
    if (option.name === '--config') add(option.value.template);
    if (option.name === '--config-env') {
      const [key = '', name = ''] = option.value.template.split('=');
      config.set(key.toLowerCase(), variable(call, name) ?? UNKNOWN);
    }
  }
  const count = variable(call, 'GIT_CONFIG_COUNT');
  if (count !== undefined) fromVariables(call, count, config);
  for (const [, setting = ''] of (variable(call, 'GIT_CONFIG_PARAMETERS') ?? '').matchAll(/'([^']*)'/g))
    add(setting);
  return config;
}

const MAX_SETTINGS = 16;

function fromVariables(call: Call, count: string, config: Map<string, string>): void {
  if (!/^\d+$/.test(count)) call.walk.lost('git is configured by variables that are not known');
  for (let i = 0; i < Math.min(Number(count) || 0, MAX_SETTINGS); i++) {
    const key = variable(call, `GIT_CONFIG_KEY_${i}`);
    if (key !== undefined) config.set(key.toLowerCase(), variable(call, `GIT_CONFIG_VALUE_${i}`) ?? UNKNOWN);
  }
}

/** A variable as the program sees it: its own assignments win. */
function variable(call: Call, name: string): string | undefined {
  const own = call.command.assignments.findLast((assignment) => assignment.name === name);
  if (own) return own.value ?? UNKNOWN;
  const set = call.state.variables.get(name);
  return set ? (set.exported ? set.value : undefined) : lookUp(call.walk, name);
}

/** Ignores editors and pagers of the user's environment; those that the command line sets count. */
function setOnThisLine(call: Call, name: string): string | undefined {
  const own = call.command.assignments.findLast((assignment) => assignment.name === name);
  if (own) return own.value ?? UNKNOWN;
  const set = call.state.variables.get(name);
  return set?.exported ? set.value : undefined;
}

export function aliasOf(config: ReadonlyMap<string, string>, action: string): string | undefined {
  return config.get(`alias.${action}`);
}

/** Settings whose value is a program, and whether git starts it only for remote operations. */
const PROGRAM_SETTINGS: readonly (readonly [key: RegExp, onlyRemote: boolean])[] = [
  [/^core\.sshcommand$/, true],
  [/^core\.gitproxy$/, true],
  [/^core\.askpass$/, true],
  [/^interactive\.difffilter$/, false],
  [/^trailer\..*\.(?:command|cmd)$/, false],
  [/^(?:man|browser|guitool)\..*\.cmd$/, false],
  [/^sendemail\.(?:.*\.)?(?:\w+cmd|smtpserver)$/, true],
  [/^credential\..*helper$|^credential\.helper$/, true],
  [/^(?:core\.editor|sequence\.editor)$/, false],
  [/^core\.pager$|^pager\./, false],
  [/^core\.fsmonitor$/, false],
  [/^diff\.external$|^diff\..*\.(?:command|textconv)$/, false],
  [/^(?:difftool|mergetool|merge)\..*\.(?:cmd|driver)$/, false],
  [/^filter\..*\.(?:clean|smudge|process)$/, false],
  [/^gpg\.(?:.*\.)?program$/, false],
  [/^uploadpack\.packobjectshook$/, true],
];

/** Programs that git starts because of its settings. */
export function runsFromConfig(
  call: Call,
  config: ReadonlyMap<string, string>,
  action: string,
  talks: boolean,
): void {
  for (const [key, value] of config) {
    const entry = PROGRAM_SETTINGS.find(([pattern]) => pattern.test(key));
    if (entry && (talks || !entry[1])) {
      call.execute('file', null);
      call.runText(value.replace(/^!/, ''), { via: `git ${key}` });
    }
  }
  const inert = action === 'status' || action === 'version';
  if (inert) return;
  const remote = talks ? variablesIn('git-remote-program-variables') : [];
  for (const name of [...remote, ...variablesIn('git-program-variables')]) {
    const value = setOnThisLine(call, name);
    if (value === undefined || value === '') continue;
    call.execute('file', null);
    call.runText(value, { via: name });
  }
}
