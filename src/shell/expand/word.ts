import { type Output, UNKNOWN, type Word } from '../analysis.ts';
import { unknownOf } from '../placeholders.ts';
import { parseScript } from '../syntax/from-unbash.ts';
import type { Piece, Script, WordNode } from '../syntax/nodes.ts';
import type { Walk } from '../walk.ts';
import { makeOutput, makeWord } from '../word.ts';
import { arithmeticValue } from './arithmetic.ts';
import { expandBraces } from './braces.ts';
import { homeIn, parameterFields, parameterText } from './parameter.ts';

/** Walks the commands of a substitution and returns their output. */
type Substitute = (walk: Walk, script: Script | null, raw: string) => Output;

let substitute: Substitute = () => makeOutput(UNKNOWN, []);

/** Words contain commands and commands contain words. The walk registers its half when it loads. */
export function onSubstitution(handler: Substitute): void {
  substitute = handler;
}

/** Adds the arguments that `word` expands to: none, one or several. */
function expandWord(walk: Walk, word: WordNode, into: Word[]): void {
  const text = word.text;
  if (text !== null) {
    into.push(makeWord(text, word.raw));
  } else if (word.braces) {
    expandBraced(walk, word, into);
  } else {
    new Fields(walk, word, into).run();
  }
}

export function expandWords(walk: Walk, words: readonly WordNode[]): Word[] {
  const out: Word[] = [];
  for (const word of words) expandWord(walk, word, out);
  return out;
}

/** The word as one string without splitting, as in assignments, redirections and here-documents. */
export function expandText(walk: Walk, word: WordNode): string {
  if (word.text !== null) return word.text;
  return piecesText(walk, word.pieces, true);
}

export function piecesText(walk: Walk, pieces: readonly Piece[], tilde: boolean): string {
  let out = '';
  const mixed = isMixed(pieces);
  for (const [i, piece] of pieces.entries()) {
    if (piece.kind === 'text')
      out += i === 0 && tilde && !piece.quoted ? withHome(walk, piece.text) : piece.text;
    else out += pieceText(walk, piece, mixed);
  }
  walk.read(out.length);
  return out;
}

function pieceText(walk: Walk, piece: Piece, mixed: boolean): string {
  switch (piece.kind) {
    case 'text':
      return piece.text;
    case 'glob':
      piecesText(walk, piece.inner, false);
      if (CODE_QUALIFIER.test(piece.text)) walk.lost('a pattern that runs code in zsh');
      return SINGLE.exec(piece.text)?.[1] ?? piece.text;
    case 'variable':
      return parameterText(walk, piece, mixed);
    case 'command':
      return commandText(substitute(walk, piece.script(), piece.raw));
    case 'process':
      return unknownOf(substitute(walk, piece.script(), piece.raw).template);
    case 'arithmetic':
      return arithmeticValue(walk, piece.expression);
  }
}

/** True if there is text besides the expansions. */
function isMixed(pieces: readonly Piece[]): boolean {
  return pieces.some((piece) => piece.kind === 'text' && piece.text !== '');
}

function commandText(output: Output): string {
  return output.template.replace(/\n+$/, '');
}

function withHome(walk: Walk, text: string): string {
  if (!text.startsWith('~')) return text;
  if (text.length === 1 || text[1] === '/') return homeIn(walk) + text.slice(1);
  if (text === '~+' || text.startsWith('~+/')) return (walk.state.cwd ?? UNKNOWN) + text.slice(2);
  return text;
}

const MAGIC = /[*?[]/;
/** `*(e:'code':)` and `*(+function)`. */
const CODE_QUALIFIER = /^\*\([^()|]*(?:e['":/{[<]|\+\w)/;
/** `/et[c]` can only mean `/etc`. */
const SINGLE = /^\[([^\]!^])\]$/;

/** Builds the fields of one word: quoting, splitting and patterns as the shell does them. */
class Fields {
  private text = '';
  private glob = false;
  private open = false;
  private output: Output | undefined;
  private sources: readonly number[] | undefined;
  private readonly walk: Walk;
  private readonly word: WordNode;
  private readonly into: Word[];

  constructor(walk: Walk, word: WordNode, into: Word[]) {
    this.walk = walk;
    this.word = word;
    this.into = into;
  }

  run(): void {
    const mixed = isMixed(this.word.pieces);
    let first = true;
    for (const piece of this.word.pieces) {
      this.add(piece, first, mixed);
      first = false;
    }
    this.close();
  }

  private add(piece: Piece, first: boolean, mixed: boolean): void {
    switch (piece.kind) {
      case 'text':
        this.open = true;
        this.text += first && !piece.quoted ? withHome(this.walk, piece.text) : piece.text;
        return;
      case 'glob':
        this.open = true;
        this.glob = true;
        this.text += pieceText(this.walk, piece, mixed);
        return;
      case 'process':
        this.open = true;
        this.output = substitute(this.walk, piece.script(), piece.raw);
        this.text += unknownOf(this.output.template);
        return;
      case 'variable': {
        const list = parameterFields(this.walk, piece);
        if (list) this.addList(list, piece.quoted);
        else this.addValue(parameterText(this.walk, piece, mixed), piece.quoted);
        return;
      }
      case 'command': {
        const output = substitute(this.walk, piece.script(), piece.raw);
        this.sources = [...(this.sources ?? []), ...output.sources];
        this.addValue(commandText(output), piece.quoted);
        return;
      }
      case 'arithmetic':
        this.addValue(pieceText(this.walk, piece, mixed), true);
    }
  }

  private addList(list: readonly string[], quoted: boolean): void {
    for (const [i, item] of list.entries()) {
      if (i > 0) this.close();
      this.addValue(item, quoted);
    }
  }

  private addValue(value: string, quoted: boolean): void {
    if (quoted) {
      this.open = true;
      this.text += value;
      return;
    }
    this.walk.read(value.length);
    if (MAGIC.test(value)) this.glob = true;
    const ifs = this.walk.state.variables.get('IFS')?.value ?? ' \t\n';
    let from = 0;
    for (let i = 0; i <= value.length; i++) {
      if (i < value.length && !ifs.includes(value.charAt(i))) continue;
      if (i > from) {
        this.open = true;
        this.text += value.slice(from, i);
      }
      if (i < value.length) this.close();
      from = i + 1;
    }
  }

  private close(): void {
    if (!this.open) return;
    const word = makeWord(this.text, this.word.raw, this.glob);
    if (this.output) this.into.push({ ...word, output: this.output });
    else if (this.sources) this.into.push({ ...word, sources: this.sources });
    else this.into.push(word);
    this.text = '';
    this.open = false;
    this.glob = false;
    this.output = undefined;
  }
}

function expandBraced(walk: Walk, word: WordNode, into: Word[]): void {
  const spellings = expandBraces(word.raw);
  if (spellings === null) {
    walk.lost('a brace expansion with too many results');
    const some: Word[] = [];
    walk.elsewhere(() => expandSpelling(walk, word.raw.replace(/\{.*\}/s, '*'), word.raw, some));
    into.push(makeWord(walk.nameAmong(some), word.raw));
    return;
  }
  if (spellings.length === 1 && spellings[0] === word.raw) {
    new Fields(walk, word, into).run();
    return;
  }
  walk.elsewhere(() => {
    for (const spelling of spellings) expandSpelling(walk, spelling, word.raw, into);
  });
}

function expandSpelling(walk: Walk, spelling: string, raw: string, into: Word[]): void {
  walk.read(spelling.length);
  const [node] = parseScript(`: ${spelling}`).items;
  if (node?.kind !== 'simple') return;
  for (const inner of node.words.slice(1)) {
    if (inner.text !== null) into.push(makeWord(inner.text, raw));
    else new Fields(walk, inner, into).run();
  }
}
