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
  /** How much a text speaks of this agent: the one with the highest number is meant. */
  speaks(text: string): number;
  /** Findings in a script, a plugin, an example: anything that is code for this agent's hooks. */
  script(text: string): readonly LintFinding[];
  /** Every settings file of the agent on this machine, looked through. */
  settings(context: SetupContext): readonly LintedSettings[];
}

export function countOf(text: string, words: RegExp): number {
  return [...text.matchAll(words)].length;
}
