import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AGENTS } from '../../agents/_registry.ts';
import type { Agent } from '../../agents/agent.ts';
import type { LintedSettings, LintFinding } from '../../agents/setup/lint.ts';
import { lineAt } from '../../agents/setup/lint-objects.ts';
import type { SetupContext } from '../../agents/setup/setup.ts';
import { readRegularText } from '../../platform/bounded-files.ts';

/** A finding, its position, and the agent of the hook. */
interface Placed extends LintFinding {
  readonly file: string;
  readonly agent: string;
}

type Linted = Agent & { readonly lint: NonNullable<Agent['lint']> };

function linted(): readonly Linted[] {
  return [...AGENTS.values()].filter((agent): agent is Linted => agent.lint !== undefined);
}

/** The agent that a text mentions most. */
function meant(text: string): Linted | undefined {
  return linted().reduce<Linted | undefined>(
    (best, one) => (best && best.lint.relevance(text) >= one.lint.relevance(text) ? best : one),
    undefined,
  );
}

/** Findings in a text: in the code blocks of a document, otherwise everywhere. */
export function lintText(text: string, file: string, dialect: Agent | undefined): readonly Placed[] {
  const parts = blocksOf(text, file);
  return parts.flatMap(({ code, offset }) => {
    const agent = dialect ?? meant(code);
    const before = lineAt(text, offset) - 1;
    return (agent?.lint?.script(code) ?? []).map((finding) => ({
      ...finding,
      line: finding.line + before,
      file,
      agent: agent?.id ?? '',
    }));
  });
}

function blocksOf(text: string, file: string): readonly { code: string; offset: number }[] {
  const fences = [...text.matchAll(/```\w*\s([\s\S]*?)```/g)];
  if (fences.length === 0 || !/\.(?:md|markdown|txt)$/.test(file)) return [{ code: text, offset: 0 }];
  return fences.map(({ 0: fence, 1: code = '', index }) => ({ code, offset: index + fence.indexOf(code) }));
}

const MAX_BYTES = 1 << 20;

/** The directories that stand for `~` and the project. */
type Surroundings = Pick<SetupContext, 'home' | 'cwd'>;

/** Findings in files and directories. For settings, also in the scripts that they call. */
export function lintPaths(
  paths: readonly string[],
  dialect: Agent | undefined,
  around: Surroundings,
): readonly Placed[] {
  return paths.flatMap((path) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory())
      return lintPaths(
        readdirSync(path)
          .filter((name) => name !== 'node_modules' && !name.startsWith('.git'))
          .map((name) => join(path, name)),
        dialect,
        around,
      );
    if (!stat?.isFile() || stat.size > MAX_BYTES) return [];
    const text = readRegularText(path);
    const agent = dialect ?? meant(text);
    return agent?.lint && isSettings(text, path)
      ? agent.lint.file(path).flatMap((settings) => placed(agent, settings, around))
      : lintText(text, path, dialect);
  });
}

/** Groups of hooks by event, as in the settings and plugins of agents. */
function isSettings(text: string, path: string): boolean {
  return path.endsWith('.json') && /"hooks"\s*:\s*\{/.test(text) && /"hooks"\s*:\s*\[/.test(text);
}

/** Findings in the settings of every agent and in the scripts that they call. */
export function lintAllSettings(context: SetupContext): readonly Placed[] {
  return linted().flatMap((agent) =>
    agent.lint.settings(context).flatMap((settings) => placed(agent, settings, context)),
  );
}

function placed(
  agent: Agent,
  { path, findings, commands }: LintedSettings,
  around: Surroundings,
): readonly Placed[] {
  const scripts = commands.flatMap((command) => scriptsIn(command, around));
  return [
    ...findings.map((finding) => ({ ...finding, file: path, agent: agent.id })),
    ...lintPaths([...new Set(scripts)], agent, around),
  ];
}

/** The files that a command line names. */
function scriptsIn(command: string, { home, cwd }: Surroundings): readonly string[] {
  const words = command.split(/["'\s;|&]+/).filter((word) => /\//.test(word));
  return words
    .map((word) => word.replace(/^~(?=\/)|\$\{?HOME\}?/g, home).replace(/\$\{?[A-Z]+_PROJECT_DIR\}?/g, cwd))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
}
