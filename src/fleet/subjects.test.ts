import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromSubjectToken, isTeamName, subjectToken, teamNames } from './subjects.ts';

const wellFormed = fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed());

test('any text is one token, and comes back as it was', () => {
  fc.assert(
    fc.property(wellFormed, (text) => {
      expect(subjectToken(text)).toMatch(/^[\w=-]+$/);
      expect(fromSubjectToken(subjectToken(text))).toBe(text);
    }),
  );
});

test('no part of a record changes the shape of its subject', () => {
  fc.assert(
    fc.property(wellFormed, wellFormed, wellFormed, (machine, agent, type) => {
      const parts = teamNames('core').event(machine, agent, type).split('.');
      expect(parts.slice(0, 3)).toEqual(['hookline', 'core', 'audit']);
      expect(parts).toHaveLength(7);
      expect(parts.filter((part) => part === '*' || part === '>' || part === '')).toEqual([]);
    }),
  );
});

test('all that a machine writes is below one subject, and in the stream', () => {
  const names = teamNames('core');
  expect(names.auditOf('m1')).toBe('hookline.core.audit.m1.>');
  expect(names.event('m1', 'a', 'before_tool')).toBe('hookline.core.audit.m1.event.a.before_tool');
  expect(names.chain('m1', 'gap')).toBe('hookline.core.audit.m1.chain.gap');
  expect(names.events(undefined, 'stop')).toBe('hookline.core.audit.*.event.*.stop');
  expect(names.audit).toBe('hookline.core.audit.>');
});

test.each(['core', 'a', 'web-2', 'a_b'])('%s is a name for a team', (name) => {
  expect(isTeamName(name)).toBe(true);
});

test.each(['', 'Core', 'a.b', 'a b', '*', '>', '-a', 'a-', 'x'.repeat(33), 'ä'])('%j is none', (name) => {
  expect(isTeamName(name)).toBe(false);
  expect(() => teamNames(name)).toThrow('is not a valid fleet name');
});
