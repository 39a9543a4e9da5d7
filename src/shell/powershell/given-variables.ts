import { entryOf } from '../../model/lookup.ts';
import { UNKNOWN } from '../analysis.ts';
import { SECRET_NAME } from '../expand/parameter.ts';
import { folderOf } from '../places/windows-paths.ts';
import type { Walk } from '../walk.ts';
import { ANYTHING, NOTHING, textValue, type Value } from './values.ts';

/** Variables of a default session. */
export function variableOf(walk: Walk, name: string): Value {
  const bare = name.replace(/^(?:global|script|local|private|using|variable):/, '');
  if (bare.startsWith('env:')) return environmentOf(walk, bare.slice('env:'.length));
  const folder = bare === 'pwd' || bare === 'psscriptroot' ? '.' : null;
  if (folder !== null) return textValue(folder);
  if (bare === 'home') return textValue('~');
  if (bare === 'pshome') return textValue('/c/Windows/System32/WindowsPowerShell');
  // Code in the profile runs in every session.
  if (bare === 'profile') return textValue('~/.config/powershell/profile.ps1');
  if (bare === 'true' || bare === 'false') return textValue(bare === 'true' ? 'True' : 'False');
  if (bare === 'null') return NOTHING;
  if (bare === 'error') return { ...ANYTHING, type: 'collections.arraylist' };
  return ANYTHING;
}

function environmentOf(walk: Walk, name: string): Value {
  const folder = folderOf(name);
  if (folder !== null) return textValue(folder);
  const known = walk.state.variables.get(name.toUpperCase())?.value;
  if (known !== undefined) return textValue(known);
  if (SECRET_NAME.test(name.toUpperCase())) return textValue(walk.mark({ kind: 'variable', of: name }));
  return textValue(entryOf(walk.env, name.toUpperCase()) ?? UNKNOWN);
}
