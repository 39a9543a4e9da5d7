import { listHandlers } from '../hook-groups.ts';
import { type AgentLint, countOf, type LintFinding } from '../lint.ts';
import { type LooseObject, lineAt, objectsIn, unquoted } from '../lint-objects.ts';
import { readSettings } from '../settings-json.ts';
import { imports } from './imports.ts';
import { isNativeEvent } from './names.ts';
import { allSettings, systemFolder } from './setup-files.ts';
import { hookGroups } from './setup-handlers.ts';

/** What people believe of Gemini CLI that 0.61.0 does not do. */
export const lint: AgentLint = {
  speaks: (text) =>
    2 *
    countOf(
      text,
      /GEMINI_|\bgemini\b|BeforeTool|AfterTool|BeforeAgent|AfterAgent|BeforeModel|AfterModel|PreCompress|llm_request|toolConfig|run_shell_command|RunShellCommand/g,
    ),
  script: (text) => {
    const objects = objectsIn(text);
    return [
      ...staleFields(text),
      ...oldToolNames(text),
      ...exitWithJson(text),
      ...objects.flatMap((object) => [...answerFindings(text, object), ...entryFindings(text, object)]),
    ].toSorted((a, b) => a.line - b.line);
  },
  settings(context) {
    const files = [
      ...allSettings(context, systemFolder(process.platform)),
      ...imports.find(context).map(({ path }) => path),
    ];
    return [...new Set(files)].flatMap((path) => {
      const text = readSettings(path);
      if (text === null) return [];
      return [{ path, findings: settingsFindings(text), commands: commandsIn(text, path) }];
    });
  },
};

function commandsIn(text: string, path: string): readonly string[] {
  try {
    const handlers = listHandlers(text, hookGroups(path)).filter(({ ours }) => !ours);
    return handlers.flatMap(({ handler }) => Object(handler).command ?? []);
  } catch {
    return [];
  }
}

/** Findings in the text of a settings file. */
export function settingsFindings(text: string): readonly LintFinding[] {
  return objectsIn(text).flatMap((object) => [
    ...entryFindings(text, object),
    ...eventFindings(text, object),
  ]);
}

function staleFields(text: string): LintFinding[] {
  return [...text.matchAll(/["'.](tool_output|available_tools)\b/g)].map(({ index, 1: field = '' }) => ({
    code: field === 'tool_output' ? 'tool-output' : 'stale-field',
    line: lineAt(text, index),
    message: `There is no ${field}.`,
    fix:
      field === 'tool_output'
        ? 'Read tool_response.llmContent.'
        : 'Hooks are not told which tools there are.',
  }));
}

const OLD_TOOL =
  /["'|](RunShellCommand|ReadFile|WriteFile|ReadFileTool|WriteFileTool|EditFile|GlobTool|GrepTool|ShellTool)\b/g;
const TOOLS: Readonly<Record<string, string>> = {
  RunShellCommand: 'run_shell_command',
  ShellTool: 'run_shell_command',
  ReadFile: 'read_file',
  ReadFileTool: 'read_file',
  WriteFile: 'write_file',
  WriteFileTool: 'write_file',
  EditFile: 'replace',
  GlobTool: 'glob',
  GrepTool: 'grep_search',
};

function oldToolNames(text: string): LintFinding[] {
  return [...text.matchAll(OLD_TOOL)].map(({ index, 1: name = '' }) => ({
    code: 'tool-name',
    line: lineAt(text, index),
    message: `${name} is the name of a class; hooks are told, and matched by, the name that the model uses.`,
    fix: `Write ${TOOLS[name]}.`,
  }));
}

function exitWithJson(text: string): LintFinding[] {
  const exit = /(?:sys\.exit|process\.exit)\([^)\n]*\b2\s*\)/.exec(text);
  if (!exit || !/json\.dumps|JSON\.stringify/.test(text)) return [];
  return [
    {
      code: 'exit-code',
      line: lineAt(text, exit.index),
      message: 'When JSON is printed it decides, whatever the exit code; a code above 0 only adds a warning.',
      fix: 'Print the JSON and exit with 0.',
    },
  ];
}

const TAKES_CONTEXT = /^(?:SessionStart|BeforeAgent|AfterTool)$/;

function answerFindings(text: string, { entries, under, offset }: LooseObject): LintFinding[] {
  const findings: LintFinding[] = [];
  const add = (code: string, at: number, message: string, fix: string) =>
    findings.push({ code, line: lineAt(text, at), message, fix });
  if (under === 'toolConfig' && entries.has('disabled_tools'))
    add(
      'tool-config',
      offset,
      'Tools cannot be switched off one by one.',
      'Give mode and allowedFunctionNames, a list of what may be used.',
    );
  if (under === 'llm_request' && entries.has('temperature'))
    add(
      'llm-config',
      offset,
      'temperature beside model is ignored.',
      'Put it into llm_request.config, with all other values of config: what is left out is reset.',
    );
  if (entries.has('permissionDecision'))
    add(
      'claude-answer',
      offset,
      'permissionDecision is not read here.',
      'Answer {"decision": "deny", "reason": …} at the top.',
    );
  const event = unquoted(entries.get('hookEventName')?.text ?? '');
  if (entries.has('additionalContext') && isNativeEvent(event) && !TAKES_CONTEXT.test(event))
    add(
      'context-lost',
      offset,
      `additionalContext on ${event} is ignored.`,
      'Give it on BeforeAgent, AfterTool or SessionStart.',
    );
  const message = entries.get('systemMessage');
  if (message && /inject|\byou must\b|for the model/i.test(message.text))
    add(
      'system-message',
      message.offset,
      'systemMessage is shown to the person, never to the model.',
      'Use hookSpecificOutput.additionalContext.',
    );
  return findings;
}

/** Handlers and groups, be it in settings or in an example of them. */
function entryFindings(text: string, { entries }: LooseObject): LintFinding[] {
  const timeout = entries.get('timeout');
  const type = unquoted(entries.get('type')?.text ?? '');
  const isHandler = entries.has('command') && type !== '';
  const findings: LintFinding[] = [];
  if (isHandler && timeout && Number(timeout.text) < 1000)
    findings.push({
      code: 'timeout-unit',
      line: lineAt(text, timeout.offset),
      message: `A timeout is in milliseconds: after ${timeout.text} of them the hook is ended, and what it guards goes ahead.`,
      fix: `Write ${Number(timeout.text) * 1000}.`,
    });
  if (isHandler && type !== 'command' && type.toLowerCase() === 'command')
    findings.push({
      code: 'never-runs',
      line: lineAt(text, entries.get('type')?.offset ?? 0),
      message: `The type "${type}" is not known: the hook is left out.`,
      fix: 'Write "command".',
    });
  return findings;
}

const EXACT = /^(?:SessionStart|SessionEnd|PreCompress)$/;

function eventFindings(text: string, { entries, under }: LooseObject): LintFinding[] {
  if (under !== 'hooks') return [];
  return [...entries].flatMap(([event, { offset, text: groups }]) => {
    const line = lineAt(text, offset);
    if (!isNativeEvent(event))
      return [
        {
          code: 'unknown-event',
          line,
          message: `There is no event ${event}; its hooks never run.`,
          fix: 'See `hookline matrix` for the events there are.',
        },
      ];
    return [...groups.matchAll(/"matcher"\s*:\s*"([^"]*)"/g)].flatMap(({ 1: matcher = '' }) => {
      if (EXACT.test(event) && /[|*^$.]/.test(matcher) && matcher !== '*')
        return [
          {
            code: 'matcher',
            line,
            message: `On ${event} a matcher is one exact word: ${matcher} matches nothing.`,
            fix: 'Leave it out, and look at the payload.',
          },
        ];
      if (/^(?:Bash|Read|Write|Edit|Grep|Glob)(?:\||$)/.test(matcher))
        return [
          {
            code: 'matcher',
            line,
            message: `${matcher} names tools of another client and matches nothing.`,
            fix: 'Use names such as run_shell_command, write_file and replace.',
          },
        ];
      return [];
    });
  });
}
