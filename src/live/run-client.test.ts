import { writeFileSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { readProjectFiles, writeFiles, writeHooks } from './project-files.ts';
import { runClient } from './run-client.ts';
import { testAgent } from './test-agent.ts';

const turn = { script: ['Done.'], prompt: 'Hi' };

// The rest is tested with real clients, in test/clients.

test('a missing client is an error that says what to do', async () => {
  vi.stubEnv('PATH', scratchFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(runClient('claude', turn)).rejects.toMatchObject({
    code: 'AGENT_MISSING',
    message: 'Claude Code is not on PATH.',
    hint: expect.stringContaining('install: true'),
  });
});

test('an agent that cannot be run is an error that names the others', async () => {
  await expect(runClient('unknown', turn)).rejects.toMatchObject({
    code: 'AGENT_UNKNOWN',
    hint: expect.stringMatching(/claude.*gemini/),
  });
  await expect(runClient('cursor', turn)).rejects.toThrow("Cursor can't be run by a script.");
});

test('a missing program is an error, not a client without effects', async () => {
  const program = join(scratchFolder(), 'pi');
  const missing = { code: 'AGENT_MISSING', message: `No program ${program} for Pi.` };
  await expect(runClient('pi', { ...turn, program })).rejects.toMatchObject(missing);
  await expect(testAgent('pi', { program })).rejects.toMatchObject(missing);
});

test('runs nothing without a prompt or a script', async () => {
  // Never started.
  const program = process.execPath;
  for (const [given, missing] of [
    [{ script: ['Done.'] }, 'prompt'],
    [{ script: ['Done.'], prompt: ' ' }, 'prompt'],
    [{ prompt: 'Hi' }, 'script'],
  ] as const)
    await expect(runClient('pi', Object({ ...given, program }))).rejects.toMatchObject({
      code: 'USAGE',
      message: `runClient() needs a ${missing}.`,
    });
});

test('invalid rules are an error, because nothing would be tested with them', async () => {
  // Never started.
  const program = process.execPath;
  const rules = 'rules:\n  - commnd: ls\n    deny: No.\n';
  const invalid = {
    code: 'RULE_INVALID',
    message: 'rules.yaml:2:5: commnd: unknown key; did you mean command?',
    hint: expect.stringContaining('the URL of a rule file'),
  };
  await expect(runClient('pi', { ...turn, program, rules })).rejects.toMatchObject(invalid);
  await expect(testAgent('pi', { program, rules })).rejects.toMatchObject(invalid);
  // As hook files are given, but this is YAML.
  await expect(testAgent('pi', { program, rules: 'rules/mine.yaml' })).rejects.toMatchObject({
    code: 'RULE_INVALID',
  });
  const nowhere = pathToFileURL(join(scratchFolder(), 'mine.yaml'));
  await expect(testAgent('pi', { program, rules: nowhere })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test.each(['HOME', 'HOOKLINE_HOME', 'HOOKLINE_SCRIPT_KEY', 'XDG_CONFIG_HOME', 'https_proxy', 'TMPDIR'])(
  'a test that passes %s on does not reach the real home by accident',
  async (name) => {
    await expect(runClient('claude', { ...turn, env: { [name]: '/somewhere' } })).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining(name),
    });
  },
);

test('writes files only below the project, and reads them back', async () => {
  const folder = scratchFolder();
  await writeFiles(folder, { 'src/a.ts': 'a', 'b.txt': 'b' });
  await writeFiles(folder, { '.git/config': 'x', 'node_modules/m/index.js': 'x' });
  expect(await readProjectFiles(folder)).toEqual({ 'src/a.ts': 'a', 'b.txt': 'b' });
  await expect(writeFiles(folder, { '../c.txt': 'c' })).rejects.toThrow('../c.txt is not in the project');
});

test('adds hooks to a home by content or by path', async () => {
  const [home, own] = [scratchFolder(), scratchFolder()];
  await mkdir(home, { recursive: true });
  await writeHooks(home, { 'a.ts': 'export default 1;' });
  expect(await readFile(join(home, 'a.ts'), 'utf8')).toBe('export default 1;');
  writeFileSync(join(own, 'b.ts'), '');
  await writeHooks(home, [join(own, 'b.ts')]);
  expect(await readFile(join(home, 'b.ts'), 'utf8')).toContain(`from "file://${own}/b.ts"`);
  await expect(writeHooks(home, [join(own, 'c.ts')])).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
