import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { connect } from '../../src/client/client.ts';
import { wholeOf } from '../../src/store/record/long-text.ts';
import { bashPayload, FORWARDERS, type Input, scratchProduct } from './product.ts';

const MIB = 1 << 20;
const half = bashPayload('ls').slice(0, 40);

type Bad = readonly [what: string, stdin: Input, problem: string];

/** What a broken agent may send and Hookline can't read in full, and what is said about it. */
const UNREADABLE: readonly Bad[] = [
  ['nothing', '', 'it is empty'],
  ['only blanks', ' \n\t ', 'it is empty'],
  ['half JSON', half, `it is not one JSON object (${half.length} bytes)`],
  ['an array', '[{"hook_event_name":"PreToolUse"}]', 'it is not one JSON object'],
  ['a word', 'null', 'it is not one JSON object'],
  ['two objects', '{}{}', 'it is not one JSON object'],
  ['NUL bytes', Buffer.alloc(1000), 'it is not one JSON object'],
  ['bytes that are not text', Buffer.from(bashPayload('l\xffs'), 'latin1'), 'it is not UTF-8'],
  ['100,000 levels', `{"a":${'[{"a":'.repeat(50_000)}`, 'levels deep'],
  // More than a request to the daemon may have, and less than a forwarder reads.
  ['25 MB of one string', `{"a":"${'x'.repeat(25 * MIB)}"}`, 'it is larger than 16 MiB'],
  ['25 MB of nothing', Buffer.alloc(25 * MIB, ' '), 'it is larger than 16 MiB'],
];

/** JSON, but not of the shape that it should have. */
const MISSHAPEN: readonly Bad[] = [
  ['a session that is a number', bashPayload('ls', { session_id: 5 }), 'with session_id that is not'],
  ['input that is text', bashPayload('ls', { tool_input: 'ls' }), 'with tool_input that is not'],
  ['a tool that is a list', bashPayload('ls', { tool_name: ['Bash'] }), 'with tool_name that is not'],
];

const BAD = [...UNREADABLE, ...MISSHAPEN];
/** Of which enough can be found to know what it was about. */
const FOUND = 'bytes that are not text';
const typeOf = (what: string) => (what === FOUND ? 'before_tool' : 'unknown');
const decisionOn = (what: string) => (UNREADABLE.some(([one]) => one === what) ? 'deny' : 'none');

/** Odd, but as it should be. */
const ODD: readonly (readonly [what: string, stdin: string, command: unknown])[] = [
  ['a NUL in a string', bashPayload('a\0b'), 'a\0b'],
  ['a command of 10 MB', bashPayload('x'.repeat(10 * MIB)), 'x'.repeat(10 * MIB)],
  ['line breaks between tokens', JSON.stringify(JSON.parse(bashPayload('ls')), null, '\r\n '), 'ls'],
];

/** As it was, or cut with the length and the hash of the whole. */
function isKept(stored: unknown, sent: unknown): boolean {
  if (stored === sent) return true;
  const whole = typeof stored === 'string' ? wholeOf(stored) : null;
  const text = String(sent);
  return whole?.length === text.length && whole.hash === createHash('sha256').update(text).digest('hex');
}

/** Without a daemon each call is a process of Node: those that differ there. */
const DIFFERENT = [
  'nothing',
  'half JSON',
  'bytes that are not text',
  '100,000 levels',
  '25 MB of one string',
];
const FEWER = BAD.filter(([what]) => DIFFERENT.includes(what));

const SILENCE = { code: 0, stdout: '', stderr: '' };
const OFFLINE = { HOOKLINE_NO_AUTOSTART: '1' };

describe.each(FORWARDERS)('through the %s forwarder', (forwarder) => {
  test.each(['with a daemon', 'without a daemon'])(
    '%s bad input is recorded, and denied if unreadable',
    async (mode) => {
      const online = mode === 'with a daemon';
      // What is only odd goes past the packs: they have to make something of 10 MB, too.
      const { up, read, hook, events, daemonPid } = scratchProduct({ packs: online ? 'default' : 'none' });
      if (online) await up();
      const bad = online ? BAD : FEWER;
      const odd = online ? ODD : ODD.slice(0, 1);
      const before = await daemonPid();
      for (const [what, stdin] of bad) {
        const { code, stdout, stderr } = await hook(forwarder, 'PreToolUse', stdin, OFFLINE);
        const decision = stdout === '' ? 'none' : JSON.parse(stdout).hookSpecificOutput.permissionDecision;
        expect({ what, code, stderr, decision }).toEqual({
          what,
          code: 0,
          stderr: '',
          decision: decisionOn(what),
        });
      }
      for (const [what, stdin] of odd) {
        expect({ what, ...(await hook(forwarder, 'PreToolUse', stdin, OFFLINE)) }).toEqual({
          what,
          ...SILENCE,
        });
      }
      expect(await hook(forwarder, 'PreToolUse', bashPayload('last'), OFFLINE)).toEqual(SILENCE);
      expect(await daemonPid()).toBe(before);

      const kept = await events();
      expect(kept).toHaveLength(bad.length + odd.length + 1);
      for (const [at, [what, , problem]] of bad.entries()) {
        const { type, response } = kept[at] ?? {};
        expect({ what, type, decision: response?.decision }).toEqual({
          what,
          type: typeOf(what),
          decision: decisionOn(what),
        });
        expect(kept[at]?.problem, what).toContain(problem);
      }
      for (const [at, [what, , command]] of odd.entries()) {
        const event = kept[bad.length + at];
        expect(event, what).toMatchObject({ type: 'before_tool', problem: null });
        expect(isKept(event?.tool?.input.command, command), what).toBe(true);
      }
      expect(kept.at(-1)).toMatchObject({ type: 'before_tool', tool: { input: { command: 'last' } } });
      const why = await read(['why', kept[1]?.id ?? '']);
      expect(why.stdout).toContain(`could not be read: ${kept[1]?.problem}`);
    },
  );

  test('bad input is denied if failures are closed, with and without a daemon', async () => {
    const { up, hook } = scratchProduct({ config: 'failure: closed\n' });
    for (const mode of ['offline', 'online']) {
      if (mode === 'online') await up();
      for (const [what, stdin] of FEWER.filter(([, input]) => input.length < MIB)) {
        const { code, stdout } = await hook(forwarder, 'PreToolUse', stdin, OFFLINE);
        const decision = JSON.parse(stdout).hookSpecificOutput.permissionDecision;
        expect({ what, code, decision }).toEqual({ what, code: 0, decision: 'deny' });
      }
    }
  });
});

test('over HTTP', async () => {
  const { up, events, paths } = scratchProduct();
  await up();
  const daemon = (await connect(paths))?.info;
  const headers = { authorization: `Bearer ${readFileSync(paths.token, 'utf8').trim()}` };
  for (const [what, body] of BAD) {
    const response = await fetch(`${daemon?.http}/hooks/claude`, {
      method: 'POST',
      headers,
      body: Buffer.from(body),
    });
    // Only the payload names the event here.
    const json = what === FOUND ? { hookSpecificOutput: { permissionDecision: 'deny' } } : {};
    expect({ what, status: response.status, json: await response.json() }).toMatchObject({
      what,
      status: 200,
      json,
    });
  }
  const kept = await events();
  expect(kept.map(({ type }) => type)).toEqual(BAD.map(([what]) => typeOf(what)));
  for (const [at, [what, , problem]] of BAD.entries()) expect(kept[at]?.problem, what).toContain(problem);
  expect((await connect(paths))?.info).toEqual(daemon);
});
