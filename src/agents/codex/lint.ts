import { scriptFindings } from '../setup/hook-scripts.ts';
import { type AgentLint, countOf, type LintFinding, lintSettings, longTimeout } from '../setup/lint.ts';
import { type LooseObject, lineAt, objectsIn, unquoted } from '../setup/lint-objects.ts';
import { SettingsDocument } from '../setup/settings-json.ts';
import { formOf } from './encode.ts';
import { outputProblem } from './interpret.ts';
import { fatalEntries, layers, settings } from './setup.ts';

/** What users believe about Codex that 0.166.0 does not do. */
export const lint: AgentLint = {
  relevance: (text) => 2 * countOf(text, /CODEX_|\bcodex\b|apply_patch|\bturn_id\b/gi),
  script: (text) => [
    ...scriptFindings(text, {
      label: 'Codex',
      knowsEvent: (event) => formOf(event) !== null,
      takesContext: (event) => ['own', 'unless-refused'].includes(formOf(event)?.context ?? ''),
    }),
    ...objectsIn(text).flatMap((object) => voidAnswer(text, object)),
    ...entriesIn(text),
  ],
  settings: (context) =>
    lintSettings(
      layers(context).map(({ hooks }) => hooks),
      settings.groups,
      settingsFindings,
    ),
  file: (path) => lintSettings([path], settings.groups, settingsFindings),
};

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

function entriesIn(text: string): readonly LintFinding[] {
  return objectsIn(text).flatMap((object) =>
    object.entries.has('command') ? longTimeout(text, object) : [],
  );
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
      fix: 'Say nothing for "allow"; to deny, permissionDecision "deny" with a reason in hookSpecificOutput.',
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
