import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { testAgent } from '../../../test/support/agents/contract.ts';
import { testShimPackage, testShimSetup } from '../../../test/support/agents/shim.ts';
import kilo, { shim } from './index.ts';

testAgent(kilo, { fixtures: new URL('./fixtures/', import.meta.url) });

testShimSetup(shim);

testShimPackage(shim, {
  folder: ({ home }) =>
    join(home, '.cache', 'kilo', 'packages', 'hookline@latest', 'node_modules', 'hookline'),
  settings: ({ home }) => [
    join(home, '.config', 'kilo', 'kilo.jsonc'),
    '{ "plugin": [["hookline", {}]] // Guards.\n}',
  ],
  project: ({ cwd }, folder) => [
    join(cwd, 'kilo.json'),
    JSON.stringify({ plugin: [pathToFileURL(folder).href] }),
  ],
  without: ['{ "plugin": ["hookline-notes"] }', '{ "plugin": ["hookline@0.0.1", "file:///%zz"] }', 'no JSON'],
});
