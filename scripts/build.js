// Builds dist/: the JavaScript, the migrations, the type declarations and, where cargo is, the native forwarder.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = (command, ...args) => execFileSync(command, args, { cwd: root, stdio: 'inherit' });
const node = (script, ...args) => run(process.execPath, script, ...args);

node('scripts/gen-agents.js');
node('node_modules/tsdown/dist/run.mjs');
cpSync(`${root}/src/store/migrations`, `${root}/dist/migrations`, { recursive: true });
if (existsSync(`${root}/scripts/build-native.js`)) node('scripts/build-native.js');
