import { toolKind } from '../../model/tools.ts';

/** A new hook, and how to see it deny a call. */
interface HookTemplate {
  readonly text: string;
  /** Arguments of a call that it denies. */
  readonly input: object;
}

/** A hook to start with. It reads fields that mean the same on every agent, if there are any. */
export function hookTemplate(on: string, tool: string | undefined): HookTemplate {
  const guards = on === 'before_tool' || on === 'tool' || tool !== undefined;
  if (!guards) return { text: contextHook(on), input: { command: 'ls' } };
  const name = tool ?? 'Bash';
  const { condition, reason, input } = example(name);
  const text = `import { defineHook, deny } from 'hookline';

export default defineHook({
  on: '${on}',
  tool: '${name}',
  run(event) {
    if (${condition}) return deny('${reason}');
  },
});
`;
  return { text, input };
}

function example(tool: string): { condition: string; reason: string; input: object } {
  switch (toolKind(tool, null)) {
    case 'shell':
      return {
        condition: `event.tool.command${tool === 'Bash' ? '' : '?'}.includes('terraform destroy')`,
        reason: 'Infrastructure is torn down by hand.',
        input: { command: 'terraform destroy' },
      };
    case 'write':
      return {
        condition: "event.tool.files.some(({ op, path }) => op === 'create' && path.includes('migrations/'))",
        reason: 'Ask the user before you add a migration.',
        input: { file_path: 'migrations/1.sql', content: '' },
      };
    default:
      return {
        condition: "JSON.stringify(event.tool.input).includes('production')",
        reason: 'Tell the user what you need from production.',
        input: { text: 'production' },
      };
  }
}

function contextHook(on: string): string {
  return `import { context, defineHook } from 'hookline';

export default defineHook({
  on: '${on}',
  run(event, { session }) {
    return context(\`This is \${event.type} in \${session.cwd}.\`);
  },
});
`;
}

/** What an editor needs to know the types of hooks. */
export function editorSettings(types: string): string {
  const compilerOptions = {
    target: 'es2023',
    module: 'nodenext',
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    paths: { hookline: [types] },
  };
  return `${JSON.stringify({ compilerOptions, include: ['.'] }, null, 2)}\n`;
}
