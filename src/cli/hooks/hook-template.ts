/** A hook to start with, and what an editor needs to know its types. */
export function hookTemplate(on: string, tool: string | undefined): string {
  const guarded = tool ?? 'Bash';
  return on === 'before_tool' || on === 'tool' || tool !== undefined
    ? `import { defineHook, deny } from 'hookline';

export default defineHook({
  on: '${on}',
  tool: '${guarded}',
  run(event) {
    if (JSON.stringify(event.tool.input).includes('not like this')) {
      return deny('Write the next step for the model here.');
    }
  },
});
`
    : `import { context, defineHook } from 'hookline';

export default defineHook({
  on: '${on}',
  run(event, { session }) {
    return context(\`This is \${event.type} in \${session.cwd}.\`);
  },
});
`;
}

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
