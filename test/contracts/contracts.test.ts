import { expect, test } from 'vitest';
import type { Row } from '../../src/live/report.ts';
import { asMeasured, changesBetween } from './changes.ts';
import { driftPage } from './page.ts';

const row = (kind: Row['kind'], name: string, state: Row['state'], seen = ''): Row => ({
  kind,
  name,
  state,
  expected: 'the command does not run',
  seen,
});

test('reports only differences as changes', () => {
  const before = {
    rows: [row('effect', 'deny', 'holds'), row('payload', 'Stopped', 'changed', 'new field a (string)')],
  };
  expect(changesBetween(before, before)).toEqual([]);
});

test('names changed fields, events and effects, and marks what breaks', () => {
  const before = {
    rows: [
      row('effect', 'deny', 'holds'),
      row('effect', 'ask', 'broken', 'it ran'),
      row('payload', 'Started', 'holds'),
      row('payload', 'Ended', 'holds'),
    ],
  };
  const after = {
    rows: [
      row('effect', 'deny', 'broken', 'it ran, at 12:00'),
      row('effect', 'ask', 'broken', 'it ran again'),
      row('payload', 'Started', 'changed', 'new field effort (string)'),
      row('payload', 'Invented', 'changed', 'an event that Hookline does not know'),
    ],
  };
  const changes = changesBetween(before, after);
  expect(changes).toEqual([
    {
      kind: 'effect',
      name: 'deny',
      before: 'as measured',
      after: 'broken: the command does not run',
      breaks: true,
    },
    {
      kind: 'payload',
      name: 'Started',
      before: 'as measured',
      after: 'new field effort (string)',
      breaks: false,
    },
    { kind: 'payload', name: 'Ended', before: 'as measured', after: 'not there', breaks: false },
    {
      kind: 'payload',
      name: 'Invented',
      before: 'not there',
      after: 'an event that Hookline does not know',
      breaks: false,
    },
  ]);
  const page = driftPage([{ agent: 'a', label: 'Agent', from: '1.0', to: '1.1', changes, problem: null }]);
  expect(page).toContain('## Agent 1.0 → 1.1');
  expect(page).toContain(
    '| effect | deny | as measured | broken: the command does not run **(breaks a guard)** |',
  );
});

test('reports the newest version, one without differences, and one that could not be tested', () => {
  const drift = { agent: 'a', label: 'Agent', from: '1.0', to: '1.1', changes: [], problem: null };
  expect(driftPage([{ ...drift, to: '1.0' }])).toContain('## Agent 1.0\n\nThis is the newest version.');
  expect(driftPage([{ ...drift, agent: 'codex' }])).toMatch(
    /\n\nNot run: Claude Code, Cline, Copilot CLI, .*\.\n\n## /,
  );
  expect(driftPage([drift])).toContain('Nothing that Hookline sees is different.');
  expect(driftPage([{ ...drift, problem: 'no | such version' }])).toContain(
    'Could not be tried: no | such version',
  );
});

test('still names what no longer works if the measured version is the newest', () => {
  const report = {
    rows: [
      row('effect', 'deny', 'broken', 'it ran'),
      row('effect', 'ask', 'holds'),
      row('rule', 'mine', 'untried'),
    ],
  };
  const changes = changesBetween(asMeasured(report), report);
  expect(changes.map(({ name, breaks }) => [name, breaks])).toEqual([['deny', true]]);
  const page = driftPage([{ agent: 'a', label: 'Agent', from: '1.0', to: '1.0', changes, problem: null }]);
  expect(page).toContain('## Agent 1.0\n\n| | | measured | 1.0 |');
});

test('text of a client or a registry mentions no user, links nowhere and ends no table', () => {
  const hostile = '@everyone `x` [here](https://evil.example) <img src=x>\n# | www.evil.example';
  const change = {
    kind: 'payload',
    name: hostile,
    before: 'not there',
    after: hostile,
    breaks: false,
  } as const;
  const drift = { agent: 'a', label: 'Agent', from: '1.0', to: hostile, changes: [change], problem: null };
  for (const page of [driftPage([drift]), driftPage([{ ...drift, problem: hostile }])]) {
    const foreign = page.slice(page.indexOf('## Agent'));
    // Nothing of it stands outside of code, and no line begins with it.
    expect(foreign.replaceAll(/`[^`\n]*`/g, '')).not.toMatch(/@|http|www|<|\[/);
    expect(foreign).not.toMatch(/^# /m);
  }
});
