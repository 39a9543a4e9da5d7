import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './icons.tsx';

const KEYS: readonly (readonly [key: string, meaning: string])[] = [
  ['j k', 'next and previous request, or call of a session'],
  ['a', 'on a card: allow once'],
  ['d', 'on a card: deny'],
  ['m', 'on a card: more ways to answer'],
  ['1 … 4', 'with those open: for how long'],
  ['e', 'on a card: edit, then allow'],
  ['r', 'on a card: deny with a message'],
  ['x', 'on a card: deny and end the turn'],
  ['l', 'on a card: leave it to the agent’s own prompt'],
  ['o', 'open the session of the card'],
  ['n', 'in a session: next denial'],
  ['/', 'search'],
  ['g', 'back to what waits'],
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
      <button type="button" class="icon-button" aria-label="Keys" onClick={() => dialog.current?.showModal()}>
        <Icon name="keys" />
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
        <p>
          <label>
            <input type="checkbox" checked={!off} onChange={toggle} /> Single keys work everywhere on the page
          </label>
        </p>
        <p class="quiet">Everything can be reached with Tab and Enter as well.</p>
        <p>
          <button type="button" class="button" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </p>
      </dialog>
    </>
  );
}

function onKey(event: KeyboardEvent, dialog: HTMLDialogElement | null): void {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  if (event.key === '?') dialog?.showModal();
  else if (event.key === '/') window.location.hash = '/search';
  else if (event.key === 'g') window.location.hash = '/';
  else if (event.key === 'j') move(1);
  else if (event.key === 'k') move(-1);
  else if (event.key === 'o') document.querySelector<HTMLElement>('[data-open-session]')?.click();
  else if (event.key === 'n') document.querySelector<HTMLElement>('[data-next-denial]')?.click();
  else if (!passToCard(event)) return;
  event.preventDefault();
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, dialog') !== null;
}

/** Through the queue, or through the calls of a session. */
function move(by: number): void {
  const items = [...document.querySelectorAll<HTMLElement>('[data-item]')];
  const at = items.findIndex((item) => item.matches('[aria-expanded=true], [aria-current]'));
  const isCard = document.activeElement?.closest('[data-card], [data-item]') !== null;
  // The first press only takes hold of what is open.
  const next =
    at === -1
      ? items[by > 0 ? 0 : items.length - 1]
      : items[isCard || items[at]?.matches('[aria-current]') ? at + by : at];
  if (!next) return;
  next.click();
  next.focus();
  next.scrollIntoView({ block: 'nearest' });
}

/** A key that was pressed on the entry of the queue means the card that is open. */
function passToCard(event: KeyboardEvent): boolean {
  const card = document.querySelector<HTMLElement>('[data-card]');
  const from = event.target instanceof HTMLElement ? event.target : null;
  if (!card || !from?.matches('[data-item][aria-expanded=true]')) return false;
  return !card.dispatchEvent(
    new KeyboardEvent('keydown', { key: event.key, bubbles: false, cancelable: true }),
  );
}
