// Builds dist/: the JavaScript, the dashboard, the migrations and, where cargo is, the native forwarder. It is built
// beside and put in place when it is whole, so that what runs from the checkout meanwhile finds the one before.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const node = (script, stdio, ...args) =>
  execFileSync(process.execPath, [script, ...args], { cwd: root, stdio });

const dist = `${root}/dist`;
const [fresh, before] = [`${dist}.new`, `${dist}.before`];
const clear = (folder) => rmSync(folder, { recursive: true, force: true });

// Beside the output: what packs reads that.
const step = (what) => console.error(`Building ${what} …`);

step('the program');
node('scripts/gen-agents.js', 'inherit');
clear(fresh);
try {
  node('node_modules/tsdown/dist/run.mjs', 'pipe', '--out-dir', fresh);
} catch (error) {
  // The bundler talks a lot; only a failure is worth reading.
  console.error(`${error.stdout}${error.stderr}`);
  process.exit(1);
}
node('scripts/build-shims.js', 'inherit', fresh);
step('the types');
// What people write hooks and their tests with is typed.
node('scripts/build-types.js', 'inherit', fresh);
node('scripts/build-knowledge.js', 'inherit', fresh);
cpSync(`${root}/src/store/database/migrations`, `${fresh}/migrations`, { recursive: true });
cpSync(`${root}/src/fleet/archive/tables`, `${fresh}/tables`, { recursive: true });
// For people, who are told the line of a rule; the program reads what is made of them.
cpSync(`${root}/src/rules/packs`, `${fresh}/packs`, { recursive: true });
node('scripts/build-packs.js', 'inherit', fresh);
cpSync(`${root}/src/cli/demo/recordings`, `${fresh}/recordings`, { recursive: true });
step('the dashboard');
node('scripts/build-web.js', 'inherit', fresh);
step('the forwarder');
node('scripts/build-native.js', 'inherit', fresh);

clear(before);
if (existsSync(dist)) renameSync(dist, before);
renameSync(fresh, dist);
clear(before);
