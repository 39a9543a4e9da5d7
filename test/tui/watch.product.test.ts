import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { socketPath } from '../../src/wire/socket-path.ts';
import { BIN, type Product, scratchProduct } from '../faults/product.ts';
import { hasTmux } from '../programs.ts';
import { PATIENCE_MS, until } from '../support/until.ts';
import { openTerminal, type Terminal } from './terminal.ts';

/** Nothing about looking for a daemon: agents wait for this screen now. */
const CONNECTED = /^ Hookline {3}no pending approvals {2}\d+ running {3,}/;
/** The card, with keys that answer it: it has been there long enough to be seen. */
const card = (command: string) => new RegExp(`\\$ ${command}[\\s\\S]*\\[a\\] Allow`);

let product: Product;
let folder: string;
let env: Record<string, string>;
let terminal: Terminal | null = null;

beforeEach(async () => {
  product = scratchProduct();
  folder = product.folder;
  const { NO_COLOR: _, ...own } = product.env;
  env = { ...own, PATH: process.env.PATH ?? '', LANG: 'C.UTF-8' };
  product.rules('rules: [{id: ask-touch, command: touch, ask: "Sure?"}]\n');
  await product.up();
});

afterEach(() => {
  terminal?.close();
  terminal = null;
});

function watch(columns: number, rows: number): Terminal {
  terminal = openTerminal({ columns, rows }, `${process.execPath} ${BIN} watch`, env);
  return terminal;
}

/** One call of an agent, through the forwarder, as the agent would see its answer. */
function call(command: string, session = 's1'): Promise<string> {
  const payload = {
    session_id: session,
    transcript_path: '',
    cwd: folder,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command },
    tool_use_id: `${session}-${command}`,
  };
  const child = spawn(join(product.paths.bin, 'hookline-forward'), ['claude', 'PreToolUse'], { env });
  child.stdin.end(JSON.stringify(payload));
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const answered = new Promise<string>((resolve) => child.on('close', () => resolve(output)));
  const late = pause(PATIENCE_MS, null, { ref: false }).then(() => {
    throw new Error(`No answer to ${command}. The screen shows:\n${terminal?.screen()}`);
  });
  return Promise.race([answered, late]);
}

/** So many calls on one connection, one every few ms. */
async function flood(path: string, calls: number, everyMs: number): Promise<void> {
  const socket = connect(path);
  let answered = 0;
  socket.on('data', (chunk) => {
    answered += String(chunk).split('\n').length - 1;
  });
  for (let n = 1; n <= calls; n += 1) {
    const tool = { tool_name: 'Bash', tool_input: { command: `ls ${n}` }, tool_use_id: `f${n}` };
    const payload = {
      session_id: 'flood',
      transcript_path: '',
      cwd: folder,
      hook_event_name: 'PreToolUse',
      ...tool,
    };
    socket.write(
      `${JSON.stringify({ request_id: `flood-${n}`, ts: Date.now(), agent: 'claude', payload })}\n`,
    );
    await pause(everyMs);
  }
  await until(() => answered === calls);
  socket.end();
}

describe.runIf(hasTmux)('hookline watch in a real terminal', () => {
  test('text of agents and commands does not control the terminal', async () => {
    const evil = 'x\x1b]0;pwned\x07\x1b[35mm\x1b[2Jy\u202egnp';
    const screen = watch(120, 30);
    await screen.shows(CONNECTED);
    const bytes = join(folder, 'bytes');
    screen.record(bytes);
    const waiting = call(`touch ${evil}`, evil);
    // In the card, in its details and in the feed.
    await screen.shows('$ touch x␛]0;pwned␇␛[35mm␛[2Jy\\u202egnp');
    await screen.shows('[a] Allow once');
    screen.press('Enter');
    await screen.shows('Arguments');
    screen.press('a');
    await waiting;
    await screen.shows('Bash touch x␛]0;pwned␇');
    const written = readFileSync(bytes, 'utf8');
    expect(written).toContain('␛]0;pwned␇');
    for (const harm of ['\x1b]', '\x07', '\x1b[35m', '\x1b[2J', '\u202e'])
      expect(written).not.toContain(harm);
  });

  test.each([
    [80, 24],
    [200, 60],
  ])('at %s × %s: cards appear, keys answer them, and the feed shows the outcome', async (columns, rows) => {
    const screen = watch(columns, rows);
    await screen.shows(CONNECTED);
    await call('ls one');
    await screen.shows('Bash ls one');
    const answers = [call('touch a', 's1'), call('touch a', 's2')];
    await screen.shows('×2');
    await screen.shows('[a] Allow all 2');
    expect(await screen.shows(card('touch a'))).toContain('ask-touch');
    screen.press('a');
    for (const answer of await Promise.all(answers)) expect(answer).toContain('"permissionDecision":"allow"');
    await screen.shows('no pending approvals');

    const denied = call('touch b');
    await screen.shows(card('touch b'));
    screen.press('d');
    await screen.shows('Deny with message:');
    screen.type('not here');
    screen.press('Enter');
    expect(await denied).toContain('"permissionDecisionReason":"not here"');

    const edited = call('touch c');
    await screen.shows(card('touch c'));
    screen.press('e');
    await screen.shows(/Edited command:[\s\S]* touch c▏/);
    screen.type('2');
    screen.press('Enter');
    expect(await edited).toContain('"command":"touch c2"');

    await screen.shows('no pending approvals');
    screen.press('Up', 'Enter');
    const detail = await screen.shows('Decision');
    expect(detail).toContain('rule ask-touch: ask');
    screen.press(...Array.from({ length: 6 }, () => 'Down'));
    await screen.shows('tool_use_id');
    screen.press('Escape');
    screen.press('?');
    await screen.shows('allow once, or approve a plan');
    for (const line of screen.screen().split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
    screen.press('q');
    await screen.shows(/Pane is dead|^\s*$/);
  });

  test('a pasted text of several lines is one message, and every row stays in place', async () => {
    const screen = watch(80, 24);
    await screen.shows(CONNECTED);
    const denied = call('touch a');
    await screen.shows(card('touch a'));
    screen.press('d');
    await screen.shows('Deny with message:');
    screen.paste('Not here.\nUse build/ instead.\na\n\nThen run it again.');
    const pasted = await screen.shows('Then run it again.▏');
    expect(pasted.trimEnd().split('\n')).toHaveLength(24);
    expect(pasted).toContain('1 pending');
    expect(pasted).toMatch(
      /\n {2}Not here\. *\n {2}Use build\/ instead\. *\n {2}a *\n *\n {2}Then run it again\.▏/,
    );
    screen.press('Enter');
    const { permissionDecisionReason } = JSON.parse(await denied).hookSpecificOutput;
    expect(permissionDecisionReason).toBe('Not here.\nUse build/ instead.\na\n\nThen run it again.');
  });

  test('text pasted outside an input answers nothing', async () => {
    const screen = watch(80, 24);
    await screen.shows(CONNECTED);
    const waiting = call('touch a');
    await screen.shows(card('touch a'));
    screen.paste('a\nq\n');
    screen.press('?');
    await screen.shows('show keys and signs');
    screen.press('Escape');
    await screen.shows(card('touch a'));
    screen.press('a');
    expect(await waiting).toContain('"permissionDecision":"allow"');
  });

  test('a resized terminal is used at once, to the last row and column', async () => {
    const screen = watch(80, 24);
    await screen.shows(CONNECTED);
    mkdirSync(join(folder, '.git'));
    writeFileSync(join(folder, '.git/HEAD'), 'ref: refs/heads/fix/size\n');
    for (let n = 1; n <= 30; n += 1) await call(`ls ${n}`);
    const waiting = call('touch a');
    const small = await screen.shows(card('touch a'));
    expect(small).toContain('fix/size');
    const rowsOf = (seen: string) => seen.split('\n').slice(0, -1);
    expect(rowsOf(small)).toHaveLength(24);
    expect(rowsOf(small).filter((row) => row.trim() === '')).toEqual([]);
    screen.resize(160, 45);
    const wide = rowsOf(await screen.shows(/│ .*wants to run a command[\s\S]*j k move.*\n$/));
    expect(wide).toHaveLength(45);
    expect(wide[1]).toBe('─'.repeat(160));
    expect(wide.at(-1)).toContain('j k move');
    screen.resize(80, 24);
    const again = rowsOf(await screen.shows(/^▌.*touch a +\d:\d\d ?\n[\s\S]*j k move.*\n(?![\s\S])/m));
    expect(again[1]).toBe('─'.repeat(80));
    expect(again.at(-1)).toContain('j k move');
    screen.press('a');
    expect(await waiting).toContain('"permissionDecision":"allow"');
  });

  test('uses no colors if they are off', async () => {
    env.NO_COLOR = '1';
    const bytes = join(folder, 'bytes');
    const screen = watch(80, 24);
    await screen.shows(CONNECTED);
    screen.record(bytes);
    const waiting = call('touch a');
    await screen.shows(card('touch a'));
    screen.press('a');
    await waiting;
    await screen.shows('you allowed');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what is looked for.
    expect(readFileSync(bytes, 'utf8')).not.toMatch(/\x1b\[[1-9]\d*m/);
  });

  test('a card that was open when the daemon was killed comes back, and its answer reaches the agent', async () => {
    const screen = watch(80, 24);
    await screen.shows(CONNECTED);
    const answer = call('touch a');
    await screen.shows(card('touch a'));
    const killed = await product.daemonPid();
    process.kill(killed ?? 0, 'SIGKILL');
    // The forwarder or the screen starts the next daemon, whichever is first.
    await until(async () => ![null, killed].includes(await product.daemonPid()));
    await screen.shows(/^ Hookline {3}1 pending {2}\d+ running {3,}[\s\S]*\[a\] Allow/);
    screen.press('d');
    await screen.shows('Deny with message:');
    screen.press('Enter');
    await screen.shows('no pending approvals');
    expect(await answer).toContain('"permissionDecision":"deny"');
    const [only, ...more] = (await product.read(['approvals', '--all', '--json'])).stdout.trim().split('\n');
    expect(JSON.parse(only ?? '')).toMatchObject({ state: 'denied' });
    expect(more).toEqual([]);
  });

  test('a stopped daemon stays stopped, and the screen finds the next one', async () => {
    const screen = watch(100, 24);
    await screen.shows(CONNECTED);
    await product.down();
    await screen.shows('The daemon was stopped.');
    expect(JSON.parse((await product.read(['status', '--json'])).stdout).daemon).toBeNull();
    await product.up();
    await screen.shows(CONNECTED);
  });

  test('draws many events per second without clearing the screen', async () => {
    const screen = watch(100, 30);
    await screen.shows(CONNECTED);
    const file = join(folder, 'drawn');
    screen.record(file);
    await flood(socketPath(product.paths.root), 400, 5);
    await screen.shows('ls 400');
    const drawn = readFileSync(file, 'latin1');
    expect(drawn).not.toContain('\x1b[2J');
    expect(drawn).not.toContain('\x1b[3J');
    // Each drawing is marked as one, for terminals that show it at once.
    const frames = drawn.split('\x1b[?2026h').length - 1;
    expect(frames).toBeGreaterThan(1);
  });

  test('a call handed back to the agent is asked there, and creates no grant', async () => {
    const screen = watch(100, 30);
    await screen.shows(CONNECTED);
    const left = call('touch a');
    await screen.shows(card('touch a'));
    screen.press('l');
    expect(await left).toContain('"permissionDecision":"ask"');
    await screen.shows('no pending approvals');
    const [asked] = (await product.read(['approvals', '--all', '--json'])).stdout.trim().split('\n');
    expect(JSON.parse(asked ?? '')).toMatchObject({ state: 'withdrawn', answer: null });
    expect((await product.read(['grants', 'list'])).stdout).not.toContain('touch a');
  });

  test('a lasting answer is a grant: the next agent passes without asking', async () => {
    const screen = watch(100, 30);
    await screen.shows(CONNECTED);
    const first = call('touch a', 's1');
    await screen.shows(card('touch a'));
    screen.press('A');
    await screen.shows('More answers');
    screen.press('p');
    expect(await first).toContain('"permissionDecision":"allow"');
    expect(await call('touch a', 's2')).toContain('"permissionDecision":"allow"');
    expect((await product.read(['grants', 'list'])).stdout).toContain('touch a');
  });
});
