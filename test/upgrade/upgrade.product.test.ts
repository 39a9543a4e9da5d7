import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { stopDaemon } from '../../src/client/client.ts';
import { askAsScript } from '../../src/client/request.ts';
import { homePaths } from '../../src/home/paths.ts';
import { scriptIn } from '../../src/live/as-script.ts';
import { BIN, bashPayload, environmentOf, readEvents, runProgram } from '../faults/product.ts';
import { isUnsigned, placeHome, WRITTEN_BY } from './place-home.ts';
import { AGENT_SETTINGS } from './scenario.js';

/** The built product of today in a home of an earlier one, as after an update. */
function updated(version: string) {
  const home = placeHome(version);
  const paths = homePaths(home.root);
  const script = scriptIn(paths);
  onTestFinished(async () => {
    askAsScript(script.key);
    await stopDaemon(paths);
  });
  const env = environmentOf(home.user, paths);
  const run = (...given: string[]) => {
    const { args, env: key } = script.call(given);
    return runProgram(process.execPath, [BIN, ...args], '', { ...env, ...key }, home.shop);
  };
  const settings = () => Object.keys(AGENT_SETTINGS).map(home.read);
  /** As the entries in the settings of Claude Code call it. */
  const call = async (command: string) => {
    const payload = bashPayload(command, { cwd: home.shop });
    const forwarder = join(paths.bin, 'hookline-forward');
    const { stdout } = await runProgram(forwarder, ['claude', 'PreToolUse'], payload, env, home.shop);
    return stdout === '' ? null : JSON.parse(stdout).hookSpecificOutput.permissionDecision;
  };
  return { run, call, settings, before: Object.keys(AGENT_SETTINGS).map(home.before) };
}

describe.skipIf(process.platform === 'win32').each(WRITTEN_BY)('after an update from %s', (version) => {
  test('setup, daemon, calls, history and removal work', async () => {
    const { run, call, settings, before } = updated(version);
    const old = settings();
    for (const agent of ['claude', 'gemini', 'codex'])
      expect(await run('setup', agent, '--scope', 'user', '--yes')).toMatchObject({ code: 0 });
    expect(settings()).toEqual(old);
    expect(await run('up')).toMatchObject({ code: 0 });
    expect(await call('npm version patch')).toBe('deny');
    expect(await call('telnet example.com')).toBe('deny');
    expect(await call('npm publish')).toBe('allow');
    expect(await call('npm test')).toBe('allow');
    const events = readEvents((await run('events', '--json')).stdout);
    expect(events).toHaveLength(25);
    const doctor = JSON.parse((await run('doctor', '--json')).stdout);
    const [own] = doctor.reports;
    expect(own.findings.filter(({ level }: { level: string }) => level === 'problem')).toEqual([]);
    expect(await run('history', 'verify')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('No tampering found'),
    });
    expect((await run('grants')).stdout).toContain('npm publish --tag beta');
    for (const agent of ['claude', 'gemini', 'codex'])
      expect(await run('remove', agent, '--scope', 'user', '--yes')).toMatchObject({ code: 0 });
    expect(settings()).toEqual(before);
    expect((await run('script-key', 'list')).stdout.includes('nightly')).toBe(!isUnsigned(version));
  });
});
