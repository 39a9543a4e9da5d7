import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import {
  BEST_FORWARDER,
  BIN,
  bashPayload,
  type Product,
  type Ran,
  scratchProduct,
  until,
} from '../faults/product.ts';

vi.setConfig({ testTimeout: 240_000 });

/** A title, a cleared screen, an unused color, overwritten text, reversed direction, an extra line. */
const EVIL =
  'x\x1b]0;pwned\x07\x1b[2J\x9b35m\x1b[35mm\rover\u202egnp\u2066\u200b\u{e0041}\x7f\b\nFAKE LINE\x1b]8;;https://evil\x1b\\';
/** As far as it may be in the name of a file or an argument of a program. */
const EVIL_NAME = 'x\x1b]0;pwned\x07\x1b[35mm\rover\u202egnp\nFAKE LINE';

const COLOURS = { NO_COLOR: '', FORCE_COLOR: '1' };
/** Sequences that `paint` writes: bold, dim, four colors, and resets. */
const OURS = new RegExp(`${'\x1b'}\\[(?:1|2|22|31|32|33|36|39)m`, 'g');

/** Characters that a terminal would act on, each as its code. */
function acting(text: string): string[] {
  const found = text.replaceAll(OURS, '').match(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu) ?? [];
  return found.filter((one) => one !== '\n').map((one) => `U+${one.codePointAt(0)?.toString(16)}`);
}

function expectHarmless(what: string, { stdout, stderr }: Ran): void {
  expect({ what, stdout: acting(stdout), stderr: acting(stderr) }).toEqual({ what, stdout: [], stderr: [] });
}

/** Events with hostile text in every place that an agent, a model or a repository fills. */
const PAYLOADS: readonly (readonly [event: string, stdin: string])[] = [
  ['PreToolUse', bashPayload(`rm ${EVIL}`, { session_id: EVIL, tool_use_id: EVIL })],
  ['PreToolUse', bashPayload('ls', { tool_name: `mcp__${EVIL}__${EVIL}`, tool_input: { [EVIL]: EVIL } })],
  [
    'PreToolUse',
    bashPayload('', { tool_name: 'Write', tool_input: { file_path: `/tmp/${EVIL}`, content: EVIL } }),
  ],
  ['PreToolUse', bashPayload('denied', { cwd: `/tmp/${EVIL}`, transcript_path: `/t/${EVIL}` })],
  ['UserPromptSubmit', bashPayload('', { hook_event_name: 'UserPromptSubmit', prompt: `pwned ${EVIL}` })],
  [
    'PostToolUse',
    bashPayload(`cat ${EVIL}`, {
      hook_event_name: 'PostToolUse',
      tool_response: { stdout: EVIL, stderr: EVIL },
    }),
  ],
  ['PostToolUseFailure', bashPayload(`cat ${EVIL}`, { hook_event_name: 'PostToolUseFailure', error: EVIL })],
  [
    'Notification',
    bashPayload('', { hook_event_name: 'Notification', message: EVIL, notification_type: EVIL }),
  ],
  [
    'Stop',
    bashPayload('', { hook_event_name: 'Stop', stop_hook_active: false, last_assistant_message: EVIL }),
  ],
  [`Invented${EVIL_NAME}`, bashPayload('', { hook_event_name: EVIL, news: [EVIL] })],
  ['PreToolUse', `{"half": "${EVIL}`],
];
const RULES = `rules:
  - {id: denies, command: denied, deny: ${JSON.stringify(EVIL)}}
  - {id: observes, command: rm, deny: ${JSON.stringify(EVIL)}, observe: true}
`;

async function hostileHome(): Promise<Product & { readonly project: string }> {
  // Packs react to the hostile text here, and views show it.
  const product = scratchProduct({ packs: 'default' });
  product.rules(RULES);
  writeFileSync(join(product.paths.rules, `${EVIL_NAME.replaceAll('/', '')}.yaml`), `rules: [{id: ${EVIL}`);
  const project = join(product.folder, EVIL_NAME.replaceAll('/', ''));
  mkdirSync(join(project, '.hookline/rules'), { recursive: true });
  writeFileSync(
    join(project, '.hookline/rules/evil\x1b[35m.yaml'),
    `# ${EVIL}\nrules: [{id: own, command: x, allow: true}]\n`,
  );
  await product.up();
  for (const [event, stdin] of PAYLOADS) await product.hook(BEST_FORWARDER, event, stdin);
  return { ...product, project };
}

/** Starting a program takes longer than its work. */
const AT_ONCE = 4;

function inGroups<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  );
}

test('no command lets recorded text control the terminal', async () => {
  const { run, events, project } = await hostileHome();
  const recorded = await events();
  expect(recorded.length).toBeGreaterThanOrEqual(PAYLOADS.length - 1);
  const ids = recorded.map(({ id }) => id);
  const commands: readonly (readonly string[])[] = [
    [],
    ['status'],
    ['doctor'],
    ['events'],
    ['events', '--all'],
    ['events', '--json'],
    ['sessions'],
    ['sessions', '--json'],
    ...ids.flatMap((id) => [
      ['why', id],
      ['why', id, '--json'],
    ]),
    ['show', 'x'],
    ['show', 'x', '--json'],
    ['show', 's1'],
    ['show', 's1', '--all'],
    ['show', 's1', '--json'],
    ['search', 'pwned'],
    ['search', 'pwned', '--json'],
    ['stats'],
    ['stats', '--json'],
    ['memory'],
    ['memory', '--json'],
    ['approvals'],
    ['grants'],
    ['rules'],
    ['rules', 'list'],
    ['rules', 'check'],
    ['rules', 'report'],
    ['rules', 'learn'],
    ['rules', 'effect'],
    ['rules', 'explain', `rm ${EVIL_NAME}`],
    ['backtest'],
    ['backtest', '--json'],
    ['hooks'],
    ['import', '--list'],
    ['lint'],
    ['matrix'],
    ['trust', '--list'],
    ['trust', project, '--yes'],
    ['try', '--agent', 'claude', '--tool', 'Bash', '--input', JSON.stringify({ command: `rm ${EVIL}` })],
    ['try', '--tool', 'Bash', '--input', JSON.stringify({ command: `rm ${EVIL}` }), '--json'],
    ['export'],
    ['setup', 'claude', '--dry-run'],
  ];
  let shown = '';
  for (const some of inGroups(commands, AT_ONCE)) {
    const ran = await Promise.all(some.map((command) => run(command, { env: COLOURS, cwd: project })));
    for (const [at, one] of ran.entries()) {
      expectHarmless(`hookline ${some[at]?.join(' ')}`, one);
      shown += one.stdout + one.stderr;
    }
  }
  // Proves that the checked text was displayed at all.
  for (const trace of ['␛]0;pwned␇', '␛[35m', '␍over', '\\u202egnp', '\\u009b35m'])
    expect(shown).toContain(trace);
  // With colours of our own.
  expect(shown).toMatch(OURS);

  // A line break in a name must not start a line.
  const lines = async (...args: string[]) => (await run(args)).stdout.trimEnd().split('\n');
  // Not the two uses of the key of this test: `rules learn` and `trust`.
  const ofAgents = (await lines('events', '--all')).filter((line) => !/^\S+ hookline +access /.test(line));
  expect(ofAgents).toHaveLength(recorded.length);
  for (const line of [
    ...(await lines('events')),
    ...(await lines('events', '--all')),
    ...(await lines('sessions')),
    ...(await lines('show', 's1')),
  ])
    expect(line).not.toMatch(/^FAKE LINE/);
});

describe('errors show hostile arguments escaped', () => {
  const ARGUMENTS: readonly (readonly string[])[] = [
    [EVIL_NAME],
    ['help', EVIL_NAME],
    ['events', EVIL_NAME],
    ['events', `--${EVIL_NAME}`],
    ['events', '--limit', EVIL_NAME],
    ['why', EVIL_NAME],
    ['show', EVIL_NAME],
    ['share', EVIL_NAME],
    ['search', 'x', '--kind', EVIL_NAME],
    ['search', '--since', EVIL_NAME, 'x'],
    ['approve', EVIL_NAME],
    ['deny', EVIL_NAME],
    ['rules', EVIL_NAME],
    ['rules', 'explain', EVIL_NAME],
    ['rules', 'check', EVIL_NAME],
    ['try', '--tool', 'Bash', '--input', EVIL_NAME],
    ['setup', EVIL_NAME],
    ['hooks', 'new', EVIL_NAME],
    ['trust', EVIL_NAME, '--yes'],
    ['backtest', '--rules', EVIL_NAME],
    ['export', '--since', EVIL_NAME],
  ];
  test.each(ARGUMENTS.map((args) => ({ args, name: args.join(' ').replaceAll(EVIL_NAME, '…') })))(
    'hookline $name',
    async ({ args, name }) => {
      const { run } = scratchProduct();
      const ran = await run(args, { env: { ...COLOURS, HOOKLINE_NO_AUTOSTART: '1' } });
      expectHarmless(name, ran);
    },
  );
});

test('the foreground daemon and its log show hostile events escaped', async () => {
  const { env, folder, hook, down, paths } = scratchProduct();
  const daemon = spawn(process.execPath, [BIN, 'daemon'], { env: { ...env, ...COLOURS }, cwd: folder });
  let output = '';
  for (const stream of [daemon.stdout, daemon.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  await until('the daemon is up', () => output.includes('Events appear here'));
  for (const [event, stdin] of PAYLOADS) await hook(BEST_FORWARDER, event, stdin);
  // A call is shown when it has ended.
  const end = { session_id: EVIL, tool_use_id: EVIL, hook_event_name: 'PostToolUse', tool_response: {} };
  await hook(BEST_FORWARDER, 'PostToolUse', bashPayload(`rm ${EVIL}`, end));
  await until('the events are shown', () => output.includes('rm x'));
  await down();
  if (daemon.exitCode === null) await once(daemon, 'exit');
  expect(output).toContain('␛]0;pwned␇');
  expect(acting(output)).toEqual([]);
  expect(acting(readFileSync(join(paths.log, 'daemon.log'), 'utf8'))).toEqual([]);
});
