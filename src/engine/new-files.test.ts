import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { callWith, createTestEngine, saying } from '../../test/support/engine.ts';
import { scratchFolder } from '../../test/support/scratch.ts';
import { AGENTS } from '../agents/_registry.ts';
import { isToolEvent } from '../model/events.ts';
import { rewrite } from '../model/responses.ts';
import { type Engine, handle } from './handle.ts';

/** What hooks see that an event does to its files. */
async function operations(engine: Engine, agent: string, payload: unknown): Promise<readonly string[]> {
  const { event } = (await handle(callWith(agent, payload), engine)).record;
  return isToolEvent(event) ? event.tool.files.map(({ op }) => op) : [];
}

const claude = (name: string, cwd: string, path: string, more: object = {}) => ({
  session_id: 's',
  cwd,
  hook_event_name: name,
  tool_name: 'Write',
  tool_input: { file_path: path, content: 'x' },
  tool_use_id: 't',
  ...more,
});

test.each([...AGENTS.values()].map((agent) => [agent.id, agent] as const))(
  '%s: a new file is created, an existing one is written',
  async (id, agent) => {
    const cwd = scratchFolder();
    const path = join(cwd, 'a.txt');
    const payload = () => agent.toolPayload({ id: 's', tool: 'Write', input: writing(id, path), cwd });
    expect(await operations(createTestEngine([]), id, payload())).toEqual(['create']);
    writeFileSync(path, '');
    expect(await operations(createTestEngine([]), id, payload())).toEqual(['write']);
  },
);

/** The arguments of a call that writes a file, in the words of an agent. */
function writing(agent: string, path: string): Record<string, unknown> {
  const patch = `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch`;
  if (agent === 'codex') return { command: patch };
  return { file_path: path, filePath: path, path, content: 'x', text: 'x', new_text: 'x', file_text: 'x' };
}

describe('the result of a call', () => {
  test('says what was so before the call', async () => {
    const engine = createTestEngine([]);
    const cwd = scratchFolder();
    expect(await operations(engine, 'claude', claude('PreToolUse', cwd, 'new.txt'))).toEqual(['create']);
    writeFileSync(join(cwd, 'new.txt'), 'x');
    const result = claude('PostToolUse', cwd, 'new.txt', { tool_response: {} });
    expect(await operations(engine, 'claude', result)).toEqual(['create']);
    expect(await operations(engine, 'claude', claude('PreToolUse', cwd, 'new.txt'))).toEqual(['write']);
    expect(await operations(engine, 'claude', result)).toEqual(['write']);
  });

  test('says what the agent says, of a call that was not seen', async () => {
    const engine = createTestEngine([]);
    const result = (response: object) =>
      claude('PostToolUse', scratchFolder(), 'a.txt', { tool_response: response });
    expect(await operations(engine, 'claude', result({ type: 'create' }))).toEqual(['create']);
    expect(await operations(engine, 'claude', result({}))).toEqual(['write']);
  });
});

test('a file that a patch adds where there is one is written', async () => {
  const cwd = scratchFolder();
  mkdirSync(join(cwd, 'src'));
  writeFileSync(join(cwd, 'src', 'a.txt'), '');
  const command = '*** Begin Patch\n*** Add File: src/a.txt\n+x\n*** Add File: b.txt\n+x\n*** End Patch';
  const payload = AGENTS.get('codex')?.toolPayload({ id: 's', tool: 'apply_patch', input: { command }, cwd });
  expect(await operations(createTestEngine([]), 'codex', payload)).toEqual(['write', 'create']);
});

test('a call that a hook changed still creates its file', async () => {
  const seen: string[] = [];
  const look = saying((event) => {
    if (isToolEvent(event)) seen.push(...event.tool.files.map(({ op }) => op));
    return null;
  }, 'look');
  const change = saying(() => rewrite({ content: 'y' }), 'change');
  const engine = createTestEngine([change, look]);
  await handle(callWith('claude', claude('PreToolUse', scratchFolder(), 'a.txt')), engine);
  expect(new Set(seen)).toEqual(new Set(['create']));
});
