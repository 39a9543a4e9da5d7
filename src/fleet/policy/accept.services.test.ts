import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scratchHome } from '../../../test/support/daemon/daemon.ts';
import { testSettings } from '../../../test/support/fleet/nats.ts';
import { denying, setOf } from '../../../test/support/fleet/policy.ts';
import { machineOf } from '../machine.ts';
import { NO_SECRETS, writeFleetSettings } from '../settings.ts';
import { acceptPolicy } from './accept.ts';
import { activePolicy, openPolicyRules } from './active-policy.ts';
import { type PolicyDocument, signPolicy } from './document.ts';
import { publicKeyText } from './keys.ts';

/** A machine with a policy key, without a server. */
function trusting() {
  const paths = scratchHome();
  const { privateKey } = generateKeyPairSync('ed25519');
  const settings = testSettings({ url: 'nats://127.0.0.1:4222' }, { policyKey: publicKeyText(privateKey) });
  writeFleetSettings(paths, settings, NO_SECRETS);
  const machine = machineOf(generateKeyPairSync('ed25519').publicKey, 'tester');
  const signed = (version: number, rules = denying('deploy')) =>
    signPolicy({ ...DOCUMENT, version, sets: [setOf({ 'a.yaml': rules })] }, privateKey);
  const version = () => {
    const found = activePolicy(paths);
    return 'document' in found ? found.document?.version : found.problem;
  };
  const accept = (text: string) => acceptPolicy(text, { home: { paths }, settings, machine });
  return { paths, signed, accept, version };
}

const DOCUMENT: PolicyDocument = {
  team: 'test',
  version: 1,
  createdAt: '2026-11-17T00:00:00Z',
  restores: null,
  sets: [],
};
const BLANKS = ' '.repeat(2 << 20);

test.each([
  ['around it', (text: string) => `${BLANKS}${text}`],
  ['between its parts', (text: string) => text.replace('"signature":', `"signature":${BLANKS}`)],
])("%s added outside the signed part don't make the stored policy unreadable", async (_, pad) => {
  const { paths, signed, accept, version } = trusting();
  expect(await accept(pad(signed(1)))).toEqual({ version: 1, isNew: true });
  expect(statSync(paths.fleetPolicy).size).toBeLessThan(10_000);
  expect(version()).toBe(1);
  expect(openPolicyRules(paths).load()).toMatchObject({ rules: [{ id: 'no-deploy' }], problems: [] });
});

test('rejects a signature with extra content', async () => {
  const { signed, accept, version } = trusting();
  await accept(signed(1));
  expect(await accept(signed(2).replace(/"}$/, `${BLANKS}"}`))).toMatchObject({ version: null });
  expect(version()).toBe(1);
});

test('oversized rules leave the previous policy active', async () => {
  const { signed, accept, version } = trusting();
  await accept(signed(1));
  const large = `# ${'x'.repeat(1 << 20)}\n${denying('deploy')}`;
  expect(await accept(signed(2, large))).toMatchObject({
    version: 2,
    refused: expect.stringContaining('the limit is'),
  });
  expect(version()).toBe(1);
});

test('reports a directory instead of a file as a problem without throwing', () => {
  const { paths, version } = trusting();
  rmSync(paths.fleetPolicy, { force: true });
  mkdirSync(paths.fleetPolicy);
  expect(version()).toContain('not a regular file');
});
