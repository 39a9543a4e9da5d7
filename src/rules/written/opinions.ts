import { CALLS_AHEAD, isToolEvent } from '../../model/events.ts';
import { ANY_SHELL } from '../../model/programs.ts';
import type { Opinion } from '../../model/recording.ts';
import type { ToolCall } from '../../model/tools.ts';
import { createFacts, type Facts } from '../facts.ts';
import { wordsFor } from '../reason.ts';
import type { Rule } from '../rule.ts';
import type { RuleIndex } from '../rule-index.ts';
import { linesWritten } from './kinds.ts';
import type { Line, Runs } from './line.ts';
import { isFromKnownInstaller, isFromOddPlace, isToOddPlace, usesNetwork } from './places.ts';

/**
 * Writing a file runs nothing, but nobody reviews it when it runs later: what the packs would refuse then is asked about
 * now. What they would only ask about is common in scripts and passes, except in files that run by themselves.
 */
export function opinionsOnWritten(
  facts: Facts,
  index: Pick<RuleIndex, 'candidates'>,
  matches: (rule: Rule, facts: Facts) => boolean,
): Opinion[] {
  const { event, world, memory } = facts;
  if (!CALLS_AHEAD.has(event.type) || !isToolEvent(event) || event.type === 'after_tool') return [];
  if (facts.written().length === 0) return [];
  for (const { text, runs } of linesIn(facts)) {
    const run = createFacts({ ...event, tool: shellCall(text) }, world, memory);
    const rule = index
      .candidates(run)
      .find((one) => isMeant(one, runs, run) && mayMatch(() => matches(one, run)));
    if (rule) return [asked(rule, facts)];
  }
  return [];
}

/** What takes too long to judge counts as matching, here as elsewhere. */
function mayMatch(matches: () => boolean): boolean {
  try {
    return matches();
  } catch {
    return true;
  }
}

function asked(rule: Rule, { event }: Facts): Opinion {
  const why =
    rule.response.decision === 'deny'
      ? 'What is written here would be refused when it runs.'
      : 'What is written here runs later without another question.';
  const reason = `${why} ${rule.response.reason ?? ''}`;
  const asking: Rule = { ...rule, response: { decision: 'ask', reason } };
  const response = { decision: 'ask' as const, ...wordsFor(asking, event) };
  return { kind: 'rule', by: rule.id, where: rule.where, response };
}

const MOST_LINES = 40;
const LONGEST = 48 * 1024;
/** Signs of a line that contacts another machine, runs decoded code or opens a backdoor. */
const TELLING =
  /curl|wget|aria2|fetch|http|tp:|\bnc\b|ncat|netcat|socat|telnet|\/dev\/|base(?:64|32)|xxd|openssl|\brev\b|eval|exec|ssh|scp|rsync|python|perl|ruby|php|node|deno|bun|lua|\biex\b|\bi(?:wr|rm)\b|Invoke-|docker run|dig |nslookup|ping |min(?:er|e)|xmrig|pool|decode|unzip/i;

/** The commands in the written files, each once, the suspicious ones first, up to the limit. */
function linesIn(facts: Facts): readonly Line[] {
  const all = new Map<string, Line>();
  for (const { path, text, isPart } of facts.written())
    for (const line of linesWritten(path, text, isPart)) all.set(`${line.runs} ${line.text}`, line);
  const lines = [...all.values()];
  const telling = lines.filter(({ text }) => TELLING.test(text));
  // Of commands that run on another machine, only the suspicious ones count.
  const others = lines.filter(({ text, runs }) => runs !== 'elsewhere' && !TELLING.test(text));
  let room = LONGEST;
  return [...telling, ...others].slice(0, MOST_LINES).filter(({ text }) => {
    room -= text.length;
    return room >= 0;
  });
}

const HANDS_SHELL_OVER = new RegExp(
  `\\b${ANY_SHELL}\\s+(?:-\\w*i\\b|\\d?[<>]&)|\\b0\\s*[<>]&|[<>]&\\s*0\\b|\\|\\s*(?:while|${ANY_SHELL})\\b`,
);
const DOWNLOAD = 'network-exec/download-and-run';

/** Refused on any machine. */
export const DANGEROUS_ANYWHERE: ReadonlySet<string> = new Set([
  'secrets/exfiltrate',
  'secrets/send-environment',
  'secrets/send-secret',
  'network-exec/shell-on-socket',
  'network-exec/interactive-shell',
  'network-exec/hidden-shell',
  'network-exec/disguised-host',
  'network-exec/decoded',
  'network-exec/mining',
]);

/** Refused in tests as well: none needs it. */
const LEAVES: ReadonlySet<string> = new Set(['secrets/exfiltrate', 'secrets/send-environment']);

/** Refused in files that run by themselves on this machine. */
export const DANGEROUS_ALONE: ReadonlySet<string> = new Set([
  'persistence/schedule',
  'persistence/services',
  'persistence/start-files',
  'persistence/start-by-command',
  'persistence/git-hooks',
  'recommended/break-out',
  'recommended/mount-system',
  'recommended/reach-the-host',
]);

/** Rules of users apply to what is run, not to what is written: only packs count here. */
function isMeant(rule: Rule, runs: Runs, run: Facts): boolean {
  const { id, layer, response, observing, afterRefusal, limit } = rule;
  if (layer !== 'pack' || observing || afterRefusal || limit !== null) return false;
  if (runs === 'tested') return LEAVES.has(id) && usesNetwork(run);
  if (id === DOWNLOAD) return runs === 'elsewhere' ? isFromOddPlace(run) : !isFromKnownInstaller(run);
  // Many scripts check this way whether a port is open.
  if (id === 'network-exec/reverse-shell') return HANDS_SHELL_OVER.test(run.tool?.command ?? '');
  if (DANGEROUS_ANYWHERE.has(id)) return true;
  if (id === 'secrets/send-variable') return runs === 'elsewhere' && isToOddPlace(run);
  if (runs === 'elsewhere') return false;
  if (response.decision === 'deny') return true;
  if (runs === 'called') return false;
  // Where a program fetches something and evaluates code made at run time, that code is most likely what it fetched.
  return DANGEROUS_ALONE.has(id) || (id === 'network-exec/unknown-code' && usesNetwork(run));
}

function shellCall(command: string): ToolCall {
  const name = { name: 'Bash', nativeName: 'Bash', kind: 'shell' as const };
  return { ...name, input: { command }, useId: null, mcp: null, command, files: [] };
}
