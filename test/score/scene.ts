import { posix } from 'node:path';
import claude from '../../src/agents/claude/index.ts';
import { settingsNames } from '../../src/home/rule-places.ts';
import type { HookEvent } from '../../src/model/events.ts';
import type { World } from '../../src/rules/facts.ts';
import { createHookScripts } from '../../src/rules/self/references.ts';
import { cleanTree, isAtOrBelow } from '../../src/rules/world/uncommitted.ts';
import { plainWorld, shellCall } from '../support/rules/rules.ts';
import { type RowCall, type Scene, ScoreError } from './corpus.ts';

/** The folder that every call starts in. */
const PROJECT = '/home/dev/shop';

/** The event that a call is: of Claude Code, as it sends it. */
export function eventOf(call: RowCall): HookEvent {
  if ('command' in call) return shellCall(call.command, PROJECT);
  const payload = {
    session_id: 's1',
    cwd: PROJECT,
    hook_event_name: 'PreToolUse',
    tool_name: call.tool,
    tool_input: call.input,
  };
  const event = claude.decode({ id: 'score', receivedAt: 0, event: null, payload, env: {} });
  if (event.type !== 'before_tool') throw new ScoreError(`${call.tool} is not understood as a tool.`);
  return { ...event, projectId: PROJECT };
}

/** What was changed long ago. */
const LONG_AGO = -86_400_000;

/** A machine with the files of a scene, and nothing besides. */
export function withScene(world: World, { before, tree }: Scene): World {
  const files = new Map(Object.entries(before).map(([path, text]) => [placeOf(path), text]));
  const below = (folder: string) => {
    const start = folder.endsWith('/') ? folder : `${folder}/`;
    return [...files.keys()].flatMap((path) => (path.startsWith(start) ? [path.slice(start.length)] : []));
  };
  const exists = (path: string) => files.has(path) || below(path).length > 0;
  const scriptText = (path: string) => files.get(path) ?? null;
  return {
    ...world,
    treeOf: () => tree ?? 'clean',
    treeRoot: (folder) => (isAtOrBelow(PROJECT)(folder) ? PROJECT : null),
    uncommittedIn: (root) =>
      tree === 'clean'
        ? cleanTree(
            root,
            [...files.keys()].map((path) => posix.relative(root, path)),
          )
        : null,
    exists,
    namesIn: (folder) => [...new Set(below(folder).map((path) => path.split('/')[0] ?? ''))],
    filesBelow: (folder, isSkipped) =>
      files.has(folder)
        ? [folder]
        : below(folder).flatMap((path) =>
            path.split('/').some(isSkipped) ? [] : [posix.join(folder, path)],
          ),
    changedAt: (path) => (exists(path) ? LONG_AGO : null),
    isAbsent: (path) => !exists(path),
    scriptText,
    hookScripts: createHookScripts(settingsNames(), { ...world, scriptText }),
  };
}

function placeOf(path: string): string {
  return posix.resolve(PROJECT, path.replace(/^~(?=\/)/, plainWorld.home ?? '~'));
}
