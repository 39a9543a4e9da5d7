import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testAgent } from '../testing/contract.ts';
import { shimMachine, testShimSetup } from '../testing/shim.ts';
import pi from './index.ts';
import { HOST } from './setup.ts';

testAgent(pi, { fixtures: new URL('./fixtures/', import.meta.url) });
testShimSetup(HOST);

test.each([
  ['-extensions/hookline.js', true],
  ['!**/*.js', true],
  ['/opt/hookline-notes.ts', false],
])('an entry %s in its settings excludes the extension: %s', (entry, excluded) => {
  const { machine, context } = shimMachine();
  machine.install(pi.setup, context);
  const settings = join(machine.home, '.pi', 'agent', 'settings.json');
  machine.write(settings, JSON.stringify({ extensions: [entry] }));
  const codes = pi.setup.inspect(context).map(({ code }) => code);
  expect(codes.includes('excluded')).toBe(excluded);
});
