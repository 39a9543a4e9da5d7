import { type Redirect, type SimpleCommand, type Stdin, UNKNOWN, type Word } from './analysis.ts';
import type { Call } from './call.ts';
import { expandText, expandWords } from './expand/word.ts';
import { marksIn, unknownOf } from './placeholders.ts';
import { pathRef, resolvePath } from './places/paths.ts';
import type { RedirectNode } from './syntax/nodes.ts';
import type { Walk } from './walk.ts';
import { known, makeWord } from './word.ts';

/** Redirections with expanded targets, without those that only copy a descriptor. */
export function redirectsOf(walk: Walk, nodes: readonly RedirectNode[]): Redirect[] {
  const out: Redirect[] = [];
  for (const { operator, descriptor, target } of nodes) {
    const glob = target.pieces.some((piece) => piece.kind === 'glob');
    const [printing] = target.raw.startsWith('<(') ? expandWords(walk, [target]) : [];
    let template = printing?.template ?? expandText(walk, target);
    if (operator === '<<<') template += '\n';
    if ((operator === '>&' || operator === '<&') && /^(?:\d+-?|-)$/.test(template)) {
      const number = Number.parseInt(template, 10);
      if (number > 2) out.push(...copied(walk, operator, number, target.raw));
      continue;
    }
    if (operator.startsWith('<<')) walk.store.heres.set(descriptor ?? 0, template);
    else
      walk.store.descriptors.set(
        descriptor ?? (operator.startsWith('<') ? 0 : 1),
        known(template) === null ? template : place(walk, template),
      );
    out.push({
      operator: descriptor === null || descriptor < 2 ? operator : `${descriptor}${operator}`,
      target: {
        ...makeWord(template, target.raw, glob),
        ...(printing?.output && { output: printing.output }),
      },
    });
  }
  return out;
}

/** Copies a descriptor: of an open file, of a here-document, or of one opened elsewhere. */
function copied(walk: Walk, operator: string, number: number, raw: string): readonly Redirect[] {
  const opened = walk.store.descriptors.get(number);
  if (opened !== undefined) return [{ operator: operator.charAt(0), target: makeWord(opened, raw) }];
  if (operator !== '<&') return [];
  const text = walk.store.heres.get(number);
  return text === undefined
    ? [{ operator, target: makeWord(UNKNOWN, raw) }]
    : [{ operator: '<<<', target: makeWord(text, raw) }];
}

/** Standard input of a command after its redirections. */
export function inputFrom(walk: Walk, redirects: readonly Redirect[]): Stdin {
  let stdin = walk.frame.stdin;
  for (const { operator, target } of redirects) {
    if (operator.startsWith('<<')) {
      stdin = { from: 'here', text: target.text, template: target.template, sources: [] };
    } else if (operator === '<&') {
      // A descriptor with an unknown target, such as that of a coprocess.
      stdin = { from: 'file', text: null, template: unknownOf(target.template), sources: [] };
    } else if (operator === '<' || operator === '<>') {
      const file = target.text === null ? undefined : walk.store.get(place(walk, target.text));
      const substituted = target.raw.startsWith('<(');
      const printed = target.output?.template ?? unknownOf(target.template);
      const template = file?.template ?? (substituted ? printed : fileMark(walk, target));
      stdin = {
        from: 'file',
        text: known(template),
        template,
        // The command of `< <(…)` was walked just before, so it is the last one found.
        sources: file?.sources ?? (substituted && walk.commands.length > 0 ? [walk.commands.length - 1] : []),
      };
    }
  }
  return stdin;
}

/** `exec < file`: afterwards the shell and its children read from the file. */
export function isMoved({ tool, operands, redirects, stdin }: SimpleCommand): boolean {
  if (tool !== 'exec' || operands.length > 0 || stdin.from !== 'file') return false;
  return redirects.some(
    ({ operator, target }) => operator.startsWith('<') && !/^\/dev\/(?:null|tty)/.test(target.template),
  );
}

function fileMark(walk: Walk, word: Word): string {
  const ref = pathRef(word, { cwd: walk.state.cwd, home: walk.home });
  const path = ref.path === null ? null : walk.store.follow(ref.path);
  const written = path === null ? '' : walk.store.contentOf(path).marks;
  return marksIn(written, walk.mark({ kind: 'file', ref: { ...ref, path } }));
}

/** A redirection without a command belongs to `:`. */
const PRINTS_NOTHING = /^(?::|true|false)$/;

export function redirectEffects(call: Call, redirects: readonly Redirect[]): void {
  for (const { operator, target } of redirects) {
    if (operator.includes('<<')) continue;
    if (target.raw.startsWith('<(') || target.raw.startsWith('>(')) continue;
    if (operator.includes('>')) {
      const append = operator.endsWith('>>');
      call.write(target, { append, truncated: !append && PRINTS_NOTHING.test(call.name) });
    }
    if (operator.includes('<')) call.read(target);
  }
}

/** `cmd > >(sh)`, `cmd -o >(sh)`: the inner command reads what the outer one writes. */
export function feedSubstitutions(call: Call, redirects: readonly Redirect[], output: string): void {
  const { walk, command, index } = call;
  const isFed = ({ raw }: Word) => raw.includes('>(');
  if (!command.argv.some(isFed) && !redirects.some(({ target }) => isFed(target))) return;
  const fed = [...command.argv, ...redirects.map(({ target }) => target)].flatMap(
    ({ raw }) => /^[\w=-]*>\(([\s\S]*)\)$/.exec(raw)?.[1] ?? [],
  );
  if (fed.length === 0) return;
  const template = redirects.length > 0 ? output : unknownOf(output);
  const stdin: Stdin = {
    from: 'pipe',
    text: known(template),
    template,
    sources: [index, ...command.stdin.sources],
  };
  for (const script of fed)
    walk.isolated(walk.state.copy(), () => call.runText(script, { stdin, sameShell: true, functions: true }));
}

/** Output redirected to a file is not printed, but a later command may run that file. */
export function leaveIn(call: Call, redirects: readonly Redirect[], output: string): string {
  const { walk } = call;
  let printed = output;
  for (const { operator, target } of redirects) {
    if (operator !== '>' && operator !== '>>' && operator !== '>|' && operator !== '&>') continue;
    printed = '';
    if (target.text === null) continue;
    const path = place(walk, target.text);
    const before = operator === '>>' ? walk.store.get(path) : undefined;
    const template =
      operator === '>>' ? (before?.template ?? unknownOf(walk.store.contentOf(path).marks)) + output : output;
    const sources = [...(before?.sources ?? []), call.index, ...call.command.stdin.sources];
    walk.store.write(path, { template, sources }, call.index);
  }
  return printed;
}

function place(walk: Walk, path: string): string {
  return walk.store.follow(resolvePath(path, { cwd: walk.state.cwd, home: walk.home }));
}
