import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

const KEYS: readonly (readonly [key: string, meaning: string])[] = [
  ['j k', 'next card, card before'],
  ['a', 'on a card: allow'],
  ['d', 'on a card: deny'],
  ['l', 'on a card: leave it to the agent’s own prompt'],
  ['e', 'on a card: edit, then allow'],
  ['/', 'search'],
  ['g', 'back to the live page'],
  ['?', 'this help'],
];
const OFF = 'hookline.keys-off';

/** The keys, what they do, and the way to switch them off: they get in the way of some ways of typing. */
export function Help(): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const [off, setOff] = useState(window.localStorage.getItem(OFF) !== null);

  useEffect(() => {
    if (off) return;
    const listener = (event: KeyboardEvent) => onKey(event, dialog.current);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, [off]);

  function toggle(): void {
    if (off) window.localStorage.removeItem(OFF);
    else window.localStorage.setItem(OFF, 'yes');
    setOff(!off);
  }

  return (
    <>
      <button type="button" class="quiet-button" onClick={() => dialog.current?.showModal()}>
        Keys
      </button>
      <dialog ref={dialog} aria-labelledby="help-title">
        <h2 id="help-title">Keys</h2>
        <dl class="keys">
          {KEYS.map(([key, meaning]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
        <label class="inline">
          <input type="checkbox" checked={!off} onChange={toggle} /> Single keys work everywhere on the page
        </label>
        <p>Everything can be reached with Tab and Enter as well.</p>
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </dialog>
    </>
  );
}

function onKey(event: KeyboardEvent, dialog: HTMLDialogElement | null): void {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  if (event.key === '?') dialog?.showModal();
  else if (event.key === '/') window.location.hash = '/search';
  else if (event.key === 'g') window.location.hash = '/';
  else if (event.key === 'j') moveCard(1);
  else if (event.key === 'k') moveCard(-1);
  else return;
  event.preventDefault();
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, dialog') !== null;
}

function moveCard(by: number): void {
  const cards = [...document.querySelectorAll<HTMLElement>('[data-card]')];
  const at = cards.findIndex((card) => card.contains(document.activeElement));
  const next = cards[at === -1 ? (by > 0 ? 0 : cards.length - 1) : at + by];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}
