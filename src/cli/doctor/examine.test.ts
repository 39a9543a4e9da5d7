import { expect, onTestFinished, test, vi } from 'vitest';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { AGENTS } from '../../agents/_registry.ts';
import { applyEdits } from '../../agents/setup/journal.ts';
import { homePaths } from '../../home/paths.ts';
import { setupContext } from '../agents/context.ts';
import { examine } from './examine.ts';

/** Findings in a home without a daemon and a forwarder, on a machine without agents. */
async function findingsAfter(setUp: (paths: ReturnType<typeof homePaths>) => void = () => {}) {
  const home = scratchFolder();
  vi.stubEnv('HOME', home);
  vi.stubEnv('PATH', '');
  onTestFinished(() => void vi.unstubAllEnvs());
  const paths = homePaths(scratchFolder());
  setUp(paths);
  const reports = await examine(paths, [...AGENTS.values()].slice(0, 1));
  return new Map(reports.flatMap(({ findings }) => findings).map((one) => [one.code, one]));
}

test('without agents the missing forwarder is about them, and nothing is to be repaired', async () => {
  const missing = (await findingsAfter()).get('forwarder-missing');
  expect(missing).toMatchObject({
    level: 'problem',
    message: 'No agent is set up, so no call is checked.',
    fix: 'Install an agent, then run `hookline setup`.',
  });
  expect(missing?.repair).toBeUndefined();
});

test('a missing forwarder that an agent calls can be repaired', async () => {
  const findings = await findingsAfter((paths) => {
    const [agent] = AGENTS.values();
    if (agent) applyEdits(agent.setup.plan(setupContext(paths, 'user')), paths.setup);
  });
  expect(findings.get('forwarder-missing')).toMatchObject({
    message: expect.stringContaining('No forwarder at'),
    repair: { id: 'forwarder' },
  });
});

test('rules are not said to apply while there is no forwarder', async () => {
  expect((await findingsAfter()).get('daemon-down')?.fix).toBe('Run `hookline up`.');
});
