import type { Agent, Supports } from '../agent.ts';
import { shimAnswers } from '../kit/shim/answers.ts';
import { type ShimHost, shimSetup, shimTimeoutMs } from '../kit/shim/setup.ts';
import { describe, payloadsOf, toolPayload, withInput } from './decode.ts';
import { FORMS, refusals } from './encode.ts';
import { history } from './history.ts';
import { permissionsOf } from './permissions.ts';
import { type ClientNames, shimHost } from './setup.ts';
import { blindSpotsOf, readingTools, supportsOf } from './supports.ts';

/** What differs between the client and those that are made from it. */
interface Variant extends ClientNames {
  readonly testedVersion: string;
  /** Notes that are not as those of the client itself. */
  readonly supports?: (own: Supports) => Supports;
  /** What it sets for the programs that it starts. */
  readonly variables: readonly string[];
  readonly packages: readonly string[];
}

/** The agent, and what setup writes for it. */
export function variantOf(variant: Variant): { readonly agent: Agent; readonly shim: ShimHost } {
  const { id, label, testedVersion, program, folder, envPrefix } = variant;
  const payloads = payloadsOf(id, label);
  const encode = shimAnswers({ payloads, forms: FORMS, refusals });
  const shim = shimHost(variant, refusals);
  const supports = supportsOf(testedVersion);
  const agent: Agent = {
    id,
    label,
    testedVersion,
    envAllowList: [],
    // What lies in the folder, not the folder: `mv a/.* b` names any that begins with a dot.
    settingsFiles: [
      `**/.config/${folder}/**`,
      `**/.${folder}/*`,
      `**/.${folder}/*/**`,
      `**/${folder}.json`,
      `**/${folder}.jsonc`,
      // Wherever the folder of settings has been moved to.
      `**/${folder}/plugin/hookline.js`,
      `**/${folder}/packages/hookline*/**`,
    ],
    // Options and variables of the client.
    escapes: {
      programs: [program],
      unhooked: [`${program} --pure`],
      otherSettings: [],
      unasked: ['--auto', '--yolo', '--dangerously-skip-permissions'].map(
        (option) => `${program} run ${option}`,
      ),
      variables: ['PURE', 'CONFIG', 'CONFIG_DIR', 'CONFIG_CONTENT'].map((name) => `${envPrefix}_${name}`),
    },
    shellRemarks: ['description', 'timeout'],
    readingTools,
    processes: { programs: [program], packages: variant.packages, variables: variant.variables },
    supports: variant.supports?.(supports) ?? supports,
    blindSpots: blindSpotsOf(testedVersion),
    decode: payloads.decode,
    encode: (event, response) => encode(agent, event, response),
    refusals,
    withInput,
    toolPayload,
    timeoutMs: () => shimTimeoutMs(shim),
    setup: shimSetup(shim),
    permissions: permissionsOf(variant),
    history,
    describe,
  };
  return { agent, shim };
}

const own = variantOf({
  id: 'opencode',
  label: 'OpenCode',
  testedVersion: '1.18.33',
  program: 'opencode',
  folder: 'opencode',
  envPrefix: 'OPENCODE',
  library: '@opencode-ai/plugin',
  packages: ['opencode-ai'],
  variables: ['OPENCODE', 'OPENCODE_PID'],
});

export const { shim } = own;
const opencode: Agent = own.agent;
export default opencode;
