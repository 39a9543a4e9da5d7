import { type HookGroups, listHandlers } from './hook-groups.ts';
import { type LooseObject, lineAt } from './lint-objects.ts';
import { readSettings } from './settings-json.ts';
import type { SetupContext } from './setup.ts';

/** Something that was true of an agent once, or never, and what to write instead. */
export interface LintFinding {
  readonly code: string;
  /** From 1. */
  readonly line: number;
  readonly message: string;
  readonly fix: string;
}

/** A file that an agent reads hooks from, with the programs it calls. */
export interface LintedSettings {
  readonly path: string;
  readonly findings: readonly LintFinding[];
  readonly commands: readonly string[];
}

/** What an agent's hook scripts and settings get wrong about it. */
export interface AgentLint {
  /** How much a text is about this agent; the highest number wins. */
  relevance(text: string): number;
  /** Findings in a script, a plugin, an example: anything that is code for this agent's hooks. */
  script(text: string): readonly LintFinding[];
  /** Every settings file of the agent on this machine, checked. */
  settings(context: SetupContext): readonly LintedSettings[];
  /** One file, checked as settings. */
  file(path: string): readonly LintedSettings[];
}

export function countOf(text: string, words: RegExp): number {
  return [...text.matchAll(words)].length;
}

/** A finding at an offset of the text. */
export type AddFinding = (code: string, offset: number, message: string, fix: string) => LintFinding;

export function findingsIn(text: string): AddFinding {
  return (code, offset, message, fix) => ({ code, line: lineAt(text, offset), message, fix });
}

/** The settings files that exist, with what `check` finds in each. */
export function lintSettings(
  paths: readonly string[],
  groups: (path: string) => HookGroups,
  check: (text: string, path: string) => readonly LintFinding[],
): readonly LintedSettings[] {
  return [...new Set(paths)].flatMap((path) => {
    const text = readSettings(path);
    if (text === null) return [];
    return [{ path, findings: check(text, path), commands: commandsIn(text, groups(path)) }];
  });
}

/** Commands of other people's hooks; none where the file cannot be read, which `check` reports. */
function commandsIn(text: string, groups: HookGroups): readonly string[] {
  try {
    const handlers = listHandlers(text, groups).filter(({ ours }) => !ours);
    return handlers.flatMap(({ handler }) => Object(handler).command ?? []);
  } catch {
    return [];
  }
}

/** Our own entry: users may take a day to answer, and the agent has to wait for them. */
const OWN_ENTRY = /\bhookline-forward|\bforward\.js\b/;

/** For clients that count in seconds: a timeout that was meant in milliseconds. */
export function longTimeout(text: string, { entries, offset }: LooseObject): readonly LintFinding[] {
  const timeout = entries.get('timeout');
  const value = Number(timeout?.text);
  if (!timeout || !entries.has('type') || !(value >= 1000)) return [];
  if (OWN_ENTRY.test(text.slice(offset, timeout.offset))) return [];
  return [
    findingsIn(text)(
      'timeout-unit',
      timeout.offset,
      `A timeout is in seconds: ${timeout.text} are ${(value / 3600).toFixed(1)} hours.`,
      `Write ${Math.max(1, Math.round(value / 1000))}.`,
    ),
  ];
}
