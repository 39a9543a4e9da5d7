import { recordNote } from '../../client/notes.ts';
import { readObserved } from '../../client/observed.ts';
import { listNotes, type Note } from '../../history/memory/notes.ts';
import { createProjectFinder } from '../../home/identity.ts';
import { homePaths } from '../../home/paths.ts';
import { minuteOf } from '../../model/text.ts';
import { terminalLine } from '../../terminal/visible.ts';
import { defineCommand, flag, usage, value } from '../command.ts';
import { limitOf } from '../filters.ts';
import { paint } from '../output/paint.ts';

export default defineCommand({
  name: 'note',
  summary: 'Record a decision for later sessions, or list the notes of this project.',
  words: '[text…]',
  options: {
    project: value('DIR', 'The project it is about (default: this directory).'),
    limit: value('N', 'List at most N (default: 20).'),
    json: flag('One JSON object per line.'),
  },
  examples: [
    ['hookline note "we use integer cents"', 'new sessions and searches show it first'],
    ['hookline note', 'the notes of this project, newest first'],
    ['hookline forget note-3f2a9c01', 'delete one'],
  ],
  async run({ project, limit, json }, words) {
    const paths = homePaths();
    const cwd = project ?? process.cwd();
    const text = words.join(' ').trim();
    if (text === '' && words.length > 0) throw usage('note', 'The note is empty.');
    if (text !== '') {
      const { id, by } = await recordNote(paths, { text, cwd });
      console.log(json ? JSON.stringify({ id, by, text }) : `Noted as ${id}, by ${by}.`);
      return 0;
    }
    const filter = { project: createProjectFinder()(cwd), limit: limitOf('note', limit, 20) };
    const notes = await readObserved(paths, (db) => listNotes(db, filter));
    for (const note of notes) console.log(json ? JSON.stringify(toJson(note)) : lineOf(note));
    if (notes.length === 0 && !json) console.log('No notes for this project yet.');
    return 0;
  },
});

function toJson({ at, ...note }: Note): object {
  return { ...note, at: new Date(at).toISOString() };
}

function lineOf({ id, text, by, at }: Note): string {
  return terminalLine(`${paint.dim(`${minuteOf(at)} ${id} ${by}`)} ${text}`);
}
