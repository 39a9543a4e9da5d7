import { openScriptKeys } from '../access/script-keys.ts';
import { type HomePaths, homePaths } from '../home/paths.ts';

/** Commands that decide something, which a test can't confirm as a person at a terminal. */
const DECIDING: ReadonlySet<string> = new Set([
  'approve',
  'away',
  'back',
  'deny',
  'doctor',
  'down',
  'export',
  'forget',
  'grants',
  'hooks',
  'import',
  'leave',
  'notify',
  'open',
  'prune',
  'remove',
  'rules',
  'setup',
  'trust',
]);

/** A command line run by a script with a key. */
interface ScriptCall {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Creates a script key in a test home, as a person would, and passes it to commands that need one. */
export function scriptIn(home: HomePaths | string): {
  readonly key: string;
  call(args: readonly string[]): ScriptCall;
} {
  const paths = typeof home === 'string' ? homePaths(home) : home;
  const keys = openScriptKeys(paths.scriptKeys);
  keys.revoke('test');
  const key = keys.create('test') ?? '';
  return {
    key,
    call: ([command = '', ...rest]) =>
      DECIDING.has(command)
        ? { args: [command, '--as-script', ...rest], env: { HOOKLINE_SCRIPT_KEY: key } }
        : { args: command === '' ? [] : [command, ...rest], env: {} },
  };
}

/** True for an event that is not a use of the tests' own key. */
export function isOfOthers(event: {
  readonly source: string;
  readonly response: { readonly decision: string };
}): boolean {
  return event.source !== 'hookline' || event.response.decision !== 'none';
}
