import type { JSX } from 'preact';
import type { Change, ChangeLine } from '../../../../src/model/changes.ts';
import { visible } from '../../../../src/terminal/visible.ts';

const CLASS = { '-': 'removed', '+': 'added', ' ': '', '@': 'hunk' } as const;
const WORD = { '-': 'removed ', '+': 'added ', ' ': '', '@': '' } as const;
const SIGN = { '-': '−', '+': '+', ' ': '', '@': '' } as const;

/** The changes of a call, file by file; changed words are marked. */
export function Changes({ changes }: { changes: readonly Change[] }): JSX.Element {
  return (
    <div>
      {changes.map((change, at) => (
        <Diff key={at} change={change} />
      ))}
    </div>
  );
}

function Diff({ change: { path, lines } }: { change: Change }): JSX.Element {
  const count = (mark: ChangeLine['mark']) => lines.filter((line) => line.mark === mark).length;
  const words = changedWords(lines);
  return (
    <figure class="diff">
      <figcaption>
        <span class="cut" title={path}>
          {path || 'A file'}
        </span>
        <span class="right line">
          {count('+') > 0 && <span class="plus">+{count('+')}</span>}
          {count('-') > 0 && <span class="minus">−{count('-')}</span>}
        </span>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls. */}
      <section class="diff-lines" tabIndex={0} aria-label={`Change to ${path || 'a file'}`}>
        {lines.map((line, at) =>
          // A hunk header without line numbers adds nothing.
          line.mark === '@' && /^@@\s*$/.test(line.text) ? null : (
            <div key={at} class={`diff-line ${CLASS[line.mark]}`}>
              <span aria-hidden="true">{SIGN[line.mark]}</span>
              <span>
                {WORD[line.mark] && <span class="unseen">{WORD[line.mark]}</span>}
                <Marked text={line.text} span={words.get(at)} />
              </span>
            </div>
          ),
        )}
      </section>
    </figure>
  );
}

type Span = readonly [start: number, end: number];

function Marked({ text, span }: { text: string; span: Span | undefined }): JSX.Element {
  if (!span || span[0] >= span[1]) return <>{visible(text) || ' '}</>;
  return (
    <>
      {visible(text.slice(0, span[0]))}
      <b>{visible(text.slice(...span))}</b>
      {visible(text.slice(span[1]))}
    </>
  );
}

/** The changed words of each line that replaces another. */
function changedWords(lines: readonly ChangeLine[]): ReadonlyMap<number, Span> {
  const found = new Map<number, Span>();
  for (let at = 0; at < lines.length; ) {
    const out = runOf(lines, at, '-');
    const into = runOf(lines, at + out, '+');
    // With unequal counts it is unclear which line replaced which.
    if (out > 0 && out === into) {
      for (let nth = 0; nth < out; nth += 1) {
        const [before, after] = differing(lines[at + nth]?.text ?? '', lines[at + out + nth]?.text ?? '');
        found.set(at + nth, before);
        found.set(at + out + nth, after);
      }
    }
    at += Math.max(1, out + into);
  }
  return found;
}

function runOf(lines: readonly ChangeLine[], from: number, mark: ChangeLine['mark']): number {
  let length = 0;
  while (lines[from + length]?.mark === mark) length += 1;
  return length;
}

/** The differing middle of each line, in whole words, without the common start and end. */
function differing(before: string, after: string): readonly [Span, Span] {
  const wordsOf = (text: string): readonly string[] => text.match(/\w+|\W/g) ?? [];
  const [a, b] = [wordsOf(before), wordsOf(after)];
  const fewest = Math.min(a.length, b.length);
  const most = Math.min(before.length, after.length);
  let same = 0;
  while (same < fewest && a[same] === b[same]) same += 1;
  let behind = 0;
  while (behind < fewest - same && a.at(-1 - behind) === b.at(-1 - behind)) behind += 1;
  const head = a.slice(0, same).join('').length;
  const tail = a.slice(a.length - behind).join('').length;
  // Lines with little in common are new, not changed.
  if (head + tail < most / 4)
    return [
      [0, 0],
      [0, 0],
    ];
  return [
    [head, before.length - tail],
    [head, after.length - tail],
  ];
}
