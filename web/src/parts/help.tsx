import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './icons.tsx';

const KEYS: readonly (readonly [key: string, meaning: string])[] = [
  ['j k', 'next or previous approval or call'],
  ['a', 'on an approval: allow once'],
  ['d', 'on an approval: deny'],
  ['m', 'on an approval: more answers'],
  ['1 … 4', 'in that menu: allow with a scope'],
  ['e', 'on an approval: edit, then allow'],
  ['r', 'on an approval: deny with a message'],
  ['x', 'on an approval: deny and end the turn'],
  ['l', 'on an approval: ask in the agent instead'],
  ['o', 'open the session of the approval'],
  ['n', 'in a session: next denial'],
  ['/', 'search'],
  ['g', 'back to pending approvals'],
  ['?', 'this help'],
];
const OFF = 'hookline.keys-off';

/** Lists the keys and can turn them off, because they conflict with some input methods. */
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
            <input type="checkbox" checked={!off} onChange={toggle} /> Use single-key shortcuts
          </label>
        </p>
        <p class="quiet">Everything also works with Tab and Enter.</p>
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
  // The first press only focuses the open one.
  const next =
    at === -1
      ? items[by > 0 ? 0 : items.length - 1]
      : items[isCard || items[at]?.matches('[aria-current]') ? at + by : at];
  if (!next) return;
  next.click();
  next.focus();
  next.scrollIntoView({ block: 'nearest' });
}

/** A key pressed on the entry of the queue acts on the open card. */
function passToCard(event: KeyboardEvent): boolean {
  const card = document.querySelector<HTMLElement>('[data-card]');
  const from = event.target instanceof HTMLElement ? event.target : null;
  if (!card || !from?.matches('[data-item][aria-expanded=true]')) return false;
  return !card.dispatchEvent(
    new KeyboardEvent('keydown', { key: event.key, bubbles: false, cancelable: true }),
  );
}
