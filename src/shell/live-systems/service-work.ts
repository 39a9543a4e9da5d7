import { anyWordFor, countsAs, entryFor } from '../../knowledge/load.ts';
import { saysSo } from '../../knowledge/wildcard.ts';
import { once } from '../../platform/bounded.ts';
import type { Effect, SimpleCommand } from '../analysis.ts';

const altering = once(
  () => new RegExp(`^${anyWordFor('alters')}(?:[-_].*)?$|[-_:.]${anyWordFor('alters')}$`),
);
/** What runs inside is judged by itself. */
const INSIDE = /^(?:exec|run|cp)$/;
/** What the program itself is set to, on this machine. */
const OWN = /^(?:configs?|configure|auth|profiles?|login|context|plugins?|completion|stack|local|init)$/;

/** What the program of a service changes there; null where it does not, or only looks. */
export function serviceWork(command: SimpleCommand, own: readonly Effect[]): string | null {
  const { tool, sub } = command;
  const entry = tool === null ? undefined : entryFor(tool);
  if (tool === null || entry?.verbs === undefined || OWN.test(sub[0] ?? '')) return null;
  const operands = command.operands.map(({ template }) => template);
  if (entry.machine) {
    const isChange = saysSo([...sub, ...operands].join(' '), entry.machine);
    return isChange && !INSIDE.test(sub[0] ?? '') ? tool : null;
  }
  return isService(own) && changes([...sub, ...operands.slice(0, 1)]) ? tool : null;
}

const isService = (own: readonly Effect[]): boolean => own.some(({ kind }) => kind === 'resource');

function changes(words: readonly string[]): boolean {
  const looks = words.some((word) => countsAs('look', /^[a-z]+/.exec(word)?.[0] ?? ''));
  return !looks && words.some((word) => altering().test(word) && !INSIDE.test(word));
}

/** The same of a program of which nothing is known, as far as its words tell. */
export function unknownWork({ tool, name, operands, argv }: SimpleCommand): string | null {
  if (name === null || argv.length < 3 || (tool !== null && entryFor(tool) !== undefined)) return null;
  const words = operands.slice(0, 3).map(({ template }) => template);
  const isLive = words.some((word) => countsAs('goes-live', /^[a-z]+/.exec(word)?.[0] ?? ''));
  return isLive || changes(words) ? name : null;
}
