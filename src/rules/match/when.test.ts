import { expect, test } from 'vitest';
import { matches, session, shellCall } from '../../../test/support/rules/rules.ts';
import { parseRules } from '../files/load.ts';

test.each([
  ['commands.exists(c, c.name == "rm" && "--force" in c.options)', 'rm -f x', true],
  ['commands.exists(c, c.name == "rm" && "--force" in c.options)', 'rm x', false],
  ['effects.exists(e, e.kind == "network" && e.host == "x.io")', 'curl https://x.io/a', true],
  ['event.branch == "main" && tool.name == "Bash"', 'ls', true],
  ['tool.input.command.contains("--now")', 'x --now', true],
  ['commands.exists(c, "sudo" in c.via)', 'sudo ls', true],
])('%s on %j is %s', (when, command, expected) => {
  expect(matches(`when: '${when}'`, command)).toBe(expected);
});

test.each(['1 +', 'unknown.field', 'commands.exists(c, ', 'commands.frobnicate()'])(
  '%j is reported when the file is read',
  (when) => {
    const { rules, problems } = parseRules(`rules: [{when: '${when}', deny: no}]`, 'x.yaml');
    expect(rules).toEqual([]);
    expect(problems).toHaveLength(1);
  },
);

test.each(['tool.input.missing == 1', 'commands[7].name == "x"', 'tool.input.command'])(
  '%j fails at evaluation, which does not match and is not ignored',
  (when) => {
    const decide = session(`rules: [{id: r, when: '${when}', allow: true}]`);
    const [opinion, ...more] = decide(shellCall('ls'));
    expect(more).toEqual([]);
    expect(opinion).toMatchObject({
      kind: 'failure',
      by: 'r',
      response: { decision: 'deny', reason: expect.stringMatching(/^failed: rule r: /) },
    });
  },
);

test('a failing exception excuses nothing', () => {
  const decide = session(`rules: [{id: r, deny: no, unless: {when: 'tool.input.missing == 1'}}]`);
  expect(decide(shellCall('ls'))[0]).toMatchObject({ kind: 'failure', response: { decision: 'deny' } });
});
