import { UNKNOWN, type Word } from '../analysis.ts';
import type { Call } from '../call.ts';
import { literal } from '../call.ts';
import { isUnknown } from '../placeholders.ts';
import type { CodeTable } from '../tool.ts';
import { scriptFile, scriptInput } from '../tools/shells.ts';
import { makeWord } from '../word.ts';
import { filesMatched } from '../wrappers/printed.ts';

function grep(call: Call): string | undefined {
  const explicit = call.has('--regexp', '--file');
  for (const file of call.values('--file')) call.read(file);
  const files = call.operands.slice(explicit ? 0 : 1);
  for (const word of files) call.read(word);
  if (files.length === 0 && call.command.stdin.from === 'terminal') call.read(literal('.'));
  for (const word of searchedNames(call, files)) call.read(word);
  const preprocessor = call.value('--pre');
  if (preprocessor) call.runArgv([preprocessor]);
  const matched = filesMatched(call.command);
  return matched.length === 0 ? undefined : call.walk.nameAmong(matched);
}

/** Files that a search selects by name are read, whatever else is not. */
function searchedNames(call: Call, files: readonly Word[]): readonly Word[] {
  const isSearch = /^(?:rg|ag|ack)$/.test(call.name) || call.has('--recursive', '-R');
  const patterns = isSearch ? call.values('--include', '--glob') : [];
  const folders = files.length === 0 ? [literal('.')] : files;
  return patterns
    .filter(({ template }) => !template.startsWith('!'))
    .flatMap(({ template, raw }) => {
      const below = template.includes('/') ? template.replace(/^\/+/, '') : `**/${template}`;
      return folders.map((folder) => makeWord(`${folder.template.replace(/\/$/, '')}/${below}`, raw, true));
    });
}

/** The names in a directory, or the given names. */
function listed(call: Call): string {
  const given = call.operands.length > 0 ? call.operands : [literal('.')];
  const inside = call.has('-a', '-A', '--all', '--almost-all') ? '{*,.*}' : '*';
  const within = given.map(({ template, raw }) =>
    makeWord(`${template.replace(/\/$/, '')}/${inside}`, raw, true),
  );
  const isNamed = ({ glob }: Word) => glob || call.has('-d');
  return call.walk.nameAmong([...given.filter(isNamed), ...(call.has('-d') ? [] : within)]);
}

/** `--rawfile name file`: the first word after it is a name. */
function jq(call: Call): undefined {
  const { argv } = call.command;
  for (const [at, { text }] of argv.entries())
    if (text === '--rawfile' || text === '--slurpfile') call.read(argv[at + 2] ?? null);
}

function sort(call: Call): undefined {
  const program = call.value('--compress-program');
  if (program) call.runArgv([program]);
}

function split(call: Call): undefined {
  const [input, prefix] = call.operands;
  call.read(input ?? null);
  if (prefix) call.write(literal(`${prefix.template}${UNKNOWN}`));
  // A short text is contained completely in its first part.
  const whole = input && input.text !== '-' ? scriptFile(call, input) : scriptInput(call);
  if (!isUnknown(whole.template)) call.setContent(literal(`${prefix?.template ?? 'x'}aa`), whole);
  const filter = call.value('--filter');
  if (filter) call.runText(filter.template);
}

/** Programs that read files and print something known about them, or also write. */
export const READERS: CodeTable = { grep, jq, ls: listed, sort, split };
