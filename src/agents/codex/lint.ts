import { scriptFindings } from '../_families/hook-scripts.ts';
import { listHandlers } from '../hook-groups.ts';
import { type AgentLint, countOf, type LintFinding } from '../lint.ts';
import { type LooseObject, lineAt, objectsIn, unquoted } from '../lint-objects.ts';
import { readSettings, SettingsDocument } from '../settings-json.ts';
import { FORMS } from './forms.ts';
import { outputProblem } from './output-rules.ts';
import { layers } from './setup-files.ts';
import { fatalEntries, hookGroups } from './setup-handlers.ts';

const FORM = new Map(Object.entries(FORMS));

/** What people believe of Codex that 0.166.0 does not do. */
export const lint: AgentLint = {
  speaks: (text) => 2 * countOf(text, /CODEX_|\bcodex\b|apply_patch|\bturn_id\b/gi),
  script: (text) => [
    ...scriptFindings(text, {
      label: 'Codex',
      knowsEvent: (event) => FORM.has(event),
      takesContext: (event) => ['own', 'unless-refused'].includes(FORM.get(event)?.context ?? ''),
    }),
    ...objectsIn(text).flatMap((object) => voidAnswer(text, object)),
    ...entriesIn(text),
  ],
  settings: (context) =>
    layers(context).flatMap(({ hooks: path }) => {
      const text = readSettings(path);
      if (text === null) return [];
      return [{ path, findings: settingsFindings(text, path), commands: commandsIn(text, path) }];
    }),
};

function commandsIn(text: string, path: string): readonly string[] {
  try {
    const handlers = listHandlers(text, hookGroups(path)).filter(({ ours }) => !ours);
    return handlers.flatMap(({ handler }) => Object(handler).command ?? []);
  } catch {
    return [];
  }
}

/** Findings in the text of a hooks.json. */
export function settingsFindings(text: string, path: string): readonly LintFinding[] {
  let places: readonly string[] = [];
  try {
    places = fatalEntries(new SettingsDocument(text, { path }).get([]));
  } catch {
    places = ['the file'];
  }
  const fatal = places.map((place) => ({
    code: 'drops-file',
    line: 1,
    message: `For ${place} Codex drops this whole file, and every hook in it.`,
    fix: 'Correct or remove it; the file has only "description" and "hooks".',
  }));
  return [...fatal, ...entriesIn(text)];
}

function entriesIn(text: string): LintFinding[] {
  return objectsIn(text).flatMap(({ entries }) => {
    const timeout = entries.get('timeout');
    if (!entries.has('command') || !entries.has('type') || !timeout || Number(timeout.text) < 1000) return [];
    return [
      {
        code: 'timeout-unit',
        line: lineAt(text, timeout.offset),
        message: `A timeout is in seconds: ${timeout.text} are ${(Number(timeout.text) / 3600).toFixed(1)} hours.`,
        fix: `Write ${Math.round(Number(timeout.text) / 1000)}.`,
      },
    ];
  });
}

/** An answer that its strict parser refuses, and after which the tool runs. */
function voidAnswer(text: string, object: LooseObject): LintFinding[] {
  const { entries, under, offset } = object;
  if (under !== null && !/answer|output|result|response/i.test(under)) return [];
  const words = ['decision', 'continue', 'systemMessage', 'suppressOutput', 'hookSpecificOutput'];
  if (!words.some((word) => entries.has(word)) || entries.has('hook_event_name')) return [];
  const plain = plainOf(object);
  const own: Readonly<Record<string, unknown>> = Object(plain.hookSpecificOutput);
  // Most answers are about tools, and that is where a void one hurts.
  const event = typeof own.hookEventName === 'string' ? own.hookEventName : 'PreToolUse';
  const problem = outputProblem(event, plain);
  if (problem === null) return [];
  return [
    {
      code: 'void-answer',
      line: lineAt(text, offset),
      message: `Codex drops this answer and goes on as if nothing had been said: ${problem}.`,
      fix: 'Say nothing for "allow"; to refuse, permissionDecision "deny" with a reason in hookSpecificOutput.',
    },
  ];
}

function plainOf({ entries }: LooseObject): Record<string, unknown> {
  return Object.fromEntries(
    [...entries].map(([key, { text, object }]) => {
      if (object) return [key, plainOf(object)];
      if (/^(?:true|false)$/i.test(text)) return [key, text.toLowerCase() === 'true'];
      return [key, unquoted(text)];
    }),
  );
}
