// Builds dist/: the JavaScript, the dashboard, the migrations and, where cargo is, the native forwarder.
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const node = (script, stdio, ...args) =>
  execFileSync(process.execPath, [script, ...args], { cwd: root, stdio });

// Beside the output: what packs reads that.
const step = (what) => console.error(`Building ${what} …`);

step('the program');
node('scripts/gen-agents.js', 'inherit');
rmSync(`${root}/dist`, { recursive: true, force: true });
try {
  node('node_modules/tsdown/dist/run.mjs', 'pipe');
} catch (error) {
  // The bundler talks a lot; only a failure is worth reading.
  console.error(`${error.stdout}${error.stderr}`);
  process.exit(1);
}
node('scripts/build-shims.js', 'inherit');
step('the types');
// What people write hooks and their tests with is typed.
node('scripts/build-types.js', 'inherit');
cpSync(`${root}/src/store/migrations`, `${root}/dist/migrations`, { recursive: true });
cpSync(`${root}/src/rules/packs`, `${root}/dist/packs`, { recursive: true });
cpSync(`${root}/src/cli/demo/recordings`, `${root}/dist/recordings`, { recursive: true });
step('the dashboard');
node('scripts/build-web.js', 'inherit');
step('the forwarder');
node('scripts/build-native.js', 'inherit');
