import { type Document, isNode, Lexer, LineCounter, parseDocument, type YAMLMap } from 'yaml';

interface Yaml {
  readonly document: Document.Parsed;
  readonly problems: { readonly where: string; readonly message: string }[];
  /** `file:line:column` of an offset. */
  at(offset: number): string;
}

/** A YAML file that people write, and each problem with its line and column. */
export function parseYaml(text: string, file: string): Yaml {
  const lines = new LineCounter();
  const tooDeep = isTooDeep(text);
  const document = parseDocument(tooDeep ? '' : text, { lineCounter: lines });
  const at = (offset: number) => `${file}:${lines.linePos(offset).line}:${lines.linePos(offset).col}`;
  const problems = document.errors.map((error) => ({
    where: at(error.pos[0]),
    message: error.message.split('\n')[0]?.replace(/:$/, '') ?? 'not YAML',
  }));
  if (tooDeep) problems.push({ where: file, message: 'it is nested too deeply' });
  return { document, problems, at };
}

const MAX_FLOW_DEPTH = 50;
const MAX_NESTED_IN_LINE = 20;

/** Deep nesting makes the parser recurse until Node aborts (`? ? ? …`, yaml 2.9, Node 20). */
function isTooDeep(text: string): boolean {
  let flow = 0;
  let inLine = 0;
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') flow += 1;
    else if (token === ']' || token === '}') flow -= 1;
    else if (token === '-' || token === '?' || token === ':') inLine += flow > 0 ? 0 : 1;
    else if (token.startsWith('\n') || token.startsWith('\r')) inLine = 0;
    if (flow > MAX_FLOW_DEPTH || inLine > MAX_NESTED_IN_LINE) return true;
  }
  return false;
}

export function startOf(node: unknown): number | null {
  return isNode(node) ? (node.range?.[0] ?? null) : null;
}

export function startOfKey(node: YAMLMap, key: string): number | null {
  return startOf(node.items.find((pair) => String(pair.key) === key)?.key);
}

export function endOfNode(node: unknown): number {
  return isNode(node) ? (node.range?.[1] ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
}
