import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect } from 'vitest';
import gemini from '../../../src/agents/gemini/client.ts';
import { play, testWith } from '../scene.ts';
import { writeSettings } from './settings.ts';

const it = testWith(gemini);

const Status = v.looseObject({ daemon: v.looseObject({ http: v.string() }) });

/** A dispatcher script as people have it: it wraps the payload, prints the answer, and exits with 2 unless allowed. */
const dispatcher = (url: string) => `
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const response = await fetch(${JSON.stringify(`${url}/hooks/gemini`)}, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    source: 'gemini',
    hook_type: process.argv[2],
    input_data: JSON.parse(Buffer.concat(chunks).toString()),
  }),
});
const result = await response.json();
process.stdout.write(JSON.stringify(result));
process.exitCode = (result.decision ?? 'allow') === 'allow' ? 0 : 2;
`;

describe('a dispatcher script over HTTP, instead of the forwarder', () => {
  it("gets answers in the client's format, and only a denial exits with 2", async () => {
    const rules = `
      rules:
        - command: touch
          deny: Files are made by hand here.
        - on: before_agent
          context: The dog is called Ada.
    `;
    const script = [[gemini.shell('touch forbidden.txt'), gemini.shell('echo fine')], 'Then not.'];
    const prepare = ({ hooklineHome }: { readonly hooklineHome: string }) =>
      writeFile(join(hooklineHome, 'config.yaml'), 'http: { port: 0, hooksWithoutToken: true }\n');
    await play(gemini, { rules, script, prepare }, async ({ turn, hookline, sandbox, model }) => {
      await hookline.run(['remove', 'gemini', '--yes']);
      const { stdout } = await hookline.run(['status', '--json']);
      const file = join(sandbox.home, 'dispatch.mjs');
      await writeFile(file, dispatcher(v.parse(Status, JSON.parse(stdout)).daemon.http));
      const events = ['SessionStart', 'BeforeAgent', 'BeforeTool', 'AfterTool', 'AfterAgent', 'SessionEnd'];
      const hooks = Object.fromEntries(
        events.map((event) => [
          event,
          [
            {
              hooks: [
                {
                  type: 'command',
                  command: `node ${file} ${event}; code=$?; echo $code >> ${file}.${event}; exit $code`,
                },
              ],
            },
          ],
        ]),
      );
      await writeSettings(sandbox, { hooks });

      await turn('Make a file.', { trustShell: true });
      const [denied, ran] = model.results(1);
      expect(denied).toContain('Files are made by hand here.');
      expect(ran).toContain('fine');
      expect(model.told(0)).toContain('The dog is called Ada.');
      const exits = await Promise.all(
        events.map(async (event) => (await readFile(`${file}.${event}`, 'utf8')).trim()),
      );
      // The client asks about both calls at once, so either answer may be the first.
      expect(exits.map((codes) => codes.split('\n').toSorted())).toEqual([
        ['0'],
        ['0'],
        ['0', '2'],
        ['0'],
        ['0'],
        ['0'],
      ]);
      expect((await hookline.events()).map(({ type }) => type)).toEqual([
        'session_start',
        'before_agent',
        'before_tool',
        'before_tool',
        'after_tool',
        'after_agent',
        'session_end',
      ]);
    });
  });
});
