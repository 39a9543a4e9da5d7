import type { Word } from '../analysis.ts';
import { type Call, literal } from '../call.ts';
import { isUnknown } from '../placeholders.ts';
import { posixPath } from '../places/windows-paths.ts';
import { powerShell } from '../powershell/powershell.ts';
import { joinWords } from '../word.ts';
import { announce, scriptFile, scriptInput } from './shells.ts';

/** PowerShell options, in any case and abbreviated; those with a value end in `=`. */
const OPTIONS =
  'command= encodedcommand= ec= file= executionpolicy= ep= windowstyle= workingdirectory= wd= configurationname= ' +
  'configurationfile= version= inputformat= if= outputformat= of= psconsolefile= custompipename= settingsfile= encodedarguments= ' +
  'noprofile nologo noninteractive noexit sta mta login help interactive nop noni';

const NAMES: readonly string[] = OPTIONS.split(' ');

/** `-C`, `/command`, `--file`: the full option name; null for other words. */
function optionIn({ template }: Word): string | null {
  const written = /^(?:--?|\/)([a-z]+)$/i.exec(template)?.[1]?.toLowerCase();
  if (written === undefined) return null;
  const name =
    NAMES.find((one) => one.replace('=', '') === written) ?? NAMES.find((one) => one.startsWith(written));
  return name ?? `${written}`;
}

export function powershell(call: Call): undefined {
  const words = call.command.argv.slice(1);
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (word === undefined) break;
    const option = optionIn(word);
    const value = words[at + 1];
    if (option === null) return bare(call, words.slice(at));
    if (option === 'command=') return code(call, words.slice(at + 1));
    if (option === 'file=') return value && file(call, value);
    if (option === 'encodedcommand=' || option === 'ec=') return encoded(call, value);
    if (option.endsWith('=')) at++;
  }
  if (call.command.stdin.from !== 'terminal') input(call);
}

/** The first operand is a script for one of the two programs, and code for the other. */
function bare(call: Call, words: readonly Word[]): undefined {
  const [first] = words;
  if (first && (/\.ps1$/i.test(first.template) || /^pwsh/i.test(call.command.name ?? ''))) file(call, first);
  else code(call, words);
}

function code(call: Call, words: readonly Word[]): undefined {
  const text = joinWords(words);
  if (text === '-') return input(call);
  if (text.trim() === '') return;
  if (isUnknown(text) || words.some(({ dynamic }) => dynamic)) {
    call.walk.fail('powershell: not analysed');
    call.execute('unknown');
  }
  if (!isUnknown(text)) powerShell(call.walk, call.reentry, text);
}

function input(call: Call): undefined {
  const source = scriptInput(call);
  if (announce(call, source)) powerShell(call.walk, call.reentry, source.template);
}

function encoded(call: Call, word: Word | undefined): undefined {
  call.execute('decoded');
  call.walk.fail('powershell: encoded');
  const text = word?.text ?? '';
  const decoded = Buffer.from(text.slice(0, MAX_ENCODED), 'base64').toString('utf16le');
  if (/^[\s\x20-\x7e]+$/.test(decoded)) powerShell(call.walk, call.reentry, decoded);
}

const MAX_ENCODED = 16_384;

function file(call: Call, word: Word): undefined {
  const share = /^\\{1,2}([\w.-]+)\\/.exec(word.template)?.[1];
  if (share !== undefined) return void call.execute('network', null, share);
  const at = word.template.includes('\\') ? literal(posixPath(word.template)) : word;
  call.read(at);
  const source = scriptFile(call, at);
  if (announce(call, source)) powerShell(call.walk, call.reentry, source.template);
}
