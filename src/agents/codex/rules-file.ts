/** One call at the top level of a rules file, with the arguments that it names. */
export interface RuleCall {
  readonly name: string;
  readonly line: number;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface RuleCalls {
  readonly calls: readonly RuleCall[];
  /** Null for a text that was understood to its end. */
  readonly problem: string | null;
}

const TOKEN =
  /\s+|#[^\n]*|(?<name>[A-Za-z_]\w*)|(?<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?<number>-?\d+(?:\.\d+)?)|(?<sign>[()[\],=])|(?<other>.)/gsu;

interface Token {
  readonly kind: 'name' | 'text' | 'number' | 'sign' | 'other';
  readonly value: string;
  readonly line: number;
}

/** The file is Starlark; what people and the client write into it are calls with literals, and that is what is read. */
export function readRuleCalls(text: string): RuleCalls {
  const tokens = tokensOf(text);
  const calls: RuleCall[] = [];
  let at = 0;
  const peek = (): Token | undefined => tokens[at];
  const isSign = (value: string) => peek()?.kind === 'sign' && peek()?.value === value;
  const fail = (): never => {
    throw new SyntaxError(`line ${peek()?.line ?? 'last'}: only calls with literal arguments are read here`);
  };
  const take = (kind: Token['kind'], value?: string): Token => {
    const token = peek();
    if (token?.kind !== kind || (value !== undefined && token.value !== value)) return fail();
    at += 1;
    return token;
  };
  const literal = (): unknown => {
    const token = peek();
    if (token?.kind === 'text') return unquoted(take('text').value);
    if (token?.kind === 'number') return Number(take('number').value);
    if (token?.kind === 'name' && token.value in WORDS) return WORDS[take('name').value];
    take('sign', '[');
    const items: unknown[] = [];
    while (!isSign(']')) {
      items.push(literal());
      if (!isSign(']')) take('sign', ',');
    }
    take('sign', ']');
    return items;
  };
  try {
    while (at < tokens.length) {
      const { value: name, line } = take('name');
      take('sign', '(');
      const args: Record<string, unknown> = {};
      while (!isSign(')')) {
        const key = take('name').value;
        take('sign', '=');
        args[key] = literal();
        if (!isSign(')')) take('sign', ',');
      }
      take('sign', ')');
      calls.push({ name, line, args });
    }
    return { calls, problem: null };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { calls, problem: error.message };
  }
}

const WORDS: Readonly<Record<string, unknown>> = { True: true, False: false, None: null };
const KINDS = ['name', 'text', 'number', 'sign', 'other'] as const;

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let line = 1;
  for (const { 0: whole, groups = {} } of text.matchAll(TOKEN)) {
    const kind = KINDS.find((one) => groups[one] !== undefined);
    if (kind) tokens.push({ kind, value: whole, line });
    line += whole.split('\n').length - 1;
  }
  return tokens;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

function unquoted(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/gs, (_, sign: string) => ESCAPES[sign] ?? sign);
}
