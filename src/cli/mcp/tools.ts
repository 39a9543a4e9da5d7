import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { LONGEST_NOTE } from '../../client/notes.ts';
import { listNotes } from '../../history/memory/notes.ts';
import { fileHistory, type StoredObservation } from '../../history/observations/stored-observation.ts';
import { type SearchHit, type SearchQuery, search } from '../../history/search/search.ts';
import { whyLine } from '../../history/search/why.ts';
import { readSession } from '../../history/sessions/story.ts';
import { summarise, summaryLine } from '../../history/sessions/summary.ts';
import { oneLine } from '../../model/text.ts';
import type { Database } from '../../store/database/driver.ts';
import { listSessions } from '../../store/read/queries.ts';
import { whereOf } from '../filters.ts';

export interface HistoryAccess {
  /** Reads the current history. */
  read<T>(read: (db: Database) => T): Promise<T>;
  /** Records a note and its author. */
  note(note: { readonly text: string; readonly cwd: string }): Promise<object>;
}

const limit = v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)), 20);
const text = (description: string) => v.optional(v.pipe(v.string(), v.description(description)));
/** The filters of the command line, for every tool that lists something. */
const filters = {
  agent: text('Only this coding agent.'),
  project: text('Only this project: its directory, or the last part of that.'),
  since: text('Not older than this: 30m, 12h, 7d, 2w, today, yesterday or 2026-11-01.'),
  until: text('Not newer than this; a date includes the whole day.'),
};

const session = v.pipe(v.string(), v.description('ID of a session, or the start of it.'));
const DAY_MS = 86_400_000;
const NOT_FOUND = { problem: 'Unknown session. The tool "recent" lists them.' };

/** A tool in the form that the server registers. */
interface HistoryTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: StandardSchemaWithJSON;
  readonly writes: boolean;
  answer(given: unknown, history: HistoryAccess): Promise<string>;
}

function tool<S extends v.GenericSchema>(
  name: string,
  title: string,
  description: string,
  schema: S,
  answer: (db: Database, given: v.InferOutput<S>) => unknown,
): HistoryTool {
  return {
    name,
    title,
    description,
    input: toStandardJsonSchema(schema),
    writes: false,
    answer: async (given, { read }) => {
      const parsed = v.parse(schema, given);
      const found = await read((db) => answer(db, parsed));
      // Always an object: some agents take JSON text for structured content, and reject a list.
      return JSON.stringify(Array.isArray(found) ? { found } : found, null, 1);
    },
  };
}

const newNote = v.object({
  text: v.pipe(
    v.string(),
    v.regex(/\S/),
    v.maxLength(LONGEST_NOTE),
    v.description('One decision or fact, in one or two sentences.'),
  ),
  project: text('Directory of the project it is about; by default where this server runs.'),
});

const noteTool: HistoryTool = {
  name: 'note',
  title: 'Record a note',
  description:
    'Record a decision that later sessions of any agent should know, such as "we use integer cents". New sessions get it first.',
  input: toStandardJsonSchema(newNote),
  writes: true,
  answer: async (given, { note }) => {
    const { text: said, project } = v.parse(newNote, given);
    return JSON.stringify(await note({ text: said, cwd: project ?? process.cwd() }), null, 1);
  },
};

export const HISTORY_TOOLS: readonly HistoryTool[] = [
  tool(
    'search',
    'Search the history',
    'Find prompts, commands, files, errors and answers from earlier sessions of any coding agent.',
    v.object({
      query: v.pipe(v.string(), v.description('Words; "exact phrase"; prefix*.')),
      ...filters,
      file: text('Only turns that touched a matching file, such as src/**'),
      days: v.optional(v.pipe(v.number(), v.minValue(0), v.description('Not older than this many days.'))),
      limit,
    }),
    (db, { query, file, days, limit: most, ...given }) => {
      const now = Date.now();
      const asked: SearchQuery = {
        text: query,
        limit: most,
        ...(file === undefined ? {} : { file }),
        ...(days === undefined ? {} : { since: now - days * DAY_MS }),
        ...whereOf('search', db, given, now),
      };
      return search(db, asked, now).map(hitJson);
    },
  ),
  tool(
    'timeline',
    'Timeline of a session',
    'Events of one session, step by step.',
    v.object({
      session,
      limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(500)), 100),
    }),
    (db, given) =>
      readSession(db, given.session)?.timeline.slice(-given.limit).map(observationJson) ?? NOT_FOUND,
  ),
  tool(
    'file_history',
    'History of a file',
    'Reads and changes of a file, with who, when and the change itself. Newest first.',
    v.object({ path: v.pipe(v.string(), v.description('A path, or the end of one.')), ...filters, limit }),
    (db, { path, limit: most, ...given }) =>
      fileHistory(db, path, most, whereOf('search', db, given, Date.now())).map(observationJson),
  ),
  tool(
    'session',
    'One session',
    'Summary of one session: tokens, last message, calls that no hook reported.',
    v.object({ session }),
    (db, given) => {
      const story = readSession(db, given.session);
      if (story === null) return NOT_FOUND;
      const { timeline, ...rest } = story;
      return { ...rest, line: summaryLine(story.summary), observations: timeline.length };
    },
  ),
  tool(
    'notes',
    'Notes',
    'Notes that people and agents recorded, newest first.',
    v.object({ project: filters.project, since: filters.since, until: filters.until, limit }),
    (db, { limit: most, ...given }) => {
      const where = whereOf('note', db, given, Date.now());
      return listNotes(db, { ...where, limit: most }).map((one) => ({
        ...one,
        at: new Date(one.at).toISOString(),
      }));
    },
  ),
  tool(
    'recent',
    'Recent sessions',
    'Recent sessions of all coding agents, one line each.',
    v.object({ ...filters, limit }),
    (db, { limit: most, ...given }) => {
      const where = whereOf('sessions', db, given, Date.now());
      return listSessions(db, { ...where, limit: most }).map((one) => ({
        agent: one.source,
        session: one.sessionId,
        cwd: one.cwd,
        lastAt: new Date(one.lastAt).toISOString(),
        summary: summaryLine(summarise(db, one)),
      }));
    },
  ),
  noteTool,
];

const LONGEST_TURN = 600;

/** What was found, with what was asked and what came of it: an agent need not read the session to know. */
function hitJson(hit: SearchHit): object {
  return {
    ...observationJson(hit),
    snippet: hit.snippet.text,
    why: whyLine(hit.why),
    turn: {
      asked: oneLine(hit.turn.prompt, LONGEST_TURN),
      outcome: oneLine(hit.turn.outcome, LONGEST_TURN),
    },
  };
}

function observationJson({
  source,
  sessionId,
  timestamp,
  promptNumber,
  observation,
}: StoredObservation): object {
  return {
    at: new Date(timestamp).toISOString(),
    agent: source,
    session: sessionId,
    prompt: promptNumber,
    ...observation,
  };
}
