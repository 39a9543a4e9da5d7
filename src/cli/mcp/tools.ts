import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { fileHistory, type StoredObservation } from '../../history/observations/stored-observation.ts';
import { search } from '../../history/search.ts';
import { readSession } from '../../history/sessions/story.ts';
import { summarise, summaryLine } from '../../history/sessions/summary.ts';
import type { Database } from '../../store/database/driver.ts';
import { listSessions } from '../../store/read/queries.ts';

/** Reads the current history. */
export type ReadHistory = <T>(read: (db: Database) => T) => Promise<T>;

const limit = v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)), 20);
const agent = v.optional(v.pipe(v.string(), v.description('Only this coding agent.')));

const session = v.pipe(v.string(), v.description('ID of a session, or the start of it.'));
const DAY_MS = 86_400_000;
const NOT_FOUND = { problem: 'Unknown session. The tool "recent" lists them.' };

/** A tool in the form that the server registers. */
interface HistoryTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: StandardSchemaWithJSON;
  answer(given: unknown, read: ReadHistory): Promise<string>;
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
    answer: async (given, read) => {
      const parsed = v.parse(schema, given);
      const found = await read((db) => answer(db, parsed));
      // Always an object: some agents take JSON text for structured content, and reject a list.
      return JSON.stringify(Array.isArray(found) ? { found } : found, null, 1);
    },
  };
}

export const HISTORY_TOOLS: readonly HistoryTool[] = [
  tool(
    'search',
    'Search the history',
    'Find prompts, commands, files, errors and answers from earlier sessions of any coding agent.',
    v.object({
      query: v.pipe(v.string(), v.description('Words; "exact phrase"; prefix*.')),
      agent,
      file: v.optional(
        v.pipe(v.string(), v.description('Only turns that touched a matching file, such as src/**')),
      ),
      days: v.optional(v.pipe(v.number(), v.minValue(0), v.description('Not older than this.'))),
      limit,
    }),
    (db, given) => {
      const now = Date.now();
      const query = {
        text: given.query,
        limit: given.limit,
        ...(given.agent === undefined ? {} : { source: given.agent }),
        ...(given.file === undefined ? {} : { file: given.file }),
        ...(given.days === undefined ? {} : { since: now - given.days * DAY_MS }),
      };
      return search(db, query, now).map((hit) => ({ ...observationJson(hit), snippet: hit.snippet.text }));
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
    v.object({ path: v.pipe(v.string(), v.description('A path, or the end of one.')), limit }),
    (db, given) => fileHistory(db, given.path, given.limit).map(observationJson),
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
    'recent',
    'Recent sessions',
    'Recent sessions of all coding agents, one line each.',
    v.object({ agent, limit }),
    (db, given) => {
      const filter = { limit: given.limit, ...(given.agent === undefined ? {} : { source: given.agent }) };
      return listSessions(db, filter).map((one) => ({
        agent: one.source,
        session: one.sessionId,
        cwd: one.cwd,
        lastAt: new Date(one.lastAt).toISOString(),
        summary: summaryLine(summarise(db, one)),
      }));
    },
  ),
];

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
