import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { AGENTS } from '../../../src/agents/_registry.ts';
import type { Client } from '../../../src/sandbox/client.ts';
import { told } from '../../../src/sandbox/process.ts';
import { play, testWith } from '../scene.ts';

/** What a rule can do to a turn. The same rule files hold for every client. */
export function decides(client: Client): void {
  const it = testWith(client);
  // Not every client lets a hook give a permission; one that does not may not even offer a tool that would need it.
  const agent = AGENTS.get(client.id);
  const supports = agent?.supports.before_tool;
  const ends = [agent?.supports.stop, agent?.supports.after_agent];
  const itGates = testWith(
    client,
    ends.some((end) => end?.deny?.level === 'native'),
  );
  const itPermits = testWith(client, supports?.allow?.level === 'native');
  const rewrites = supports?.rewrite?.level === 'native';
  const itRewrites = testWith(client, rewrites);
  const itRefusesToRewrite = testWith(client, !rewrites);

  describe(`${client.id} obeys a rule`, () => {
    it('that denies: the command does not run and the model learns why', async () => {
      const rules = `
        rules:
          - id: no-touch
            command: touch
            deny: Files are made by hand here.
      `;
      const script = [[client.shell('touch forbidden.txt')], 'Then not.'];
      await play(client, { rules, script }, async ({ turn, hookline, model, sandbox }) => {
        await turn('Make a file.', { trustShell: true });
        expect(model.results(1)).toEqual([expect.stringContaining('Files are made by hand here.')]);
        expect(existsSync(join(sandbox.project, 'forbidden.txt'))).toBe(false);

        const events = await hookline.events();
        const denied = events.find((event) => event.type === 'before_tool');
        expect(denied?.response).toMatchObject({
          decision: 'deny',
          reason: expect.stringContaining('Files are made by hand here.'),
        });
        expect(JSON.stringify(denied?.rules)).toContain('no-touch');
        expect(events.filter((event) => event.type === 'after_tool')).toEqual([]);
      });
    });

    it('that asks, where nobody can be asked: the command does not run', async () => {
      const rules = `
        rules:
          - command: touch
            ask: A person has to look at this.
      `;
      const script = [[client.shell('touch unasked.txt')], 'Then not.'];
      await play(client, { rules, script }, async ({ turn, model, sandbox }) => {
        await turn('Make a file.', { trustShell: true });
        const read = client.asksItself ? [model.told(1)] : model.results(1);
        expect(read).toEqual([expect.stringContaining('A person has to look at this.')]);
        expect(existsSync(join(sandbox.project, 'unasked.txt'))).toBe(false);
      });
    });

    itPermits('that allows: the command runs without the permission it would need', async () => {
      const rules = `
        rules:
          - command: touch
            allow: true
      `;
      const script = [[client.shell('touch allowed.txt')], 'Done.'];
      await play(client, { rules, script }, async ({ turn, sandbox }) => {
        await turn('Make a file.');
        expect(existsSync(join(sandbox.project, 'allowed.txt'))).toBe(true);
      });
    });

    itPermits('only where it matches: no opinion is not a permission', async () => {
      const rules = `
        rules:
          - command: mkdir
            allow: true
      `;
      const script = [[client.shell('touch unpermitted.txt')], 'Then not.'];
      await play(client, { rules, script }, async ({ turn, hookline, sandbox }) => {
        await turn('Make a file.');
        expect(existsSync(join(sandbox.project, 'unpermitted.txt'))).toBe(false);
        const asked = (await hookline.events()).find((event) => event.type === 'before_tool');
        expect(asked?.response.decision).toBe('none');
      });
    });

    itRewrites('that rewrites: the other command runs', async () => {
      const rules = `
        rules:
          - command: touch
            rewrite: { command: echo rewritten > written.txt }
      `;
      const script = [[client.shell('touch original.txt')], 'Done.'];
      await play(client, { rules, script }, async ({ turn, hookline, sandbox }) => {
        await turn('Make a file.', { trustShell: true });
        expect(existsSync(join(sandbox.project, 'original.txt'))).toBe(false);
        expect(await readFile(join(sandbox.project, 'written.txt'), 'utf8')).toBe('rewritten\n');
        const after = (await hookline.events()).find((event) => event.type === 'after_tool');
        expect(after?.tool).toMatchObject({
          outcome: client.tellsOutcome === false ? 'unknown' : 'ok',
          input: { command: 'echo rewritten > written.txt' },
        });
      });
    });

    itRefusesToRewrite('that rewrites, where the client cannot: the command does not run', async () => {
      const rules = `
        rules:
          - command: touch
            rewrite: { command: echo rewritten > written.txt }
      `;
      const script = [
        [client.shell('touch original.txt')],
        [client.shell('echo rewritten > written.txt')],
        'Done.',
      ];
      await play(client, { rules, script }, async ({ turn, model, sandbox }) => {
        await turn('Make a file.', { trustShell: true });
        expect(model.results(1)).toEqual([expect.stringContaining('echo rewritten > written.txt')]);
        expect(existsSync(join(sandbox.project, 'original.txt'))).toBe(false);
        expect(await readFile(join(sandbox.project, 'written.txt'), 'utf8')).toBe('rewritten\n');
      });
    });

    it('that adds context: the model reads it in its next request', async () => {
      const rules = `
        rules:
          - on: session_start
            context: The house has a green door.
          - on: turn_start
            context: The dog is called Ada.
          - on: before_tool
            command: echo
            context: Echoes are counted here.
      `;
      const script = [[client.shell('echo hello')], 'Done.'];
      await play(client, { rules, script }, async ({ turn, model }) => {
        await turn('Say hello.', { trustShell: true });
        expect(model.told(0)).toContain('The house has a green door.');
        expect(model.told(0)).toContain('The dog is called Ada.');
        expect(model.told(0)).not.toContain('Echoes are counted here.');
        expect(model.told(1)).toContain('Echoes are counted here.');
      });
    });

    it('that blocks the prompt: the model never sees it', async () => {
      const rules = `
        rules:
          - on: turn_start
            deny: No work on Sundays.
      `;
      await play(client, { rules, script: [] }, async ({ turn, hookline, model }) => {
        const finished = await turn('Work.');
        if (client.tellsWhy !== false)
          expect(finished.stdout + finished.stderr, told(finished)).toContain('No work on Sundays.');
        expect(model.requests.filter((request) => request.step !== null)).toEqual([]);
        const prompt = (await hookline.events()).find((event) => event.type === 'before_agent');
        expect(prompt?.response).toMatchObject({
          decision: 'deny',
          reason: expect.stringContaining('No work on Sundays.'),
        });
      });
    });

    itGates('that does not let the turn end: the model goes on once, and then may stop', async () => {
      const rules = `
        rules:
          - on: turn_end
            deny: The tests have not run yet.
      `;
      const script = ['I am done.', 'Now I really am.'];
      await play(client, { rules, script }, async ({ turn, hookline, model }) => {
        const finished = await turn('Work.');
        expect(finished.stdout, told(finished)).toContain('Now I really am.');
        expect(model.told(0)).not.toContain('The tests have not run yet.');
        expect(model.told(1)).toContain('The tests have not run yet.');
        const stops = (await hookline.events()).filter((event) =>
          ['stop', 'after_agent'].includes(event.type),
        );
        expect(stops.map((event) => event.response.decision)).toEqual(['deny', 'none']);
      });
    });
  });
}
