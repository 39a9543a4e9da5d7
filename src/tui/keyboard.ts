/** A pressed key or a pasted text. */
export type Key =
  | { readonly name: 'text'; readonly text: string }
  | { readonly name: 'paste'; readonly text: string }
  | { readonly name: NamedKey };

type NamedKey =
  | 'up'
  | 'down'
  | 'page-up'
  | 'page-down'
  | 'enter'
  | 'new-line'
  | 'tab'
  | 'escape'
  | 'backspace'
  | 'clear'
  | 'interrupt';

const PASTE = '\x1b[200~';
const PASTE_END = '\x1b[201~';
const SEQUENCES: Readonly<Record<string, NamedKey>> = {
  '\x1b[A': 'up',
  '\x1bOA': 'up',
  '\x1b[B': 'down',
  '\x1bOB': 'down',
  '\x1b[5~': 'page-up',
  '\x1b[6~': 'page-down',
  '\x1b\r': 'new-line',
};
const CONTROLS: Readonly<Record<string, NamedKey>> = {
  '\r': 'enter',
  '\n': 'new-line',
  '\t': 'tab',
  '\x7f': 'backspace',
  '\b': 'backspace',
  '\x15': 'clear',
  '\x03': 'interrupt',
};
// biome-ignore lint/suspicious/noControlCharactersInRegex: this is what terminals send.
const SEQUENCE = /^\x1b(?:\[[0-9;:<=>?]*[ -/]*[@-~]|O[@-~]|\r)/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same.
const UNFINISHED = /^\x1b(?:\[[0-9;:<=>?]*[ -/]*|O)?$/;
/** Text, a line break and more text in one piece: too fast to be typed, so it was pasted in a terminal that doesn't mark pastes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same.
const UNMARKED_PASTE = /^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*[\r\n][^\x00-\x1f\x7f]/;
/** An escape that nothing follows within this time is the Escape key. */
const ESCAPE_MS = 40;

/** Turns terminal input into keys, regardless of how it is split into chunks. */
export function createKeyReader(onKey: (key: Key) => void): { read(chunk: string): void; close(): void } {
  let rest = '';
  let timer: NodeJS.Timeout | null = null;

  function read(chunk: string): void {
    if (timer) clearTimeout(timer);
    timer = null;
    rest += chunk;
    if (UNMARKED_PASTE.test(rest)) {
      onKey({ name: 'paste', text: asLines(rest) });
      rest = '';
    }
    for (let taken = takeKey(rest); taken !== null; taken = takeKey(rest)) {
      rest = rest.slice(taken.length);
      if (taken.key) onKey(taken.key);
    }
    if (rest === '' || rest.startsWith(PASTE)) return;
    timer = setTimeout(() => {
      rest = '';
      onKey({ name: 'escape' });
    }, ESCAPE_MS);
  }

  return {
    read,
    close() {
      if (timer) clearTimeout(timer);
    },
  };
}

interface Taken {
  readonly length: number;
  /** Null for unknown sequences. */
  readonly key: Key | null;
}

/** The first key in the input; null if the input is incomplete. */
function takeKey(sent: string): Taken | null {
  if (sent === '') return null;
  if (sent.startsWith(PASTE)) {
    const end = sent.indexOf(PASTE_END);
    if (end < 0) return null;
    return {
      length: end + PASTE_END.length,
      key: { name: 'paste', text: asLines(sent.slice(PASTE.length, end)) },
    };
  }
  const [sequence] = SEQUENCE.exec(sent) ?? [];
  if (sequence !== undefined) return { length: sequence.length, key: named(SEQUENCES[sequence]) };
  if (UNFINISHED.test(sent)) return null;
  // A key with Alt, or an Escape directly followed by other keys.
  if (sent.startsWith('\x1b')) return { length: 1, key: { name: 'escape' } };
  const [sign = ''] = sent;
  const isControl = sign < ' ' || sign === '\x7f';
  return { length: sign.length, key: isControl ? named(CONTROLS[sign]) : { name: 'text', text: sign } };
}

function named(name: NamedKey | undefined): Key | null {
  return name === undefined ? null : { name };
}

function asLines(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}
