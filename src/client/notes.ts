import { noteRecord } from '../access/record.ts';
import { createProjectFinder } from '../home/identity.ts';
import { createSpoolRecorder } from '../home/intake/spool.ts';
import { openAccess } from '../home/open-access.ts';
import type { HomePaths } from '../home/paths.ts';
import { HooklineError } from '../model/errors.ts';
import { takeInSpool } from './history.ts';

/** New sessions get all notes: a note is a decision or a fact, not a document. */
export const LONGEST_NOTE = 2_000;

interface NewNote {
  readonly text: string;
  /** What it is about: a directory of the project. */
  readonly cwd: string;
}

/** Records a note with who wrote it, as far as that shows. Gives that, and the ID of the note. */
export async function recordNote(
  paths: HomePaths,
  { text, cwd }: NewNote,
): Promise<{ readonly id: string; readonly by: string }> {
  if (text.length > LONGEST_NOTE) {
    throw new HooklineError('USAGE', `The note has ${text.length} characters; at most ${LONGEST_NOTE} fit.`);
  }
  const by = await writerHere(paths);
  const record = noteRecord(text, by, { cwd, projectId: createProjectFinder()(cwd) });
  createSpoolRecorder(paths.spool).commit(record);
  await takeInSpool(paths);
  return { id: record.event.sessionId, by };
}

/** A person by name, or the agent that this process belongs to. Nothing is decided here, so nothing is recorded of it. */
async function writerHere(paths: HomePaths): Promise<string> {
  const access = openAccess(paths, () => {});
  const who = await access.decide('answer', { kind: 'process', pid: process.pid, scriptKey: null });
  return who.allowed ? who.by : (who.agent ?? 'a program');
}
