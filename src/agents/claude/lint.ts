import { scriptFindings } from '../_families/hook-scripts.ts';
import { listHandlers, type PlacedHandler } from '../hook-groups.ts';
import { type AgentLint, countOf, type LintFinding } from '../lint.ts';
import { lineAt, objectsIn, unquoted } from '../lint-objects.ts';
import { readSettings, SettingsDocument } from '../settings-json.ts';
import { formOf } from './forms.ts';
import { imports } from './imports.ts';
import { patternOf } from './matcher.ts';
import { allSettings } from './setup-files.ts';
import { fatalEntries, hookGroups } from './setup-handlers.ts';

/** What people believe of Claude Code that 2.1.325 does not do. */
export const lint: AgentLint = {
  // Examples that name nobody are most often for this one.
  speaks: (text) =>
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
  settings(context) {
    const files = [
      ...allSettings(context, '/nowhere').map(({ path }) => path),
      ...imports.find(context).map(({ path }) => path),
    ];
    return [...new Set(files)].flatMap((path) => {
      const text = readSettings(path);
      if (text === null) return [];
      return [{ path, findings: settingsFindings(text, path), commands: commandsIn(text, path) }];
    });
  },
};

function commandsIn(text: string, path: string): readonly string[] {
  const { handlers } = read(text, path);
  return handlers.filter(({ ours }) => !ours).flatMap(({ handler }) => Object(handler).command ?? []);
}

function read(text: string, path: string): { handlers: readonly PlacedHandler[]; hooks: unknown } {
  try {
    return {
      handlers: listHandlers(text, hookGroups(path)),
      hooks: new SettingsDocument(text, { path }).get(['hooks']),
    };
  } catch {
    return { handlers: [], hooks: undefined };
  }
}

/** Findings in the text of a settings file. */
export function settingsFindings(text: string, path: string): readonly LintFinding[] {
  const { hooks } = read(text, path);
  const fatal = fatalEntries(hooks).map((place) => ({
    code: 'drops-file',
    line: 1,
    message: `For ${place} Claude Code drops this whole file, and every hook in it, without a word.`,
    fix: 'Correct or remove the entry: type is one of command, http, mcp_tool, prompt and agent.',
  }));
  return [...fatal, ...entriesIn(text)];
}

const TOOL_EVENTS = /^(?:PreToolUse|PostToolUse|PostToolUseFailure|PermissionRequest|PermissionDenied)$/;

/** Handlers and groups in a text, be it settings or an example of them. */
function entriesIn(text: string): LintFinding[] {
  return objectsIn(text).flatMap(({ entries }) => {
    const findings: LintFinding[] = [];
    const timeout = entries.get('timeout');
    const isHandler = /^["'](?:command|http|prompt|agent|mcp_tool)["']$/.test(
      entries.get('type')?.text ?? '',
    );
    if (isHandler && timeout && Number(timeout.text) >= 1000) {
      findings.push({
        code: 'timeout-unit',
        line: lineAt(text, timeout.offset),
        message: `A timeout is in seconds: ${timeout.text} are ${(Number(timeout.text) / 3600).toFixed(1)} hours.`,
        fix: `Write ${Math.max(1, Math.round(Number(timeout.text) / 1000))}.`,
      });
    }
    const matcher = entries.get('matcher');
    const problem = matcher && entries.has('hooks') ? matcherProblem(unquoted(matcher.text)) : null;
    if (matcher && problem !== null) {
      findings.push({ code: 'matcher', line: lineAt(text, matcher.offset), ...problem });
    }
    for (const [event, { offset, text: groups }] of entries) {
      if (/"if"\s*:/.test(groups) && formOf(event) !== null && !TOOL_EVENTS.test(event))
        findings.push({
          code: 'never-runs',
          line: lineAt(text, offset),
          message: `A hook with "if" never runs on ${event}.`,
          fix: 'Leave "if" out, and decide in the script.',
        });
      if (/"type"\s*:\s*"http"/.test(groups) && /^(?:SessionStart|Setup)$/.test(event))
        findings.push({
          code: 'never-runs',
          line: lineAt(text, offset),
          message: `Claude Code skips http hooks on ${event} without a word.`,
          fix: 'Use a command hook here.',
        });
    }
    return findings;
  });
}

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
    const server = names.find((name) => /^mcp__[^_]+(?:_[^_]+)*$/.test(name));
    return server === undefined
      ? null
      : { message: `${server} alone matches nothing.`, fix: `Write ${server}__.*` };
  }
  return patternOf(matcher) === null
    ? {
        message: `${nothing} It is no valid JavaScript pattern.`,
        fix: 'Write it without flags such as (?i).',
      }
    : null;
}

const SOURCES = /\b(?:continue|checkpoint)\b/;
const REASONS = /\b(?:exit|error|timeout|compact|bypass_permissions_disabled)\b/;

function staleValues(text: string): LintFinding[] {
  return objectsIn(text).flatMap(({ entries, offset }) => {
    const event = unquoted(entries.get('hook_event_name')?.text ?? '');
    const line = lineAt(text, offset);
    if (event === 'SessionStart' && SOURCES.test(entries.get('source')?.text ?? ''))
      return [
        {
          code: 'stale-value',
          line,
          message: 'A session does not start by "continue" or "checkpoint".',
          fix: 'The sources are startup, resume, clear, compact and fork.',
        },
      ];
    if (event === 'SessionEnd' && REASONS.test(entries.get('reason')?.text ?? ''))
      return [
        {
          code: 'stale-value',
          line,
          message: 'Some of these are no reasons for which a session ends.',
          fix: 'The reasons are clear, resume, logout, prompt_input_exit and other.',
        },
      ];
    return [];
  });
}
