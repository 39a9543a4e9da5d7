import { clickedOn, IN_A_BROWSER, type Page } from '../../doors/clicks.ts';
import { deedOf } from '../../doors/deed.ts';
import { mutationsIn } from '../../doors/graph.ts';
import type { How, Phrase } from '../../doors/phrase.ts';
import { takesAway } from '../../doors/removals.ts';
import { type Text, wordsOf } from '../../doors/text-words.ts';
import { countsAs } from '../../knowledge/load.ts';
import type { ToolCall } from '../../model/tools.ts';
import { changesWith } from './statements.ts';

/** What a tool seems to change at a service. */
export interface Change {
  readonly verb: string;
  readonly how: How;
}

/** Null if no shared resource changes, as far as the names tell. */
export function changeIn(
  tool: ToolCall,
  verb: string,
  texts: readonly Text[],
  isAboutFiles: boolean,
  page: () => Page,
): Change | null {
  const phrase = phraseOf(tool, verb, texts);
  const how = IN_A_BROWSER.test(`${tool.mcp?.server ?? ''} ${verb}`)
    ? clickedOn(verb, texts, page())
    : deedOf(phrase, () =>
        isAboutFiles && !isOfService(phrase) ? deletesInRepository(tool.input, texts) : takesAway(phrase),
      );
  return how === null ? null : { verb, how };
}

/** It deletes a resource of a service, though a path names it: `delete_secret`. */
function isOfService({ readings }: Phrase): boolean {
  return (readings[0] ?? []).some((word) =>
    /^(?:secret|bucket|database|table|index|topic|queue|namespace|cluster|project|document|doc|record|row|collection)s?$/.test(
      word,
    ),
  );
}

/** The same for a tool whose call also has a command line or a query, which may not show everything. */
export function additionalChange(tool: ToolCall, verb: string, texts: readonly Text[]): Change | null {
  const how = changesWith(tool, texts);
  return how === null ? null : { verb, how };
}

function phraseOf(tool: ToolCall, verb: string, texts: readonly Text[]): Phrase {
  const { mcp, nativeName, input } = tool;
  const own = verbWords(tool, verb);
  const actions = actionsIn(input, texts);
  const said = { place: mcp?.server ?? nativeName, input, texts };
  // Arguments can only add to what the tool's name says, because a tool may ignore them.
  return actions.length === 0
    ? { ...said, readings: [own], verbs: [own] }
    : { ...said, readings: [own, [...own, ...actions]], verbs: [own, [...actions, ...own]] };
}

/** The words of a tool's name from its verb on: `API-delete-a-block` and `notion_delete_page` both delete. */
function verbWords({ mcp }: ToolCall, verb: string): readonly string[] {
  const before = new Set(['api', 'mcp', 'tool', ...wordsOf(mcp?.server ?? '')]);
  const named = wordsOf(verb);
  const first = named.findIndex((word) => !before.has(word));
  return first <= 0 ? named : named.slice(first);
}

const MAIN = /^(?:(?:refs\/)?heads\/)?(?:main|master|trunk|production|prod|release\b.*)$/i;
const BUILDS = /^\/?(?:\.github|\.gitlab|\.circleci)\//;

/** True if a call deletes a file on the default branch of a remote repository. */
function deletesInRepository(input: ToolCall['input'], texts: readonly Text[]): boolean {
  const { owner, repo, repository, project_id: projectId, projectId: project, branch } = input;
  const isElsewhere = [owner ?? repository ?? projectId ?? project, repo ?? projectId ?? project].every(
    (one) => typeof one === 'string' || typeof one === 'number',
  );
  if (!isElsewhere) return false;
  return typeof branch !== 'string' || MAIN.test(branch) || texts.some(({ text }) => BUILDS.test(text));
}

/** The action may be an argument: `manage_resource`, with `operation: delete`. */
function actionsIn(input: ToolCall['input'], texts: readonly Text[]): readonly string[] {
  const { action, operation, op, method, http_method: httpMethod } = input;
  const named = [action, operation, op, method, httpMethod].flatMap((one) =>
    typeof one === 'string' && one.length < 40 ? wordsOf(one) : [],
  );
  // The kind of an object may mean deletion: `run_type: is_destroy`.
  const kinds = Object.entries(input).flatMap(([key, one]) =>
    KIND_KEY.test(key) && typeof one === 'string' && one.length < 40 ? wordsOf(one) : [],
  );
  return [
    ...named,
    ...kinds.filter((word) => countsAs('tool-flag', word)),
    ...texts.flatMap(({ text }) => mutationsIn(text)).flatMap(wordsOf),
  ];
}

const KIND_KEY = /(?:^|_)(?:type|mode|kind)$/;
