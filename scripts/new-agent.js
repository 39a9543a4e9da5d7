// Writes the folder of a new agent and its docs page: `npm run new-agent <id> [label]`. What is left
// to do is marked in the files, and the agent's contract tests fail with it, one by one.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const templates = fileURLToPath(new URL('./new-agent/', import.meta.url));

/** Writes the files under `root` and returns their paths. Throws where the id cannot be used. */
export function writeAgent(id, label, root) {
  if (!/^[a-z][a-z0-9]*$/.test(id))
    throw new Error(`Invalid id "${id}": use lower-case letters and digits, such as "codex".`);
  const folder = join(root, 'src', 'agents', id);
  if (existsSync(folder)) throw new Error(`${relative(root, folder)} exists already. Choose another id.`);
  const targets = [
    ['agent', folder],
    ['docs', join(root, 'docs', 'agents')],
  ];
  return targets.flatMap(([part, target]) =>
    filesIn(join(templates, part)).map((name) => {
      const path = join(target, name.replace('newagent', id));
      const text = readFileSync(join(templates, part, name), 'utf8');
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, filled(text, id, path.endsWith('.ts') ? label.replaceAll("'", "\\'") : label));
      return relative(root, path);
    }),
  );
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

function filled(text, id, label) {
  return text
    .replaceAll('newagent', id)
    .replaceAll('NEWAGENT', id.toUpperCase())
    .replaceAll('New Agent', label);
}

async function main([id, label = '']) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  if (id === undefined) throw new Error('Usage: npm run new-agent <id> [label]');
  const written = writeAgent(id, label || id.slice(0, 1).toUpperCase() + id.slice(1), root);
  await import('./gen-agents.js');
  console.log(`${written.join('\n')}

These compile, and src/agents/${id}/agent.test.ts says what is left to write:
  npm test -- src/agents/${id}
Then regenerate the tables in docs/:
  npx vitest run test/docs.test.ts -u`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  main(process.argv.slice(2)).catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
