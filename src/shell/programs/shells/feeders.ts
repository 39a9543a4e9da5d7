import { ANY_SHELL, isShell } from '../../../model/shells.ts';
import { shellQuoted } from '../../../platform/shell-words.ts';
import { type Stdin, UNKNOWN, type Word } from '../../analysis.ts';
import type { Call } from '../../call.ts';
import { isUnknown, unknownOf } from '../../placeholders.ts';
import type { Entry } from '../../reentry.ts';
import type { CodeTable } from '../../tool.ts';
import { makeWord } from '../../word.ts';
import { NOTHING, namesPrinted } from '../../wrappers/printed.ts';

const MAX_ITEMS = 1_000;
/** A program that xargs starts does not read the input of xargs. */
const NO_INPUT: Stdin = { from: 'terminal', text: null, template: UNKNOWN, sources: [] };
const FED = makeWord(UNKNOWN, '<input>');

/** The items an argument feeder reads, when its input is known. */
function items(call: Call, separator: RegExp): Word[] | null {
  const { stdin } = call.command;
  if (stdin.text === null) return null;
  const found = stdin.text.split(separator).filter((item) => item !== '');
  return found.length > MAX_ITEMS ? null : found.map((item) => makeWord(unquote(item), item));
}

const unquote = (item: string): string => item.replace(/['"]/g, '');

function replaceIn(words: readonly Word[], marker: string, value: Word): Word[] {
  return words.map((word) => {
    if (!word.template.includes(marker)) return word;
    // `old-{}`: a name with such a prefix is outside the searched directory.
    const isGlued =
      value.glob && !new Set(['', '/', '=']).has(word.template.charAt(word.template.indexOf(marker) - 1));
    const text = isGlued ? UNKNOWN : value.template;
    return makeWord(word.template.replaceAll(marker, text), word.raw, !isGlued && (word.glob || value.glob));
  });
}

function xargs(call: Call): string {
  const words = call.operands;
  for (const file of call.values('--arg-file')) call.read(file);
  const replace = call.value('--replace', '-i', '-J', '-I');
  const replacing = call.has('--replace', '-I', '-J', '-i');
  const marker = replace?.text || '{}';
  const byLine = replacing || call.has('--null', '--delimiter', '--max-lines', '-l');
  const fed = call.has('--arg-file') ? null : items(call, byLine ? /[\n\0]/ : /\s+/);
  if (words.length === 0) return UNKNOWN;
  const entry: Entry = { stdin: NO_INPUT };
  const placed = replacing && words.some((word) => word.template.includes(marker));
  if (feedsCode(words, placed ? marker : null)) {
    call.execute('unknown');
    call.walk.lost(`${call.name} makes code out of its input`);
    if (hasNameOfCode(call)) call.walk.lost('a file that was written before has code for a name');
  }
  const { items: unread, user } = fed ? { items: fed, user: words } : unreadItems(call, words);
  if (fed === null && unread.every(({ template }) => isUnknown(template)) && !isListing(call))
    call.system('unseen-input', null);
  const lines = placed ? unread.map((item) => replaceIn(user, marker, item)) : [[...user, ...unread]];
  const printed = lines.map((line) => call.runArgv(line, entry));
  // Only these are known to print just their arguments.
  return /^(?:echo|printf)$/.test(user[0]?.template ?? '') ? printed.join('') : UNKNOWN;
}

/** Programs that list existing names; the line says where they look. */
const LISTS = /^(?:ls|find|fd|git|grep|rg|ag|locate|mdfind|exa|eza)$/;

function isListing({ walk, command: { stdin } }: Call): boolean {
  return stdin.sources.some((index) => LISTS.test(walk.commands[index]?.tool ?? ''));
}

/** Inside a shell script, a name with such characters is code. */
const CODE_IN_NAME = /[$`;&|<>()\n]/;

/** True if the session or the line created a file whose name a listing would insert into a script as code. */
function hasNameOfCode({ walk: { effects, store } }: Call): boolean {
  const written = effects.flatMap((effect) => (effect.kind === 'write' ? (effect.path ?? []) : []));
  return [...written, ...store.paths()].some((path) => CODE_IN_NAME.test(path));
}

/** Items known only at run time: names below a directory, and perhaps others. */
function unreadItems(call: Call, words: readonly Word[]): { items: readonly Word[]; user: readonly Word[] } {
  const { names, exact, user } = call.has('--arg-file') ? NOTHING : namesPrinted(call, words);
  if (exact) return { items: names, user };
  return { items: [...names, makeWord(unknownOf(call.command.stdin.template), '<input>')], user: words };
}

/** True if input becomes the script of `sh -c` or an action of `find`, so that it may differ each time. */
function feedsCode(words: readonly Word[], marker: string | null): boolean {
  if (marker === null && words.length > 1 && /(?:^|\/)find$/.test(words[0]?.template ?? '')) return true;
  const at = words.findIndex((word) => /^-[a-z]*c$/.test(word.template));
  if (at < 1 || !isShell(words[at - 1]?.template ?? '')) return false;
  const script = words[at + 1];
  return (
    script === undefined ||
    (marker !== null && script.template.includes(marker)) ||
    /\$[@*1-9]/.test(evaluated(script))
  );
}

const EVALUATED = new RegExp(`\\b(?:eval|${ANY_SHELL}\\s+-\\w*c)\\s+(\\S+)`);

/** What a script passes to another interpreter. */
function evaluated(script: Word): string {
  return EVALUATED.exec(script.template)?.[1] ?? '';
}

/** GNU parallel builds a shell line for each combination of its `:::` lists. */
function parallel(call: Call): string {
  const at = call.operands.findIndex((word) => /^::::?\+?$/.test(word.template));
  const template = at < 0 ? call.operands : call.operands.slice(0, at);
  const lists = at < 0 ? [items(call, /\n/) ?? found(call, template)] : inputLists(call.operands.slice(at));
  const place = call.has('--sshlogin', '--sshloginfile') ? 'remote' : call.command.place;
  if (call.has('--sshlogin')) call.network({ host: call.value('--sshlogin')?.text ?? null });
  let rounds: (readonly Word[])[] = [[]];
  for (const list of lists) {
    rounds = rounds.flatMap((round) => list.map((item) => [...round, item]));
    if (rounds.length > MAX_ITEMS) {
      call.walk.exceed(`${call.name} runs more commands than were read`);
      rounds.splice(MAX_ITEMS);
    }
  }
  const marked = template.some((word) => word.template.includes('{'));
  const isRead = at < 0 || call.operands.some((word) => /^::::\+?$/.test(word.template));
  if (isRead && (template.length === 0 || feedsCode(template, marked ? '{' : null))) {
    call.execute('unknown');
    call.walk.lost(`${call.name} makes code out of its input`);
  }
  for (const round of rounds)
    call.runText(parallelLine(template, round), { place, assignments: call.command.assignments });
  return UNKNOWN;
}

function found(call: Call, template: readonly Word[]): Word[] {
  const { names, exact } = call.has('--arg-file') ? NOTHING : namesPrinted(call, template);
  return exact ? [...names] : [FED];
}

function inputLists(words: readonly Word[]): Word[][] {
  const lists: Word[][] = [];
  let fromFiles = false;
  for (const word of words) {
    if (/^::::?\+?$/.test(word.template)) {
      lists.push([]);
      fromFiles = word.template.startsWith('::::');
      if (fromFiles) lists.at(-1)?.push(FED);
    } else if (!fromFiles) lists.at(-1)?.push(word);
  }
  return lists;
}

function parallelLine(template: readonly Word[], round: readonly Word[]): string {
  const all = round.map((word) => word.template).join(' ');
  if (template.length === 0) return all;
  let used = false;
  const words = template.map((word) => {
    // A quoted argument is meant to stay one, whatever the shell in between does with it.
    const quote = template.length > 1 && /[\s()<>;&|"'`$\\]/.test(word.template);
    const quoted = quote ? shellQuoted(word.template) : word.template;
    return quoted.replace(/\{(\d*)[./]{0,2}\}/g, (_, number: string) => {
      used = true;
      return number === '' ? all : (round[Number(number) - 1]?.template ?? '');
    });
  });
  const line = words.join(' ');
  return used || all === '' ? line : `${line} ${/\s/.test(all) && round.length === 1 ? `'${all}'` : all}`;
}

export const FEEDERS: CodeTable = { parallel, xargs };
