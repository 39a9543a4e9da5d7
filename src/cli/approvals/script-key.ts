import { openScriptKeys, type ScriptKeys } from '../../access/script-keys.ts';
import { homePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { defineCommand, flag, usage } from '../command.ts';
import { paint } from '../output/paint.ts';

export default defineCommand({
  name: 'script-key',
  summary:
    'Keys with which your own scripts may approve, grant, remove and the like: whoever has one decides for you.',
  words: '<create|list|revoke> [name]',
  options: { json: flag('As JSON, one object a line.') },
  examples: [
    ['hookline script-key create nightly', 'shows the key, once'],
    ['HOOKLINE_SCRIPT_KEY=… hookline approve 3fa9 --as-script', 'for this one command'],
    ['hookline script-key revoke nightly', 'it opens nothing from now on'],
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
          throw new HooklineError('NOT_FOUND', `There is no script key ${name ?? ''}.`, {
            hint: '`hookline script-key list` shows them.',
          });
        console.log(`Revoked ${name}.`);
        return 0;
      default:
        throw usage('script-key', 'Create, list or revoke?');
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
    throw usage('script-key', 'What is it called? Letters, digits and dashes.');
  const key = keys.create(name);
  if (key === null) throw new HooklineError('USAGE', `There is a script key ${name} already.`);
  if (json) console.log(JSON.stringify({ name, key }));
  else {
    console.log(key);
    console.log(paint.dim('This is shown once. Every use is recorded under its name.'));
  }
  return 0;
}
