import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromSubjectToken, isTeamName, subjectToken, teamNames } from './subjects.ts';

const wellFormed = fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed());

test('encodes any text as one token, and decodes it again', () => {
  fc.assert(
    fc.property(wellFormed, (text) => {
      expect(subjectToken(text)).toMatch(/^[\w=-]+$/);
      expect(fromSubjectToken(subjectToken(text))).toBe(text);
    }),
  );
});

test('no part of a record changes the structure of its subject', () => {
  fc.assert(
    fc.property(wellFormed, wellFormed, wellFormed, (machine, agent, type) => {
      const parts = teamNames('core').event(machine, agent, type).split('.');
      expect(parts.slice(0, 3)).toEqual(['hookline', 'core', 'audit']);
      expect(parts).toHaveLength(7);
      expect(parts.filter((part) => part === '*' || part === '>' || part === '')).toEqual([]);
    }),
  );
});

test('everything that a machine writes is under one subject, and in the stream', () => {
  const names = teamNames('core');
  expect(names.auditOf('m1')).toBe('hookline.core.audit.m1.>');
  expect(names.event('m1', 'a', 'before_tool')).toBe('hookline.core.audit.m1.event.a.before_tool');
  expect(names.chain('m1', 'gap')).toBe('hookline.core.audit.m1.chain.gap');
  expect(names.events(undefined, 'stop')).toBe('hookline.core.audit.*.event.*.stop');
  expect(names.audit).toBe('hookline.core.audit.>');
});

test.each(['core', 'a', 'web-2', 'a_b'])('%s is a valid team name', (name) => {
  expect(isTeamName(name)).toBe(true);
});

test.each(['', 'Core', 'a.b', 'a b', '*', '>', '-a', 'a-', 'x'.repeat(33), 'ä'])("%j isn't", (name) => {
  expect(isTeamName(name)).toBe(false);
  expect(() => teamNames(name)).toThrow('is not a valid fleet name');
});
