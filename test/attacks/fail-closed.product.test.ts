import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failClosedFile } from '../../src/wire/fail-closed.ts';
import { forwarderSettingsFile, readForwarderSettings } from '../../src/wire/forwarder-settings.ts';
import {
  bashPayload,
  FORWARDERS,
  type Forwarder,
  type Product,
  type Ran,
  runProgram,
  scratchProduct,
} from '../faults/product.ts';

// `failure: closed` used to end at the binary: with Node or its settings gone, the native forwarder ended with code 1,
// which every agent takes for "go on".

const STOP = '{"session_id":"s1"}';
const OFFLINE = { HOOKLINE_NO_AUTOSTART: '1' };
const TEXT = 'Hookline could not check this call and is set to fail closed';
const closedHome = () => scratchProduct({ config: 'failure: closed\n' });

const changeSettings = ({ paths }: Product, change: object) => {
  const file = forwarderSettingsFile(paths.root);
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...change }));
};

/** Files a forwarder needs to evaluate a call without a daemon, lost or damaged. */
const LOSSES: readonly (readonly [what: string, lose: (product: Product) => void])[] = [
  ['Node is gone', (product) => changeSettings(product, { node: '/no/such/node' })],
  ['its script is gone', (product) => changeSettings(product, { script: '/no/such/forward.js' })],
  ['forwarder.json is gone', ({ paths }) => rmSync(forwarderSettingsFile(paths.root))],
  ['forwarder.json is cut off', ({ paths }) => writeFileSync(forwarderSettingsFile(paths.root), '{"no')],
  [
    'forwarder.json is of another version',
    ({ paths }) => writeFileSync(forwarderSettingsFile(paths.root), '{"node":"/no","script":"/no","env":[]}'),
  ],
  [
    'fail-closed.json and Node are gone',
    (product) => {
      rmSync(failClosedFile(product.paths.root));
      changeSettings(product, { node: '/no/such/node' });
    },
  ],
  ['Node crashes', (product) => breakScript(product, 'process.kill(process.pid, "SIGKILL")')],
  ['its script ends with code 3', (product) => breakScript(product, 'process.exit(3)')],
];

function breakScript(product: Product, code: string): void {
  const script = join(product.folder, 'broken.cjs');
  writeFileSync(script, code);
  changeSettings(product, { script });
}

const GUARDED: readonly (readonly [agent: string, event: string])[] = [
  ['claude', 'PreToolUse'],
  ['claude', 'UserPromptSubmit'],
  ['claude', 'UserPromptExpansion'],
  ['gemini', 'BeforeTool'],
  ['gemini', 'BeforeAgent'],
  ['codex', 'PreToolUse'],
  ['codex', 'PermissionRequest'],
  ['codex', 'UserPromptSubmit'],
];

const native = ({ paths, env, folder }: Product, agent: string, event: string): Promise<Ran> =>
  runProgram(
    join(paths.bin, 'hookline-forward'),
    [agent, event],
    bashPayload('ls'),
    // A repository's settings must not choose a home that fails open.
    { ...env, ...OFFLINE, HOOKLINE_HOME: join(folder, 'elsewhere') },
    folder,
  );

describe.skipIf(!FORWARDERS.includes('native'))('the native forwarder with failure mode closed', () => {
  test.each(LOSSES)('denies guarded calls with exit code 2 and a text when %s', async (_, lose) => {
    const product = closedHome();
    lose(product);
    for (const [agent, event] of GUARDED) {
      const { code, stdout, stderr } = await native(product, agent, event);
      expect({ agent, event, code, stdout }).toEqual({ agent, event, code: 2, stdout: '' });
      expect(stderr).toContain(TEXT);
    }
  });

  test('also denies where exit code 2 has no meaning', async () => {
    const product = closedHome();
    changeSettings(product, { node: '/no/such/node' });
    const { code, stdout } = await native(product, 'claude', 'PermissionRequest');
    expect(code).toBe(0);
    expect(JSON.parse(stdout).hookSpecificOutput.decision).toMatchObject({ behavior: 'deny' });
  });

  test('denies nothing where that would guard nothing', async () => {
    const product = closedHome();
    changeSettings(product, { node: '/no/such/node' });
    for (const event of ['PostToolUse', 'Stop', 'SessionStart', 'InventedTomorrow']) {
      expect({ event, code: (await native(product, 'claude', event)).code }).toEqual({ event, code: 1 });
    }
  });

  test('with failure mode open never exits with code 2 on a failure', async () => {
    for (const [what, lose] of LOSSES.filter(([name]) => !name.startsWith('fail-closed'))) {
      const product = scratchProduct();
      lose(product);
      const { code, stdout } = await runProgram(
        join(product.paths.bin, 'hookline-forward'),
        ['claude', 'PreToolUse'],
        bashPayload('ls'),
        { ...product.env, ...OFFLINE },
        product.folder,
      );
      expect({ what, code, stdout }).toEqual({ what, code: 1, stdout: '' });
    }
  });
});

describe.each(FORWARDERS)('the %s forwarder', (forwarder) => {
  test('denies when the fallback starts but fails', async () => {
    const product = closedHome();
    writeFileSync(product.paths.spool, 'not a folder');
    const ran = await product.hook(forwarder, 'PreToolUse', bashPayload('ls'), OFFLINE);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(TEXT);
    expect((await product.hook(forwarder, 'Stop', STOP, OFFLINE)).code).toBe(1);
  });
});

describe("the user's failure mode reaches the forwarder", () => {
  const chosen = ({ paths }: Product) => ({
    settings: JSON.parse(readFileSync(forwarderSettingsFile(paths.root), 'utf8')).failure,
    usable: readForwarderSettings(paths.root) !== null,
  });
  const choose = ({ paths }: Product, failure: string) => {
    const others = readFileSync(paths.config, 'utf8').replace(/^failure:.*\n/m, '');
    writeFileSync(paths.config, `${others}failure: ${failure}\n`);
  };
  const forwarder: Forwarder = FORWARDERS[0] ?? 'node';

  test.each([
    ['when the daemon starts', (product: Product) => product.up()],
    [
      'with a call that no daemon answers',
      (product: Product) => product.hook(forwarder, 'Stop', STOP, OFFLINE),
    ],
    ['with setup', (product: Product) => product.run(['setup', 'claude', '--yes'])],
  ])('%s', async (_, apply) => {
    const product = scratchProduct();
    expect(chosen(product)).toEqual({ settings: 'open', usable: true });
    choose(product, 'closed');
    await apply(product);
    expect(chosen(product)).toEqual({ settings: 'closed', usable: true });
    expect(JSON.parse(readFileSync(failClosedFile(product.paths.root), 'utf8')).failure).toBe('closed');
    await product.down();
    choose(product, 'open');
    await apply(product);
    expect(chosen(product)).toEqual({ settings: 'open', usable: true });
    expect(() => readFileSync(failClosedFile(product.paths.root))).toThrow('ENOENT');
  });
});
