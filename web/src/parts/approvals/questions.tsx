import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { Approval } from '../../../../src/approvals/approval.ts';
import type { Question } from '../../../../src/model/tools.ts';
import type { Answering } from '../../answering.ts';
import { Key } from '../bits.tsx';
import { MoreButton } from './card.tsx';

/** Answers that are not sent yet. */
interface Draft {
  chosenFor(question: Question): readonly string[];
  writtenFor(question: Question): string;
  answerTo(question: Question): readonly string[];
  choose(question: Question, label: string): void;
  write(question: Question, text: string): void;
}

function useDraft(): Draft {
  const [chosen, setChosen] = useState<Readonly<Record<string, readonly string[]>>>({});
  const [written, setWritten] = useState<Readonly<Record<string, string>>>({});
  const chosenFor = ({ id }: Question) => chosen[id] ?? [];
  return {
    chosenFor,
    writtenFor: ({ id }) => written[id] ?? '',
    answerTo(question) {
      const own = written[question.id]?.trim();
      return own ? [...chosenFor(question), own] : chosenFor(question);
    },
    choose(question, label) {
      const { id, multiple } = question;
      const before = chosenFor(question);
      const others = before.filter((one) => one !== label);
      if (!multiple) setWritten({ ...written, [id]: '' });
      const after = others.length < before.length ? others : [...before, label];
      setChosen({ ...chosen, [id]: multiple ? after : [label] });
    },
    write({ id, multiple }, text) {
      // A single-choice question takes one answer: writing one clears the choice.
      if (!multiple && text !== '') setChosen({ ...chosen, [id]: [] });
      setWritten({ ...written, [id]: text });
    },
  };
}

/** Questions with their options and a field for another answer, in one form. */
export function Questions({
  approval: { questions },
  answering,
}: {
  approval: Approval;
  answering: Answering;
}): JSX.Element {
  const draft = useDraft();
  const complete = questions.every((question) => draft.answerTo(question).length > 0);
  return (
    <form
      class="questions"
      onKeyDown={(event) => chooseByDigit(event, questions, draft.choose)}
      onSubmit={(event) => {
        event.preventDefault();
        const answers = Object.fromEntries(questions.map((one) => [one.id, draft.answerTo(one)]));
        if (complete) void answering.give({ decision: 'allow', answers });
      }}
    >
      {questions.map((question) => (
        <OneQuestion
          key={question.id}
          question={question}
          isAlone={questions.length === 1}
          chosen={draft.chosenFor(question)}
          written={draft.writtenFor(question)}
          onChoose={(label) => draft.choose(question, label)}
          onWrite={(text) => draft.write(question, text)}
        />
      ))}
      <QuestionActions answering={answering} complete={complete} />
    </form>
  );
}

function QuestionActions({ answering, complete }: { answering: Answering; complete: boolean }): JSX.Element {
  const { busy, give, doing, setDoing } = answering;
  return (
    <div class="actions">
      <button type="submit" class="button primary wide" disabled={busy || !complete}>
        Send answer
      </button>
      <button
        type="button"
        class="button wide"
        disabled={busy}
        onClick={() => void give({ decision: 'deny' })}
      >
        Skip <Key>D</Key>
      </button>
      <MoreButton open={doing === 'menu'} onToggle={() => setDoing(doing === 'menu' ? null : 'menu')} />
    </div>
  );
}

function chooseByDigit(
  event: KeyboardEvent,
  questions: readonly Question[],
  choose: (question: Question, label: string) => void,
): void {
  const [only, ...others] = questions;
  if (!only || others.length > 0 || !(event.target instanceof HTMLElement)) return;
  if (event.target.closest('input:not([type=radio], [type=checkbox])')) return;
  const option = only.options[Number(event.key) - 1];
  if (!option) return;
  event.preventDefault();
  choose(only, option.label);
}

interface OneProps {
  readonly question: Question;
  /** The only question is the heading of the card. */
  readonly isAlone: boolean;
  readonly chosen: readonly string[];
  readonly written: string;
  readonly onChoose: (label: string) => void;
  readonly onWrite: (text: string) => void;
}

function OneQuestion({ question, isAlone, chosen, written, onChoose, onWrite }: OneProps): JSX.Element {
  const name = useId();
  return (
    <fieldset class="options">
      <legend class={isAlone ? 'unseen' : ''}>
        {question.text}
        {question.multiple && ' (several)'}
      </legend>
      {question.options.map(({ label, description }, at) => (
        <label key={label} class="option">
          <input
            type={question.multiple ? 'checkbox' : 'radio'}
            name={name}
            checked={chosen.includes(label)}
            onChange={() => onChoose(label)}
          />
          <b>{label}</b>
          <span class="quiet">{description}</span>
          {isAlone && <Key>{at + 1}</Key>}
        </label>
      ))}
      <label class="option own">
        <span class="unseen">Another answer</span>
        <input
          value={written}
          placeholder="Your own answer…"
          onInput={(event) => onWrite(event.currentTarget.value)}
        />
      </label>
    </fieldset>
  );
}
