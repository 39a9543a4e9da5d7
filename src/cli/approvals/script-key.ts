import { openScriptKeys, type ScriptKeys } from '../../access/script-keys.ts';
import { homePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { defineCommand, flag, unknownWord, usage } from '../command.ts';
import { paint } from '../output/paint.ts';

export default defineCommand({
  name: 'script-key',
  summary: 'Manage keys that let your scripts approve, grant and remove. Anyone with a key can act as you.',
  words: '<create|list|revoke> [name]',
  options: { json: flag('As JSON, one object per line.') },
  examples: [
    ['hookline script-key create nightly', 'shows the key once'],
    ['HOOKLINE_SCRIPT_KEY=… hookline approve 3fa9 --as-script', 'for this command only'],
    ['hookline script-key revoke nightly', 'the key stops working'],
  ],
  access: (_, [what]) => (what === 'create' || what === 'revoke' ? 'script-key' : null),
  async run({ json }, [what, name]) {
    const keys = openScriptKeys(homePaths().scriptKeys);
    switch (what) {
      case 'list':
        return list(keys, json ?? false);
      case 'create':
        return create(keys, name, json ?? false);
      case 'revoke':
        if (name === undefined || !keys.revoke(name))
          throw new HooklineError('NOT_FOUND', `Unknown script key ${name ?? ''}.`, {
            hint: 'Run `hookline script-key list` to list them.',
          });
        console.log(`Revoked ${name}.`);
        return 0;
      default:
        throw unknownWord('script-key', what ?? '', ['create', 'list', 'revoke']);
    }
  },
});

function list(keys: ScriptKeys, json: boolean): number {
  const known = keys.list();
  for (const one of known)
    console.log(json ? JSON.stringify(one) : `${paint.bold(one.name)}  since ${one.createdAt}`);
  if (known.length === 0 && !json) console.log('No script keys.');
  return 0;
}

function create(keys: ScriptKeys, name: string | undefined, json: boolean): number {
  if (name === undefined || !/^[\w-]+$/.test(name))
    throw usage('script-key', 'Missing key name. Use letters, digits and dashes.');
  const key = keys.create(name);
  if (key === null) throw new HooklineError('USAGE', `A script key named ${name} already exists.`);
  if (json) console.log(JSON.stringify({ name, key }));
  else {
    console.log(key);
    console.log(paint.dim("Save this key now; it won't be shown again. Every use is recorded."));
  }
  return 0;
}
