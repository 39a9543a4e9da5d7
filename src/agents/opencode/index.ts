import type { Agent } from '../agent.ts';
import { type Variant, variantOf } from './variant.ts';

const VARIANT: Variant = {
  id: 'opencode',
  label: 'OpenCode',
  testedVersion: '1.18.33',
  program: 'opencode',
  folder: 'opencode',
  envPrefix: 'OPENCODE',
  library: '@opencode-ai/plugin',
  packages: ['opencode-ai'],
  variables: ['OPENCODE', 'OPENCODE_PID'],
};

export const { agent, shim } = variantOf(VARIANT);

const opencode: Agent = agent;
export default opencode;
