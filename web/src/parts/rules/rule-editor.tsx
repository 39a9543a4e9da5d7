import type { JSX } from 'preact';
import type { DraftProblem } from '../../../../src/rules/review/draft.ts';

interface EditorProps {
  readonly text: string;
  /** The saved text: lines that are not part of it are marked. */
  readonly saved: string;
  readonly editable: boolean;
  readonly problems: readonly DraftProblem[];
  readonly onInput: (text: string) => void;
}

/** A text with line numbers; changed and invalid lines are marked. */
export function RuleEditor({ text, saved, editable, problems, onInput }: EditorProps): JSX.Element {
  const lines = text.replace(/\n$/, '').split('\n');
  const before = new Set(saved.split('\n'));
  const lookOf = (line: string, at: number) => {
    if (problems.some((problem) => problem.line === at + 1)) return 'wrong';
    return before.has(line) ? '' : 'changed';
  };
  return (
    <div class="editor">
      <ol aria-hidden="true">
        {lines.map((line, at) => (
          <li key={at} class={lookOf(line, at)}>
            {at + 1}
          </li>
        ))}
      </ol>
      <textarea
        aria-label="Rule text"
        value={text}
        rows={Math.max(6, lines.length + 1)}
        wrap="off"
        spellcheck={false}
        readOnly={!editable}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  );
}
