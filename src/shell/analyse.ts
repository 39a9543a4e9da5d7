import { type AnalyseOptions, type Analysis, UNKNOWN } from './analysis.ts';
import { refuse } from './guard.ts';
import { runner, walkNode } from './nodes.ts';
import { isCommandlet, looksLikePowerShell, powerShell } from './powershell/powershell.ts';
import { scanWords } from './scan-words.ts';
import { parseScript } from './syntax/from-unbash.ts';
import type { Script } from './syntax/nodes.ts';
import { OVER_BUDGET, Walk } from './walk.ts';

/**
 * What a command line would do. Never throws, runs nothing, touches no file.
 *
 * @example
 * analyse('cd /srv && sudo rm -rf data', { cwd: '/home/dev' }).effects
 * // … { kind: 'delete', path: '/srv/data', recursive: true, force: true, … }
 */
export function analyse(command: string, options: AnalyseOptions = {}): Analysis {
  const walk = new Walk(command.length, options);
  const refused = refuse(command);
  if (refused !== null) {
    const reason = `unanalysable: ${refused.reason}`;
    if (refused.isTooLarge) walk.exceed(reason);
    else walk.fail(reason);
    scanWords(walk, runner, command);
  } else attempt(walk, command, () => read(walk, command, options.shell));
  return {
    coverage: coverageOf(walk),
    why: walk.why,
    commands: walk.commands,
    effects: walk.effects,
    code: walk.code,
    left: walk.left(),
    names: walk.names,
  };
}

function coverageOf({ overBudget, failed, partial }: Walk): Analysis['coverage'] {
  // Returns the worst that applies: the unread rest may hold anything.
  return overBudget ? 'over-budget' : failed ? 'failed' : partial ? 'partial' : 'complete';
}

function read(walk: Walk, command: string, shell: AnalyseOptions['shell']): void {
  if (shell === 'powershell') powerShell(walk, runner, command);
  else if (looksLikePowerShell(command)) either(walk, command);
  else posix(walk, command);
}

/** The text looks like PowerShell, but a POSIX shell may read it too. The effects of both readings count. */
function either(walk: Walk, command: string): void {
  powerShell(walk, runner, command);
  const script = parseScript(command);
  walk.restart();
  if (script.problems.length > 0) {
    // A shell rejects a line that it can't parse, but runs the lines before it.
    if (command.trim().includes('\n')) scanWords(walk, runner, command);
    return;
  }
  const first = walk.commands.length;
  const before = walk.effects.length;
  runner.script(walk, script);
  const kept = walk.effects.slice(before).filter(({ command: by }) => {
    const { argv = [], name = null } = walk.commands[by] ?? {};
    // No other shell has commands with such names, or a variable in front of an equals sign.
    return (
      by < first || !(isCommandlet(name ?? '') || (name === null && /^[-+]?=$/.test(argv[1]?.template ?? '')))
    );
  });
  walk.effects.splice(before, walk.effects.length - before, ...kept);
}

function posix(walk: Walk, command: string): void {
  const script = readable(walk, command);
  runner.script(walk, script);
  // An unknown name may refer to any function defined so far.
  if (walk.partial) uncalled(walk);
  if (script.problems.length > 0) scanWords(walk, runner, command);
}

function attempt(walk: Walk, command: string, read: () => void): void {
  try {
    read();
  } catch (problem) {
    // The walk must always answer: a bug of ours or of the parser means "not understood".
    walk.exceed(
      problem === OVER_BUDGET ? 'unanalysable: too much to follow' : 'unanalysable: the analysis broke',
    );
    // Nothing after the failing position has been read.
    walk.restart();
    scanWords(walk, runner, command);
  }
}

/** `<name>` as manuals write it: a placeholder that the reader replaces. What follows is not a redirection target. */
const PLACEHOLDER = /(^|[\s=:@/])<([a-z][\w. -]{0,40})>(?=\s*(?:$|[;|&)`"']))/gi;

/** The line itself, or the intended line if no shell could parse it. */
function readable(walk: Walk, command: string): Script {
  const script = parseScript(command);
  if (script.problems.length === 0 || command.search(PLACEHOLDER) < 0) return script;
  const meant = parseScript(command.replace(PLACEHOLDER, `$1${UNKNOWN}`));
  if (meant.problems.length > 0) return script;
  walk.lost('something else has to stand in place of a name in angle brackets');
  return meant;
}

function uncalled(walk: Walk): void {
  for (const [name, body] of walk.state.functions) {
    if (!walk.called.has(name)) walkNode(walk, body);
  }
}
