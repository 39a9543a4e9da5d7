import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { Approval } from '../../../src/approvals/approval.ts';
import type { Question, QuestionAnswers } from '../../../src/model/tools.ts';

/** Questions with their options, and room for an answer that is none of them. */
export function Questions({
  approval,
  busy,
  onAnswer,
}: {
  approval: Approval;
  busy: boolean;
  onAnswer: (answers: QuestionAnswers) => void;
}): JSX.Element {
  const [chosen, setChosen] = useState<Readonly<Record<string, readonly string[]>>>({});
  const [written, setWritten] = useState<Readonly<Record<string, string>>>({});

  const answerTo = ({ id }: Question): readonly string[] => {
    const own = written[id]?.trim();
    return own ? [...(chosen[id] ?? []), own] : (chosen[id] ?? []);
  };
  const complete = approval.questions.every((question) => answerTo(question).length > 0);

  return (
    <form
      class="questions"
      onSubmit={(event) => {
        event.preventDefault();
        if (complete) onAnswer(Object.fromEntries(approval.questions.map((one) => [one.id, answerTo(one)])));
      }}
    >
      {approval.questions.map((question) => (
        <OneQuestion
          key={question.id}
          question={question}
          chosen={chosen[question.id] ?? []}
          written={written[question.id] ?? ''}
          onChoose={(labels) => setChosen({ ...chosen, [question.id]: labels })}
          onWrite={(text) => {
            // One answer is one answer: writing it takes back what was chosen.
            if (!question.multiple && text !== '') setChosen({ ...chosen, [question.id]: [] });
            setWritten({ ...written, [question.id]: text });
          }}
        />
      ))}
      <div class="actions">
        <button type="submit" class="go" disabled={busy || !complete}>
          Send answer
        </button>
      </div>
    </form>
  );
}

function OneQuestion({
  question,
  chosen,
  written,
  onChoose,
  onWrite,
}: {
  question: Question;
  chosen: readonly string[];
  written: string;
  onChoose: (labels: readonly string[]) => void;
  onWrite: (text: string) => void;
}): JSX.Element {
  const name = useId();
  const toggle = (label: string) => {
    if (question.multiple)
      onChoose(chosen.includes(label) ? chosen.filter((one) => one !== label) : [...chosen, label]);
    else {
      onChoose([label]);
      onWrite('');
    }
  };
  return (
    <fieldset>
      <legend>
        {question.text}
        {question.multiple && ' (several)'}
      </legend>
      {question.options.map((option) => (
        <Option
          key={option.label}
          option={option}
          type={question.multiple ? 'checkbox' : 'radio'}
          name={name}
          checked={chosen.includes(option.label)}
          onChange={() => toggle(option.label)}
        />
      ))}
      <label class="field">
        <span class="unseen">Another answer</span>
        <input
          value={written}
          placeholder="Another answer"
          onInput={(event) => onWrite(event.currentTarget.value)}
        />
      </label>
    </fieldset>
  );
}

function Option({
  option: { label, description },
  ...input
}: {
  option: Question['options'][number];
  type: 'checkbox' | 'radio';
  name: string;
  checked: boolean;
  onChange: () => void;
}): JSX.Element {
  return (
    <label class="option">
      <input {...input} />
      <span>
        {label}
        {description && <span class="meta"> {description}</span>}
      </span>
    </label>
  );
}
