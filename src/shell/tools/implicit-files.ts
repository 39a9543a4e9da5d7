import { entryFor } from '../../knowledge/load.ts';
import { entryOf } from '../../model/lookup.ts';
import { type Call, literal } from '../call.ts';
import { packageScripts } from '../code/build-files.ts';
import { LANGUAGES } from '../code/languages.ts';
import { scanCode } from '../code/scan.ts';
import { isUnknown } from '../placeholders.ts';
import { announce, scriptFile } from './shells.ts';

const FOLDERS = ['-C', '--directory', '--working-dir', '--prefix', '--editable', '--project-dir'];

/** Startup files of a program that the session wrote, in the working directory and in given directories. */
export function runImplicitFiles(call: Call): void {
  const { in: language, found, given: verbs = [] } = entryFor(call.name)?.code ?? {};
  const name = verbs.includes(call.command.sub[0] ?? '') ? '' : found;
  if (name === undefined) return;
  const given = [...call.values(...FOLDERS), ...call.operands].filter(({ text }) => text !== null);
  for (const folder of ['.', ...given.map(({ template }) => template)]) {
    const source = scriptFile(call, literal(name === '' ? folder : `${folder}/${name}`));
    if (isUnknown(source.template) || !announce(call, source)) continue;
    const reader = entryOf(LANGUAGES, language ?? '');
    if (reader) scanCode(call, source.template, reader);
    else call.runText(packageScripts(source.template, call.operands[0]?.text ?? ''));
  }
}
