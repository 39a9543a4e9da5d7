/** Tokens of GraphQL. An unclosed string ends with its line or text. */
const TOKEN = /"""[\s\S]*?(?:"""|$)|"(?:[^"\\\n]|\\.)*"?|#[^\n]*|\.\.\.|[a-z_]\w*|[^\s,\ufeff]/gi;
const NAME = /^[a-z_]/i;
const DEFINITION = /^(?:query|mutation|subscription|fragment)$/;

/** The names of the mutations in a GraphQL text; empty for other languages. */
export function mutationsIn(text: string): readonly string[] {
  if (!text.includes('mutation')) return [];
  const tokens = (text.match(TOKEN) ?? []).filter((token) => !/^["#]/.test(token));
  const names = new Set<string>();
  let definition = '';
  let isChanged = false;
  // Which of the open braces belong to a field, and not to `... on Mutation`.
  const open: boolean[] = [];
  // `... on Mutation {`, `... @include(if: $x) {` and `... {` stay at the level around them.
  let isInline = false;
  let level = 0;
  let brackets = 0;
  for (const [at, token] of tokens.entries()) {
    const before = tokens[at - 1];
    if (/^[([]$/.test(token)) brackets++;
    else if (/^[)\]]$/.test(token)) brackets = Math.max(0, brackets - 1);
    else if (brackets > 0) continue;
    else if (token === '...') isInline = /^(?:on|@|\{)$/.test(tokens[at + 1] ?? '');
    else if (token === '{') {
      const isField = open.length === 0 || !isInline;
      isInline = false;
      open.push(isField);
      if (isField) level++;
    } else if (token === '}') {
      if (open.pop() === true) level--;
      if (open.length === 0) definition = '';
    } else if (!NAME.test(token)) continue;
    else if (open.length === 0 && definition === '') {
      if (!DEFINITION.test(token)) return [];
      definition = token;
      isChanged ||= token === 'mutation';
    } else if (level === 1 && /^(?:mutation|fragment)$/.test(definition)) {
      const isNone = before === '...' || before === '@' || before === 'on' || tokens[at + 1] === ':';
      if (!isNone) names.add(token);
    }
  }
  return isChanged ? [...names] : [];
}
