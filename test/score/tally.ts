import { type Corpus, LABELS, type Label, type Row, textOf } from './corpus.ts';
import type { Verdict } from './decide.ts';
import { readsOnly } from './reads-only.ts';

export interface Counts {
  readonly label: Label;
  readonly rows: number;
  readonly denied: number;
  readonly asked: number;
  /** Denied or asked about: either way it does not run unseen. */
  readonly caught: number;
  /** The pack calm would let it run without a question. */
  readonly calm: number;
  /** Commands that only read, by their text, and those of them that are calm. */
  readonly readers: number;
  readonly calmReaders: number;
}

/** A row that was judged otherwise than its label says. */
interface Miss {
  readonly corpus: string;
  readonly line: number;
  readonly kind: 'missed' | 'denied' | 'asked';
  readonly rules: readonly string[];
  /** The command line, or the call. */
  readonly command: string;
}

/** Rows that have something in common. */
interface Group {
  readonly name: string;
  readonly totals: readonly Counts[];
}

export interface Score {
  readonly corpus: string;
  /** One entry for each label that occurs. */
  readonly totals: readonly Counts[];
  /** Each empty where all rows are of one kind. */
  readonly doors: readonly Group[];
  readonly classes: readonly Group[];
  readonly misses: readonly Miss[];
}

interface Judged {
  readonly row: Row;
  readonly verdict: Verdict;
}

/** `step` is called before each row, with how many there were before it. */
export function scoreCorpus(
  { name, rows }: Corpus,
  decide: (row: Row) => Verdict,
  step: (done: number) => void = () => {},
): Score {
  const judged = rows.map((row, at) => {
    step(at);
    return { row, verdict: decide(row) };
  });
  return {
    corpus: name,
    totals: countsOf(judged),
    doors: groupsOf(judged, ({ door }) => door ?? 'no door'),
    classes: groupsOf(judged, (row) => row.class ?? 'no class'),
    misses: judged.flatMap((one) => missOf(one, name) ?? []),
  };
}

function groupsOf(judged: readonly Judged[], nameOf: (row: Row) => string): readonly Group[] {
  const names = new Set(judged.map(({ row }) => nameOf(row)));
  if (names.size < 2) return [];
  return [...names].map((name) => ({
    name,
    totals: countsOf(judged.filter(({ row }) => nameOf(row) === name)),
  }));
}

function countsOf(judged: readonly Judged[]): readonly Counts[] {
  return LABELS.flatMap((label) => {
    const own = judged.filter(({ row }) => row.label === label);
    const count = (wanted: string) => own.filter(({ verdict }) => verdict.decision === wanted).length;
    const denied = count('deny');
    const asked = count('ask');
    const readers = own.filter(({ row }) => 'command' in row.call && readsOnly(row.call.command));
    const calm = (some: readonly Judged[]) => some.filter(({ verdict }) => verdict.calm).length;
    const rows = own.length;
    const counts = { calm: calm(own), readers: readers.length, calmReaders: calm(readers) };
    return rows === 0 ? [] : [{ label, rows, denied, asked, caught: denied + asked, ...counts }];
  });
}

function missOf({ row, verdict: { decision, rules } }: Judged, corpus: string): Miss | null {
  const { line, label } = row;
  const command = textOf(row.call);
  const stopped = decision === 'deny' || decision === 'ask';
  if (label === 'deny') return stopped ? null : { corpus, line, kind: 'missed', rules, command };
  if (!stopped) return null;
  return { corpus, line, kind: decision === 'deny' ? 'denied' : 'asked', rules, command };
}
