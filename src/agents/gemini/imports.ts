import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { narrows, type PlacedHandler } from '../hook-groups.ts';
import { type AgentImports, type HookSource, importsFrom, scopedSources } from '../imports.ts';
import type { SetupContext } from '../setup.ts';
import { EXTENSION, hooksPath, userFolder } from './setup-files.ts';
import { hookGroups } from './setup-handlers.ts';

const command = v.looseObject({
  type: v.literal('command'),
  command: v.string(),
  timeout: v.optional(v.number()),
  env: v.optional(v.record(v.string(), v.string())),
});

/** Hooks of settings and of extensions. */
export const imports: AgentImports = importsFrom({ sources, groups: hookGroups, entry });

function sources(context: SetupContext): readonly HookSource[] {
  return [...scopedSources(context, hooksPath), ...extensions(join(userFolder(context), 'extensions'))];
}

function extensions(folder: string): readonly HookSource[] {
  try {
    const names = readdirSync(folder).filter((name) => name !== EXTENSION);
    return names.sort().map((name) => ({ path: join(folder, name, 'hooks', 'hooks.json'), project: null }));
  } catch {
    return [];
  }
}

function entry({ event, matcher, handler }: PlacedHandler, { path }: HookSource) {
  if (!v.is(command, handler))
    return { why: 'Gemini CLI runs only command hooks, and so it does not run this one' };
  // Extensions have a word for their own folder, which the client replaces when it loads them.
  const folder = path.replace(/[\\/]hooks[\\/]hooks\.json$/, '');
  const fill = (text: string) => text.replace(/\$\{extensionPath\}/g, () => folder).replace(/\$\{\/\}/g, '/');
  return {
    entry: {
      type: 'command',
      dialect: 'gemini',
      event,
      ...(narrows(matcher) ? { matcher } : {}),
      command: fill(handler.command),
      ...(handler.env ? { env: handler.env } : {}),
      ...(handler.timeout === undefined ? {} : { timeout: `${handler.timeout}ms` }),
      from: 'gemini',
    },
  };
}
