// Runs the hook executor that @cursor/sdk ships: node executor.js <its index.js> <scratch folder>, steps on stdin.
// It reads the settings under HOME and the project, starts the commands in them, and judges what they print.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [index = '', scratch = ''] = process.argv.slice(2);
const { root, steps } = JSON.parse(readFileSync(0, 'utf8'));

// The bundle keeps its modules to itself: a copy gives out the function that loads them.
const folder = join(scratch, 'esm');
mkdirSync(folder, { recursive: true });
const modules = index.slice(0, index.lastIndexOf('node_modules') + 'node_modules'.length);
symlinkSync(modules, join(scratch, 'node_modules'));
for (const name of readdirSync(dirname(index)).filter((one) => one.endsWith('.js')))
  copyFileSync(join(dirname(index), name), join(folder, name));
const text = readFileSync(index, 'utf8');
const load =
  /function (\w+)\(\w\)\{var \w=\w+\[\w\];if\(void 0!==\w\)return \w\.exports;/.exec(text)?.[1] ?? '';
const at = text.indexOf(`${load}.m=`);
if (load === '' || at < 0) throw new Error('the bundle is not of the shape that it was');
writeFileSync(
  join(folder, 'index.js'),
  `${text.slice(0, at)}globalThis.loadModule=${load},${text.slice(at)}`,
);
await import(pathToFileURL(join(folder, 'index.js')).href);
const { loadModule } = globalThis;
for (const name of readdirSync(folder).filter((one) => /^\d+\.js$/.test(one))) {
  const { __webpack_esm_modules__: loaded } = await import(pathToFileURL(join(folder, name)).href);
  Object.assign(loadModule.m, loaded);
}
const { vk: hooks } = loadModule('../cursor-sdk-local-runtime/dist/core/hooks-runtime.js');
const workspaceState = { projectRoot: root, workingDirectory: root, workspaceRoots: [root] };
const runtime = await hooks({}).createHooksRuntime({ workspaceState });
const { hookExecutor } = runtime.createSessionRuntime({});
const results = [];
for (const [event, payload] of steps)
  results.push((await hookExecutor.executeHookForStep(event, payload)) ?? null);
process.stdout.write(JSON.stringify(results), () => process.exit(0));
