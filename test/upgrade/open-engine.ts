import { onTestFinished } from 'vitest';
import { handle } from '../../src/engine/handle.ts';
import { createEngine } from '../../src/home/engine.ts';
import { type OpenHome, openHome } from '../../src/home/open.ts';
import { homePaths } from '../../src/home/paths.ts';
import { DEFAULT_PACKS } from '../../src/rules/rule-set.ts';
import { callWith } from '../support/engine.ts';

/** Settings for what is not about packs: to read them all takes a second. */
export const packsOff: string = `packs: {${Object.keys(DEFAULT_PACKS)
  .map((name) => `${name}: off`)
  .join(', ')}}\n`;

/** A home as the code of today opens it. */
export function openOld(root: string): OpenHome {
  const home = openHome(homePaths(root));
  if (home === null) throw new Error(`${root} is open already`);
  onTestFinished(() => home.close());
  return home;
}

interface Judged {
  readonly decision: string;
  /** Who had an opinion, whether it counted or not. */
  readonly by: readonly string[];
}

type Judge = (tool: string, input: object, session?: string) => Promise<Judged>;

/** What the home decides on a call of Claude Code in a folder, without waiting for a person. */
export function judgeIn(home: OpenHome, cwd: string, parts: { readonly hooks: boolean }): Judge {
  const { paths, config, rules, recorder, hooks } = home;
  const engine = createEngine({ paths, config, rules, recorder, ...(parts.hooks ? { hooks } : {}) });
  return async (tool, input, session = 'new') => {
    const payload = {
      session_id: session,
      transcript_path: '',
      cwd,
      hook_event_name: 'PreToolUse',
      tool_name: tool,
      tool_input: input,
    };
    const { record } = await handle(callWith('claude', payload, { receivedAt: Date.now() }), engine);
    const opinions = record.opinions.filter(({ response }) => response.decision !== 'none');
    return {
      decision: record.response.decision,
      by: opinions.map(({ by, observing }) => (observing ? `${by} (observing)` : by)),
    };
  };
}
