import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BEST_FORWARDER, bashPayload, type Product, scratchProduct } from './faults/product.ts';

const NO_AUTOSTART = { HOOKLINE_NO_AUTOSTART: '1' };

/** Records calls as an agent would make them, without a daemon. */
async function recorded(product: Product, rules: string, commands: readonly string[]): Promise<void> {
  product.rules(rules);
  for (const command of commands) {
    const { code } = await product.hook(BEST_FORWARDER, 'PreToolUse', bashPayload(command), NO_AUTOSTART);
    expect(code).toBe(0);
  }
}
const jsonOf = (stdout: string) => JSON.parse(stdout);
const linesOf = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

test('backtest shows the effect of a draft, and changes nothing', async () => {
  const product = scratchProduct();
  await recorded(product, 'rules: [{ id: push, command: git push, ask: Look. }]\n', [
    'git push',
    'npm test',
    'ls',
  ]);
  const draft = join(product.paths.root, 'rules.yaml');
  writeFileSync(
    draft,
    'rules:\n  - { id: push, command: git push, deny: No. }\n  - { id: t, command: npm test, allow: true }\n',
  );
  const result = jsonOf((await product.read(['backtest', '--rules', draft, '--json'])).stdout);
  expect(result).toMatchObject({ calls: 3, unreadable: 0, denied: 1, allowed: 1, asked: 0, undecided: 0 });
  expect(result.byRule).toEqual(
    expect.arrayContaining([expect.objectContaining({ name: 'push', denied: 1 })]),
  );
  expect(jsonOf((await product.read(['backtest', '--json'])).stdout)).toMatchObject({
    calls: 3,
    changes: [],
  });
  const printed = (await product.read(['backtest', '--rules', draft])).stdout;
  expect(printed).toContain('newly denied: 1');
  expect(printed).toContain('git push');

  writeFileSync(draft, 'rules: [{ id: push, comand: git push, deny: No. }]\n');
  expect(await product.read(['backtest', '--rules', draft])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('comand'),
  });
});

test('reports an observing rule, and one command enforces it', async () => {
  const product = scratchProduct();
  const rules = '# Mine.\nrules:\n  - { id: push, command: git push, deny: No., mode: observe }\n';
  await recorded(product, rules, ['git push', 'git push -f', 'ls']);
  const [report] = linesOf((await product.read(['rules', 'report', '--json'])).stdout);
  expect(report).toMatchObject({ rule: 'push', times: 2, observing: true, decision: 'deny' });
  expect((await product.read(['rules', 'report'])).stdout).toContain('hookline rules enforce push');

  expect(await product.read(['rules', 'enforce', 'push'])).toMatchObject({ code: 1 });
  expect(readFileSync(join(product.paths.rules, 'rules.yaml'), 'utf8')).toBe(rules);
  expect(await product.run(['rules', 'enforce', 'push', '--yes'])).toMatchObject({ code: 0 });
  expect(readFileSync(join(product.paths.rules, 'rules.yaml'), 'utf8')).toBe(
    rules.replace('mode: observe', 'mode: enforce'),
  );
  const denied = await product.hook(BEST_FORWARDER, 'PreToolUse', bashPayload('git push'), NO_AUTOSTART);
  expect(denied.stdout).toContain('deny');
});

test('import shows what it would write, and writes it with --yes', async () => {
  const product = scratchProduct();
  const settings = join(product.paths.root, 'settings.json');
  writeFileSync(settings, JSON.stringify({ permissions: { deny: ['Bash(curl:*)'], defaultMode: 'plan' } }));
  const target = join(product.paths.rules, 'imported-claude.yaml');
  const seen = jsonOf((await product.read(['rules', 'import', 'claude', settings, '--json'])).stdout);
  expect(seen).toMatchObject({ rules: 1, target, notes: [{ what: 'permissions.defaultMode' }] });
  expect(existsSync(target)).toBe(false);
  expect(await product.run(['rules', 'import', 'claude', settings, '--yes'])).toMatchObject({ code: 0 });
  expect(await product.read(['rules', 'check'])).toMatchObject({ code: 0 });
  const denied = await product.hook(BEST_FORWARDER, 'PreToolUse', bashPayload('curl x'), NO_AUTOSTART);
  expect(denied.stdout).toContain('deny');
});

test("imports a project's allows for that project only", async () => {
  const product = scratchProduct();
  const folder = join(product.paths.root, 'shop', '.claude');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'settings.json'), JSON.stringify({ permissions: { allow: ['Bash(make:*)'] } }));
  const { text } = jsonOf(
    (await product.read(['rules', 'import', 'claude', join(folder, 'settings.json'), '--json'])).stdout,
  );
  expect(text).toContain(`cwd: ${join(product.paths.root, 'shop')}/**`);
});

test('learn suggests nothing without approvals, and grants nothing by itself', async () => {
  const product = scratchProduct();
  await recorded(product, 'rules: [{ id: ask, command: npm test, ask: Look. }]\n', ['npm test', 'npm test']);
  expect((await product.read(['rules', 'learn'])).stdout).toContain(
    'No suggestions: no call was allowed 3 times',
  );
  for (const number of [1, 2, 3]) {
    const asked = bashPayload('npm test', { tool_use_id: `u${number}` });
    await product.hook(BEST_FORWARDER, 'PreToolUse', asked, NO_AUTOSTART);
    const ran = bashPayload('npm test', {
      tool_use_id: `u${number}`,
      hook_event_name: 'PostToolUse',
      tool_response: { stdout: '' },
    });
    await product.hook(BEST_FORWARDER, 'PostToolUse', ran, NO_AUTOSTART);
  }
  const [proposal] = linesOf((await product.read(['rules', 'learn', '--json'])).stdout);
  expect(proposal).toMatchObject({ times: 3, examples: ['npm test'], grant: { scope: 'project' } });
  expect(existsSync(product.paths.grants)).toBe(false);
  expect(await product.run(['rules', 'learn', '--yes'])).toMatchObject({ code: 0 });
  expect(jsonOf(readFileSync(product.paths.grants, 'utf8'))).toHaveLength(1);
  const spared = await product.hook(BEST_FORWARDER, 'PreToolUse', bashPayload('npm test'), NO_AUTOSTART);
  expect(spared.stdout).toContain('"allow"');
});

test('the examples of every active rule pass, for any home', async () => {
  const product = scratchProduct({ packs: 'default' });
  const { code, stdout } = await product.read(['rules', 'test', '--json']);
  expect(jsonOf(stdout)).toMatchObject({ ok: true, failed: [] });
  expect(code).toBe(0);
});

test('check, doctor and status report a rule that never matches and a typo, and every rule stays active', async () => {
  const product = scratchProduct({ packs: 'default' });
  const { config } = product.paths;
  writeFileSync(
    config,
    readFileSync(config, 'utf8').replace('disabledRules: [', 'disabledRules: [git/force-psh, '),
  );
  await recorded(
    product,
    'rules:\n  - { id: push, command: git push, deny: No. }\n  - { id: never, effects: delte, deny: No. }\n  - { id: slip, agent: cluade, deny: No. }\n',
    [],
  );
  const never = expect.stringContaining('rule never: effects: unknown effect "delte"; did you mean delete?');
  const slip = expect.stringContaining('rule slip: agent: unknown agent "cluade"');
  const off = expect.stringContaining('disabledRules: no rule here has the id "git/force-psh"');
  const checked = await product.read(['rules', 'check', '--json']);
  expect(checked.code).toBe(1);
  expect(jsonOf(checked.stdout)).toMatchObject({
    ok: false,
    problems: [{ where: expect.stringContaining('rules.yaml:3:5'), message: never }],
    warnings: [{ where: 'config.yaml', message: off }, { message: slip }],
  });
  expect((await product.read(['rules', 'check'])).stdout).toContain('1 problem, 2 warnings, ');
  const status = jsonOf((await product.read(['status', '--json'], { env: NO_AUTOSTART })).stdout);
  expect(status).toMatchObject({
    ruleProblems: [],
    ruleRemarks: [{ message: off }, { message: never, never: true }, { message: slip }],
  });
  const doctor = (await product.run(['doctor', '--json'], { env: NO_AUTOSTART })).stdout;
  expect(doctor).toContain('rule-never-matches');
  expect(doctor).toContain('rule-doubtful');
  const denied = await product.hook(BEST_FORWARDER, 'PreToolUse', bashPayload('git push'), NO_AUTOSTART);
  expect(denied.stdout).toContain('rule push');
});
