import { readFileSync } from 'node:fs';

interface Field {
  readonly name: string;
  readonly type: string;
  readonly about: string;
}

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const EVENTS = read('src/model/events.ts');
const TOOLS = read('src/model/tools.ts');

/** The fields of every event, as docs/events.md shows them: read from the types, so that none is forgotten. */
export function eventFields(types: readonly string[]): string {
  const byType = types.map((type) => {
    const { about, named, own } = fieldsOfType(type);
    const fields = [...named.flatMap((name) => membersOf(name, EVENTS)), ...own];
    return `| \`${type}\` | ${about} | ${fields.map(shortly).join('<br>')} |`;
  });
  return `## Fields of every event

${table(membersOf('EventBase', EVENTS))}

## Fields by event

A field with \`?\` is missing if the agent doesn't send it. \`tool\` and \`calls\` are below.

| event | when | fields |
|---|---|---|
${byType.join('\n')}

## \`tool\`: a call

The same for every agent. Use \`files\` and \`command\` in hooks: \`input\` has the agent's own names.

${table(membersOf('ToolCall', TOOLS))}

After the call also:

${table(membersOf('ToolResult', TOOLS))}

One of \`files\`:

${table(membersOf('FileOperation', TOOLS))}
`;
}

/** The members of an interface of this name. */
function membersOf(name: string, source: string): Field[] {
  const body = new RegExp(`interface ${name}\\b[^{]*\\{\\n([\\s\\S]*?)\\n\\}`).exec(source)?.[1];
  if (body === undefined) throw new Error(`no interface ${name}`);
  return members(body);
}

function fieldsOfType(type: string): { about: string; named: readonly string[]; own: readonly Field[] } {
  const text = `\\n  /\\*\\* ([^\\n]*) \\*/\\n  ${type}: ([^{;]*)(?:\\{([\\s\\S]*?)\\})?;\\n(?:  \\w|  /\\*|\\})`;
  const found = new RegExp(text).exec(EVENTS);
  if (!found) throw new Error(`${type} has no fields, or no comment that says when it happens`);
  const [, about = '', before = '', body = ''] = found;
  return { about, named: before.match(/\w+/g) ?? [], own: members(body) };
}

function members(body: string): Field[] {
  const found = body.matchAll(/(?:\/\*\*([\s\S]*?)\*\/\s*)?readonly (\w+\??): ([^;]+);?/g);
  return [...found].map(([, comment = '', name = '', type = '']) => ({
    name,
    type: type
      .replace(/\breadonly /g, '')
      .replace(/\s+/g, ' ')
      .trim(),
    about: comment.replace(/\s*\n\s*\*\s?/g, ' ').trim(),
  }));
}

const shortly = ({ name, type, about }: Field) =>
  `\`${name}\` ${code(type)}${about === '' ? '' : `: ${about}`}`;

const code = (type: string) => `\`${type.replaceAll('|', '\\|')}\``;

function table(fields: readonly Field[]): string {
  const rows = fields.map(({ name, type, about }) => `| \`${name}\` | ${code(type)} | ${about} |`);
  return `| field | type | |\n|---|---|---|\n${rows.join('\n')}`;
}
