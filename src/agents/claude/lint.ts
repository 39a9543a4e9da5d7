import { entryOf } from '../../model/lookup.ts';
import { patternOf } from '../kit/dialect.ts';
import { scriptFindings } from '../setup/hook-scripts.ts';
import {
  type AddFinding,
  type AgentLint,
  countOf,
  findingsIn,
  type LintFinding,
  lintSettings,
  longTimeout,
} from '../setup/lint.ts';
import { objectsIn, unquoted } from '../setup/lint-objects.ts';
import { SettingsDocument } from '../setup/settings-json.ts';
import { formOf } from './encode.ts';
import { imports } from './imports.ts';
import { fatalEntries } from './inspect.ts';
import { allSettings, settings } from './setup.ts';

/** What users believe about Claude Code that 2.1.325 does not do. */
export const lint: AgentLint = {
  // Examples that name no agent are most often for this one.
  relevance: (text) =>
    1 + countOf(text, /CLAUDE_|\bClaude\b|PreToolUse|PostToolUse|UserPromptSubmit|PreCompact|SubagentStop/g),
  script: (text) => [
    ...scriptFindings(text, {
      label: 'Claude Code',
      knowsEvent: (event) => formOf(event) !== null,
      takesContext: (event) => {
        const form = formOf(event);
        return form?.context === 'own' || form?.context === 'unless-refused' || form?.halt === 'wins';
      },
    }),
    ...entriesIn(text),
    ...staleValues(text),
  ],
  settings: (context) =>
    lintSettings(
      [
        ...allSettings(context, '/nowhere').map(({ path }) => path),
        ...imports.find(context).map(({ path }) => path),
      ],
      settings.groups,
      settingsFindings,
    ),
  file: (path) => lintSettings([path], settings.groups, settingsFindings),
};

/** Findings in the text of a settings file. */
export function settingsFindings(text: string, path: string): readonly LintFinding[] {
  const fatal = fatalEntries(hooksIn(text, path)).map((place) => ({
    code: 'drops-file',
    line: 1,
    message: `For ${place} Claude Code silently drops this whole file, and every hook in it.`,
    fix: 'Correct or remove the entry: type is one of command, http, mcp_tool, prompt and agent.',
  }));
  return [...fatal, ...entriesIn(text)];
}

function hooksIn(text: string, path: string): unknown {
  try {
    return new SettingsDocument(text, { path }).get(['hooks']);
  } catch {
    return undefined;
  }
}

const TOOL_EVENTS = /^(?:PreToolUse|PostToolUse|PostToolUseFailure|PermissionRequest|PermissionDenied)$/;
const HANDLER_TYPE = /^["'](?:command|http|prompt|agent|mcp_tool)["']$/;

/** Handlers and groups in a text, be it settings or an example of them. */
function entriesIn(text: string): readonly LintFinding[] {
  const add = findingsIn(text);
  return objectsIn(text).flatMap((object) => {
    const { entries } = object;
    const matcher = entries.get('matcher');
    const problem = matcher && entries.has('hooks') ? matcherProblem(unquoted(matcher.text)) : null;
    return [
      ...(HANDLER_TYPE.test(entries.get('type')?.text ?? '') ? longTimeout(text, object) : []),
      ...(matcher && problem ? [add('matcher', matcher.offset, problem.message, problem.fix)] : []),
      ...[...entries].flatMap(([event, { offset, text: groups }]) => neverRuns(event, groups, offset, add)),
    ];
  });
}

/** Words that a session never starts or ends with, whatever older descriptions say. */
const STALE_MATCHERS: Readonly<Record<string, readonly [stale: RegExp, fix: string]>> = {
  SessionStart: [/\b(?:continue|checkpoint)\b/, 'The sources are startup, resume, clear, compact and fork.'],
  SessionEnd: [
    /\b(?:exit|error|timeout|compact)\b/,
    'The reasons are clear, resume, logout, prompt_input_exit and other.',
  ],
};

function neverRuns(event: string, groups: string, offset: number, add: AddFinding): readonly LintFinding[] {
  const findings: LintFinding[] = [];
  const [stale, fix = ''] = entryOf(STALE_MATCHERS, event) ?? [];
  for (const { 1: matcher = '' } of groups.matchAll(/"matcher"\s*:\s*"([^"]*)"/g)) {
    const word = stale?.exec(matcher)?.[0];
    if (word !== undefined)
      findings.push(add('matcher', offset, `On ${event} ${word} matches nothing.`, fix));
  }
  if (/"if"\s*:/.test(groups) && formOf(event) !== null && !TOOL_EVENTS.test(event))
    findings.push(
      add(
        'never-runs',
        offset,
        `A hook with "if" never runs on ${event}.`,
        'Leave "if" out, and decide in the script.',
      ),
    );
  if (/"type"\s*:\s*"http"/.test(groups) && /^(?:SessionStart|Setup)$/.test(event))
    findings.push(
      add(
        'never-runs',
        offset,
        `Claude Code silently skips http hooks on ${event}.`,
        'Use a command hook here.',
      ),
    );
  return findings;
}

/** Tools that 2.1.325 does not have, with what does their work. Names that only changed still match. */
const GONE_TOOLS: ReadonlyMap<string, string> = new Map([
  ['MultiEdit', 'Edit does its work: leave it out, or write Edit.'],
  ['LS', 'Folders are listed by Bash.'],
  ['NotebookRead', 'Read does its work.'],
  ['TodoRead', 'Tasks are listed by TaskList.'],
]);

function matcherProblem(matcher: string): { message: string; fix: string } | null {
  if (matcher === '' || matcher === '*') return null;
  const nothing = `The matcher ${matcher} matches nothing.`;
  if (/^\w+\(.*\)$/.test(matcher))
    return { message: nothing, fix: 'A matcher is the name of a tool; use "if" for what it is called with.' };
  if (matcher.startsWith('!'))
    return { message: nothing, fix: 'There is no "not": name the tools you mean.' };
  if (/^[\w|, -]+$/.test(matcher)) {
    const names = matcher.split(/[|,]/).map((name) => name.trim());
    const lower = names.find((name) =>
      /^(?:bash|read|write|edit|glob|grep|task|agent|webfetch|websearch)$/.test(name),
    );
    if (lower !== undefined)
      return {
        message: `Names are case-sensitive: ${lower} matches nothing.`,
        fix: 'Write it with a capital letter.',
      };
    const gone = names.filter((name) => GONE_TOOLS.has(name));
    if (gone.length > 0)
      return {
        message: `There is no tool ${gone.join(', and no ')} any more: it matches nothing.`,
        fix: gone.map((name) => GONE_TOOLS.get(name)).join(' '),
      };
    const server = names.find((name) => /^mcp__[^_]+(?:_[^_]+)*$/.test(name));
    return server === undefined
      ? null
      : { message: `${server} alone matches nothing.`, fix: `Write ${server}__.*` };
  }
  return patternOf(matcher) === null
    ? {
        message: `${nothing} It is not a valid JavaScript pattern.`,
        fix: 'Write it without flags such as (?i).',
      }
    : null;
}

const SOURCES = /\b(?:continue|checkpoint)\b/;
const REASONS = /\b(?:exit|error|timeout|compact|bypass_permissions_disabled)\b/;

function staleValues(text: string): readonly LintFinding[] {
  const add = findingsIn(text);
  return objectsIn(text).flatMap(({ entries, offset }) => {
    const event = unquoted(entries.get('hook_event_name')?.text ?? '');
    if (event === 'SessionStart' && SOURCES.test(entries.get('source')?.text ?? ''))
      return [
        add(
          'stale-value',
          offset,
          'A session does not start by "continue" or "checkpoint".',
          'The sources are startup, resume, clear, compact and fork.',
        ),
      ];
    if (event === 'SessionEnd' && REASONS.test(entries.get('reason')?.text ?? ''))
      return [
        add(
          'stale-value',
          offset,
          'Some of these are not reasons for which a session ends.',
          'The reasons are clear, resume, logout, prompt_input_exit and other.',
        ),
      ];
    return [];
  });
}
