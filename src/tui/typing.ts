import type { Key } from './keyboard.ts';
import type { Controls } from './press.ts';
import type { Input } from './screen.ts';

/** Handles a key in an input. A pasted line break is part of the text and sends nothing. */
export function typed(controls: Controls, input: Input, key: Key): void {
  const { change } = controls;
  const write = (text: string) => change({ input: { ...input, text } });
  switch (key.name) {
    case 'escape':
      change({ input: null });
      break;
    case 'enter':
      finish(controls, input);
      break;
    case 'new-line':
      write(`${input.text}\n`);
      break;
    case 'backspace':
      write([...input.text].slice(0, -1).join(''));
      break;
    case 'clear':
      write('');
      break;
    case 'text':
    case 'paste':
      write(input.text + key.text);
      break;
    default:
  }
}

function finish({ live, change, view }: Controls, { purpose, text }: Input): void {
  change({ input: null });
  if (purpose.kind === 'filter') change({ filter: text.trim(), row: null });
  else if (purpose.kind === 'keep-going') {
    if (text !== '') live.keepGoing(purpose.event, text);
  } else if (purpose.kind === 'own-words') {
    const { group, question } = purpose;
    if (text !== '' && view.open?.key === group)
      change({ chosen: { ...view.chosen, [question]: [text] }, chosenFor: group });
  } else if (purpose.kind === 'edit')
    live.answer(purpose.ids, { decision: 'allow', input: { command: text } });
  else
    live.answer(purpose.ids, {
      decision: 'deny',
      ...(text === '' ? {} : { message: text }),
      ...(purpose.kind === 'stop' ? { halt: true } : {}),
    });
}
