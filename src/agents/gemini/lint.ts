import {
  type AddFinding,
  type AgentLint,
  countOf,
  findingsIn,
  type LintFinding,
  lintSettings,
} from '../setup/lint.ts';
import { type LooseObject, objectsIn, unquoted } from '../setup/lint-objects.ts';
import { NAMES, payloads } from './decode.ts';
import { imports } from './dialect.ts';
import { formOf } from './encode.ts';
import { allSettings, settings, systemFolder } from './setup.ts';

const OWN_WORDS =
  /GEMINI_|\bgemini\b|BeforeTool|AfterTool|BeforeAgent|AfterAgent|BeforeModel|AfterModel|PreCompress|llm_request|toolConfig|run_shell_command|RunShellCommand/g;

/** What users believe about Gemini CLI that 0.61.0 does not do. */
export const lint: AgentLint = {
  relevance: (text) => 2 * countOf(text, OWN_WORDS),
  script(text) {
    const add = findingsIn(text);
    const objects = objectsIn(text).flatMap((object) => [
      ...answerFindings(object, add),
      ...handlerFindings(object, add),
    ]);
    return [...textFindings(text, add), ...objects].toSorted((a, b) => a.line - b.line);
  },
  settings: (context) =>
    lintSettings(
      [
        ...allSettings(context, systemFolder(process.platform)),
        ...imports.find(context).map(({ path }) => path),
      ],
      settings.groups,
      settingsFindings,
    ),
  file: (path) => lintSettings([path], settings.groups, settingsFindings),
};

/** Findings in the text of a settings file. */
export function settingsFindings(text: string): readonly LintFinding[] {
  const add = findingsIn(text);
  return objectsIn(text).flatMap((object) => [
    ...handlerFindings(object, add),
    ...eventFindings(object, add),
  ]);
}

const STALE_FIELD = /["'.](tool_output|available_tools)\b/g;
const CLASS_NAME =
  /["'|](RunShellCommand|ReadFile|WriteFile|ReadFileTool|WriteFileTool|EditFile|GlobTool|GrepTool|ShellTool)\b/g;

function textFindings(text: string, add: AddFinding): readonly LintFinding[] {
  const exit = /(?:sys\.exit|process\.exit)\([^)\n]*\b2\s*\)/.exec(text);
  const printsJson = /json\.dumps|JSON\.stringify/.test(text);
  return [
    ...[...text.matchAll(STALE_FIELD)].map(({ index, 1: field = '' }) =>
      field === 'tool_output'
        ? add('tool-output', index, 'There is no tool_output.', 'Read tool_response.llmContent.')
        : add('stale-field', index, `There is no ${field}.`, 'Hooks do not get the list of tools.'),
    ),
    ...[...text.matchAll(CLASS_NAME)].map(({ index, 1: name = '' }) =>
      add(
        'tool-name',
        index,
        `${name} is the name of a class; hooks get, and are matched by, the name that the model uses.`,
        `Write ${NAMES.native(NAMES.canonical(name))}.`,
      ),
    ),
    ...(exit && printsJson
      ? [
          add(
            'exit-code',
            exit.index,
            'When JSON is printed it decides, whatever the exit code; a code above 0 only adds a warning.',
            'Print the JSON and exit with 0.',
          ),
        ]
      : []),
  ];
}

function answerFindings(object: LooseObject, add: AddFinding): readonly LintFinding[] {
  const { entries, under, offset } = object;
  const event = unquoted(entries.get('hookEventName')?.text ?? '');
  const message = entries.get('systemMessage');
  const found: LintFinding[] = [];
  const check = (applies: boolean, ...finding: Parameters<AddFinding>) => {
    if (applies) found.push(add(...finding));
  };
  check(
    under === 'toolConfig' && entries.has('disabled_tools'),
    'tool-config',
    offset,
    'Tools cannot be switched off one by one.',
    'Give mode and allowedFunctionNames, a list of what may be used.',
  );
  check(
    under === 'llm_request' && entries.has('temperature'),
    'llm-config',
    offset,
    'temperature beside model is ignored.',
    'Put it into llm_request.config, with all other values of config: what is left out is reset.',
  );
  check(
    entries.has('permissionDecision'),
    'claude-answer',
    offset,
    'permissionDecision is not read here.',
    'Answer {"decision": "deny", "reason": …} at the top.',
  );
  check(
    entries.has('additionalContext') && payloads.isName(event) && formOf(event)?.context === undefined,
    'context-lost',
    offset,
    `additionalContext on ${event} is ignored.`,
    'Give it on BeforeAgent, AfterTool or SessionStart.',
  );
  check(
    /inject|\byou must\b|for the model/i.test(message?.text ?? ''),
    'system-message',
    message?.offset ?? offset,
    'systemMessage is shown to the user, never to the model.',
    'Use hookSpecificOutput.additionalContext.',
  );
  return found;
}

/** Handlers, in settings or in an example of them. */
function handlerFindings({ entries }: LooseObject, add: AddFinding): readonly LintFinding[] {
  const timeout = entries.get('timeout');
  const type = entries.get('type');
  const word = unquoted(type?.text ?? '');
  if (!entries.has('command') || !type || word === '') return [];
  const findings: LintFinding[] = [];
  if (timeout && Number(timeout.text) < 1000)
    findings.push(
      add(
        'timeout-unit',
        timeout.offset,
        `A timeout is in milliseconds: after ${timeout.text} of them the hook is ended, and what it guards goes ahead.`,
        `Write ${Number(timeout.text) * 1000}.`,
      ),
    );
  if (word !== 'command' && word.toLowerCase() === 'command')
    findings.push(
      add(
        'never-runs',
        type.offset,
        `The type "${word}" is not known: the hook is left out.`,
        'Write "command".',
      ),
    );
  return findings;
}

const EXACT = /^(?:SessionStart|SessionEnd|PreCompress)$/;
const OTHER_TOOLS = /^(?:Bash|Read|Write|Edit|Grep|Glob)(?:\||$)/;
/** Names of classes and of screens: never what a matcher is compared with. */
const NOT_A_TOOL = /^[A-Z]\w*$/;

function eventFindings({ entries, under }: LooseObject, add: AddFinding): readonly LintFinding[] {
  if (under !== 'hooks') return [];
  return [...entries].flatMap(([event, { offset, text: groups }]) => {
    if (!payloads.isName(event))
      return [
        add(
          'unknown-event',
          offset,
          `There is no event ${event}; its hooks never run.`,
          'See `hookline matrix` for the events there are.',
        ),
      ];
    return [...groups.matchAll(/"matcher"\s*:\s*"([^"]*)"/g)].flatMap(({ 1: matcher = '' }) => {
      if (EXACT.test(event) && /[|*^$.]/.test(matcher) && matcher !== '*')
        return [
          add(
            'matcher',
            offset,
            `On ${event} a matcher is one exact word: ${matcher} matches nothing.`,
            'Leave it out, and look at the payload.',
          ),
        ];
      const shown = matcher
        .split('|')
        .find((name) => NOT_A_TOOL.test(name) && !OTHER_TOOLS.test(name) && NAMES.canonical(name) !== name);
      if (shown !== undefined)
        return [
          add(
            'matcher',
            offset,
            `${shown} matches nothing: matchers are compared with the name that the model uses.`,
            `Write ${NAMES.native(NAMES.canonical(shown))}.`,
          ),
        ];
      if (!OTHER_TOOLS.test(matcher)) return [];
      return [
        add(
          'matcher',
          offset,
          `${matcher} names tools of another client and matches nothing.`,
          'Use names such as run_shell_command, write_file and replace.',
        ),
      ];
    });
  });
}
