import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { bashPayload, FORWARDERS, scratchProduct } from './product.ts';

vi.setConfig({ testTimeout: 60_000 });

/** A folder that cannot be written to, whoever we are: a file in its place. */
function block(path: string): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '');
}

describe.each(FORWARDERS)('without a daemon, by the %s forwarder', (forwarder) => {
  const RULES = 'rules:\n  - {command: npm publish, deny: Not from here.}\n  - {command: ls, allow: true}\n';

  test.each(['spool', 'run'] as const)(
    'a %s folder that cannot be written does not lift a denial',
    async (name) => {
      const { hook, paths, rules } = scratchProduct();
      rules(RULES);
      block(paths[name]);
      // Starting the daemon is what fails without a run folder; otherwise nobody would stop the one that starts.
      const env = name === 'run' ? {} : { HOOKLINE_NO_AUTOSTART: '1' };
      const { code, stdout } = await hook(forwarder, 'PreToolUse', bashPayload('npm publish'), env);
      expect(code).toBe(0);
      expect(stdout).toContain('"permissionDecision":"deny"');
    },
  );

  test('what cannot be recorded is not allowed', async () => {
    const { hook, paths, rules } = scratchProduct();
    rules(RULES);
    block(paths.spool);
    const { code, stdout } = await hook(forwarder, 'PreToolUse', bashPayload('ls'), {
      HOOKLINE_NO_AUTOSTART: '1',
    });
    expect(stdout).toBe('');
    expect(code).toBe(1);
  });
});
