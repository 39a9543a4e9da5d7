import { readFileSync } from 'node:fs';

interface Member {
  readonly name: string;
  readonly isOptional: boolean;
  readonly about: string;
}

/** What an agent consists of, with the comments of the interface. */
export function agentMembers(): Member[] {
  const source = readFileSync(new URL('../src/agents/agent.ts', import.meta.url), 'utf8');
  const [, body = ''] = /export interface Agent \{\n([\s\S]*?)\n\}/.exec(source) ?? [];
  const found = body.matchAll(
    /^(?: {2}\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)? {2}(?:readonly )?(\w+)(\??)[(:]/gm,
  );
  return [...found].map(([, comment = '', name = '', optional]) => ({
    name,
    isOptional: optional === '?',
    about: comment.replace(/\s*\n\s*\*\s?/g, ' ').trim(),
  }));
}

const row = ({ name, isOptional, about }: Member) =>
  `| \`${name}\` | ${isOptional ? 'optional' : 'required'} | ${about} |`;

export const agentPage = (generated: string): string => `${generated}# The members of an agent

\`src/agents/agent.ts\` is the interface. \`npm run new-agent\` writes files with the required members. Each optional one adds a
feature, and a file if needed. [CONTRIBUTING.md](../CONTRIBUTING.md#add-an-agent) has the steps.

| member | | what it is |
|---|---|---|
${agentMembers().map(row).join('\n')}
`;
