import { createRequire } from 'node:module';
import { readFailure } from '../../wire/fail-closed.ts';
import type { ShimSettings } from '../kit/shim/core.ts';
import { coreFile } from '../kit/shim/core-file.ts';
import type { Plugin } from './api.ts';

type Hooks = Partial<Plugin['hooks']>;

/**
 * The file that Cline loads. It has 4 s for that (3.0.65), and its own loader takes most of them for the whole plugin:
 * this loads the rest as Node does.
 */
export function load(settings: ShimSettings): Plugin | (Omit<Plugin, 'hooks'> & { readonly hooks: Hooks }) {
  try {
    const core = coreFile(settings.home, settings.agent);
    return createRequire(core)(core).host(settings);
  } catch {
    return { name: 'hookline', manifest: { capabilities: ['hooks'] }, setup() {}, hooks: unjudged(settings) };
  }
}

/** Without the rest nothing can be judged: the user has chosen what that means, and doctor tells it. */
function unjudged({ home, failClosed, refusals }: ShimSettings): Hooks {
  const refusal = (event: string) => {
    const isClosed = (readFailure(home)?.failure ?? (failClosed ? 'closed' : 'open')) === 'closed';
    return isClosed ? refusals[event]?.refuse : undefined;
  };
  return {
    async beforeRun() {
      const reason = refusal('beforeRun');
      return reason === undefined ? undefined : { stop: true, reason };
    },
    async beforeTool() {
      const reason = refusal('beforeTool');
      return reason === undefined ? undefined : { skip: true, reason };
    },
  };
}
