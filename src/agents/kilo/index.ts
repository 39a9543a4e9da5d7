import type { Agent } from '../agent.ts';
import { variantOf } from '../opencode/index.ts';

/** Made from OpenCode: the same plugins under other names. */
const own = variantOf({
  id: 'kilo',
  label: 'Kilo',
  testedVersion: '7.7.9',
  program: 'kilo',
  folder: 'kilo',
  envPrefix: 'KILO',
  library: '@kilocode/plugin',
  packages: ['@kilocode/cli'],
  variables: ['KILO', 'KILO_PID'],
});

export const { shim } = own;
const kilo: Agent = own.agent;
export default kilo;
