import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect } from 'vitest';
import codex, { OWN_CONFIG } from '../../../src/agents/codex/client.ts';
import type { Hookline } from '../../../src/live/hookline.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { play, testWith } from '../scene.ts';
import { readSettings, writeSettings } from './settings.ts';

const it = testWith(codex);

const Report = v.object({
  reports: v.array(
    v.looseObject({ about: v.string(), findings: v.array(v.looseObject({ code: v.string() })) }),
  ),
});

async function codesOf(hookline: Hookline): Promise<readonly string[]> {
  // It ends with 1 when there is a problem, which is what is looked for here.
  const { stdout } = await hookline.run(['doctor', '--json']).catch((error: Error) => ({
    stdout: /^stdout: (.*)$/m.exec(error.message)?.[1] ?? '',
  }));
  const { reports } = v.parse(Report, JSON.parse(stdout));
  return reports.find(({ about }) => about === 'codex')?.findings.map(({ code }) => code) ?? [];
}

describe('setup of codex', () => {
  // Odd spacing, a comment, no newline at the end: what a person wrote stays as that person wrote it.
  const mine =
    '{\n   "description":"mine",\n\t"hooks": {"PreToolUse":[ {"matcher":"Bash", "hooks":[{"type":"command","command":"echo seen >> seen.txt"}]} ]}}';

  it('keeps the hooks of others, and remove restores the files', async () => {
    const script = [[codex.shell('echo hello')], 'Done.'];
    await play(
      codex,
      {
        script,
        prepare: (sandbox) => writeSettings(sandbox, 'hooks.json', mine),
      },
      async ({ turn, hookline, sandbox }) => {
        const installed = await readSettings(sandbox, 'hooks.json');
        await turn('Say hello.');
        expect((await hookline.events()).map((event) => event.type)).toContain('before_tool');
        // That hook was never trusted by anyone, and setup did not trust it either.
        expect(existsSync(join(sandbox.project, 'seen.txt'))).toBe(false);

        await hookline.run(['setup', 'codex', '--yes']);
        expect(await readSettings(sandbox, 'hooks.json')).toBe(installed);
        await hookline.run(['remove', 'codex', '--yes']);
        expect(await readSettings(sandbox, 'hooks.json')).toBe(mine);
        expect(await readSettings(sandbox, 'config.toml')).toBe(OWN_CONFIG);
      },
    );
  });

  it('creates missing files, and remove deletes them', async () => {
    const prepare = ({ home }: Sandbox) => rm(join(home, '.codex'), { recursive: true });
    await play(codex, { script: ['Hello.'], prepare }, async ({ turn, hookline, sandbox }) => {
      expect(await codesOf(hookline)).toEqual(expect.arrayContaining(['set-up', 'trusted', 'blind-spots']));
      await hookline.run(['remove', 'codex', '--yes']);
      expect(existsSync(join(sandbox.home, '.codex'))).toBe(false);
      await turn('Hello?');
      expect(await hookline.events()).toEqual([]);
    });
  });

  it('an untrusted hook is skipped silently by the client, and doctor reports it', async () => {
    const script = [[codex.shell('echo hello')], 'Done.'];
    await play(codex, { script }, async ({ turn, hookline, sandbox }) => {
      const trusted = await readSettings(sandbox, 'config.toml');
      await writeSettings(sandbox, 'config.toml', OWN_CONFIG);
      expect(await codesOf(hookline)).toContain('untrusted');
      const skipped = await turn('Say hello.');
      expect(skipped.code).toBe(0);
      expect(await hookline.events()).toEqual([]);

      await hookline.run(['setup', 'codex', '--yes']);
      expect(await readSettings(sandbox, 'config.toml')).toBe(trusted);
      expect(await codesOf(hookline)).not.toContain('untrusted');
    });
  });

  it('a hook placed before ours takes its trust, and doctor reports it', async () => {
    await play(codex, { script: ['Hello.'] }, async ({ turn, hookline, sandbox }) => {
      const hooks = JSON.parse((await readSettings(sandbox, 'hooks.json')) ?? '');
      hooks.hooks.Stop.unshift({ hooks: [{ type: 'command', command: 'true' }] });
      await writeSettings(sandbox, 'hooks.json', JSON.stringify(hooks));
      expect(await codesOf(hookline)).toContain('untrusted');
      await turn('Hello?');
      const types = (await hookline.events()).map((event) => event.type);
      expect(types).toContain('session_start');
      expect(types).not.toContain('stop');
    });
  });

  it('finds disabled hooks', async () => {
    await play(codex, { script: ['Hello.'] }, async ({ turn, hookline, sandbox }) => {
      const config = await readSettings(sandbox, 'config.toml');
      await writeSettings(sandbox, 'config.toml', `features.hooks = false\n${config}`);
      expect(await codesOf(hookline)).toContain('hooks-disabled');
      await turn('Hello?');
      expect(await hookline.events()).toEqual([]);
    });
  });

  it('works for a project, which the client must trust too', async () => {
    const script = ['Hello.', 'Hello again.'];
    await play(codex, { script }, async ({ turn, hookline, sandbox }) => {
      await hookline.run(['remove', 'codex', '--yes']);
      await hookline.run(['setup', 'codex', '--scope', 'project', '--yes']);
      const config = await readSettings(sandbox, 'config.toml');
      const trust = (level: string) =>
        `\n[projects.${JSON.stringify(sandbox.project)}]\ntrust_level = "${level}"\n`;
      await writeSettings(sandbox, 'config.toml', config + trust('untrusted'));
      await turn('Hello?');
      expect(await hookline.events()).toEqual([]);

      await writeSettings(sandbox, 'config.toml', config + trust('trusted'));
      await turn('Hello?');
      expect((await hookline.events()).map((event) => event.type)).toContain('before_agent');

      await hookline.run(['remove', 'codex', '--scope', 'project', '--yes']);
      expect(existsSync(join(sandbox.project, '.codex'))).toBe(false);
      // What was written since stays; only what is ours goes.
      expect(await readSettings(sandbox, 'config.toml')).toBe(`${OWN_CONFIG}\n${trust('trusted')}`);
    });
  });
});
