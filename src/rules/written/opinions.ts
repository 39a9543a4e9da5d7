import { CALLS_AHEAD, isToolEvent } from '../../model/events.ts';
import type { Opinion } from '../../model/recording.ts';
import { ANY_SHELL } from '../../model/shells.ts';
import type { ToolCall } from '../../model/tools.ts';
import { createFacts, type Facts } from '../facts.ts';
import { inWordsFor, reasonFor } from '../reason.ts';
import type { Rule } from '../rule.ts';
import type { RuleIndex } from '../rule-index.ts';
import { linesWritten, mayHaveLines } from './kinds.ts';
import type { Line, Runs } from './line.ts';
import { isFromKnownInstaller, isFromOddPlace, isToOddPlace, usesNetwork } from './places.ts';
import { changedRegion } from './region.ts';
import type { Changed } from './texts.ts';

/**
 * Writing a file runs nothing, but a later run is not checked. So what the packs would deny then needs approval now.
 * What they would only ask about is common in scripts and passes, except in files that run automatically.
 */
export function opinionsOnWritten(
  facts: Facts,
  index: Pick<RuleIndex, 'candidates'>,
  matches: (rule: Rule, facts: Facts) => boolean,
): Opinion[] {
  const { event, world, memory } = facts;
  if (!CALLS_AHEAD.has(event.type) || !isToolEvent(event) || event.type === 'after_tool') return [];
  if (facts.written().length === 0) return [];
  const lines = linesIn(facts);
  if (lines.length === 0) return [];
  const runOf = (text: string) => createFacts({ ...event, tool: shellCall(text) }, world, memory);
  const isBad = (rule: Rule, runs: Runs, run: Facts) =>
    isMeant(rule, runs, run) && mayMatch(() => matches(rule, run));
  for (const { text, runs, file } of lines) {
    const run = runOf(text);
    const rule = index
      .candidates(run)
      .find((one) => isBad(one, runs, run) && isNew(file, (line) => badRun(one, line, runOf, isBad)));
    if (rule) return [asked(inWordsFor(rule, run), facts)];
  }
  return [];
}

type IsBad = (rule: Rule, runs: Runs, run: Facts) => boolean;

/** What is done where a line is run that the rule is about; null where it is not. */
function badRun(
  rule: Rule,
  { text, runs }: Line,
  runOf: (text: string) => Facts,
  isBad: IsBad,
): Facts | null {
  const run = runOf(text);
  return isBad(rule, runs, run) ? run : null;
}

/**
 * A file that was as bad before needs no new approval, whether for old content or for changes next to it. Only what the
 * changed lines touch in addition is new, unless paths and hosts are the same.
 */
function isNew(file: Changed, runOf: (line: Line) => Facts | null): boolean {
  const whole = file.whole();
  const region = whole === null ? null : changedRegion(whole.before, whole.after);
  if (whole === null || region === null) return true;
  const badIn = (text: string, isPart: boolean) =>
    linesWritten(file.path, text, isPart)
      .slice(0, MOST_COMPARED)
      .flatMap((line) => runOf(line) ?? []);
  const before = badIn(whole.before, false);
  if (before.length === 0) return true;
  if (linesWritten(file.path, region.text, true).length > MOST_COMPARED) return true;
  const had = new Set(before.flatMap(touchedBy));
  return badIn(region.text, true).some((run) => {
    const touched = touchedBy(run);
    return touched.length === 0 || touched.some((one) => !had.has(one));
  });
}

const MOST_COMPARED = 20;

/** The hosts and files that a line is about. */
function touchedBy(facts: Facts): readonly string[] {
  const files = facts
    .effects()
    .flatMap(({ access, touched }) => (access === null ? [] : `${access} ${touched.path}`));
  return [...files, ...facts.hosts().map((host) => `host ${host}`)];
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
      ? 'This writes code that would be denied when it runs.'
      : 'This writes code that can run later without approval.';
  const reason = `${why} ${rule.response.reason ?? ''}`;
  const asking: Rule = { ...rule, response: { decision: 'ask', reason } };
  const response = { decision: 'ask' as const, ...reasonFor(asking, event) };
  return { kind: 'rule', by: rule.id, where: rule.where, response };
}

const MOST_LINES = 40;
const LONGEST = 48 * 1024;
/** Signs of a line that contacts another machine, runs decoded code or opens a backdoor. */
const TELLING =
  /curl|wget|aria2|fetch|http|tp:|\bnc\b|ncat|netcat|socat|telnet|\/dev\/|base(?:64|32)|xxd|openssl|\brev\b|eval|exec|ssh|scp|rsync|python|perl|ruby|php|node|deno|bun|lua|\biex\b|\bi(?:wr|rm)\b|Invoke-|docker run|dig |nslookup|ping |min(?:er|e)|xmrig|pool|decode|unzip/i;

interface LineOfFile extends Line {
  readonly file: Changed;
}

const NO_LINES: readonly LineOfFile[] = [];

/** The commands that are new in the written files, each once, the suspicious ones first, up to the limit. */
function linesIn(facts: Facts): readonly LineOfFile[] {
  const all = new Map<string, LineOfFile>();
  for (const file of facts.written())
    for (const line of newLines(file)) all.set(keyOf(line), { ...line, file });
  if (all.size === 0) return NO_LINES;
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

function newLines({ path, given, whole }: Changed): readonly Line[] {
  if (!mayHaveLines(path, given.text)) return [];
  const file = whole();
  if (file === null) return linesWritten(path, given.text, given.isPart);
  const had = new Set(linesWritten(path, file.before, false).map(keyOf));
  return linesWritten(path, file.after, false).filter((line) => !had.has(keyOf(line)));
}

function keyOf({ runs, text }: Line): string {
  return `${runs} ${text}`;
}

const HANDS_SHELL_OVER = new RegExp(
  `\\b${ANY_SHELL}\\s+(?:-\\w*i\\b|\\d?[<>]&)|\\b0\\s*[<>]&|[<>]&\\s*0\\b|\\|\\s*(?:while|${ANY_SHELL})\\b`,
);
const DOWNLOAD = 'network-exec/download-and-run';

/** Denied on any machine. */
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

/** Denied in tests as well: none needs it. */
const LEAVES: ReadonlySet<string> = new Set(['secrets/exfiltrate', 'secrets/send-environment']);

/** Denied in files that run automatically on this machine. */
export const DANGEROUS_ALONE: ReadonlySet<string> = new Set([
  'persistence/start-files',
  'persistence/starts',
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
