import './style/pair.css';

// This page shares nothing with the dashboard, so that a device that is not paired gets no part of it.

/** The part of the address after the #. It must not stay in the browser's history. */
const code = /^#([\w-]+)$/.exec(window.location.hash)?.[1] ?? null;
window.history.replaceState(null, '', '/pair');

const byId = (id: string): HTMLElement | null => document.getElementById(id);
const form = byId('pair');
const name = byId('name');
const problem = byId('problem');

const shown = byId(code === null ? 'unpaired' : 'pair');
if (shown) shown.hidden = false;

interface BrowserHints {
  getHighEntropyValues(hints: readonly string[]): Promise<{ readonly model?: string }>;
}

function isHints(value: unknown): value is BrowserHints {
  return typeof value === 'object' && value !== null && 'getHighEntropyValues' in value;
}

/** A name for the device, as far as the browser tells. */
async function suggestedName(): Promise<string> {
  const hints: unknown = 'userAgentData' in navigator ? navigator.userAgentData : null;
  const model = isHints(hints) ? (await hints.getHighEntropyValues(['model'])).model : '';
  const words = /iPhone|iPad|Android|Macintosh|Windows|Linux/.exec(navigator.userAgent)?.[0];
  return model || { Macintosh: 'Mac', Android: 'Phone' }[words ?? ''] || words || 'Phone';
}

function show(text: string): void {
  if (problem) problem.textContent = text;
}

async function pair(called: string): Promise<void> {
  const response = await fetch('/pair', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, name: called }),
  });
  const answer: { key?: string; error?: { message?: string } } = await response.json();
  if (!response.ok || answer.key === undefined) {
    show(answer.error?.message ?? 'Pairing failed.');
    return;
  }
  window.localStorage.setItem('hookline.key', answer.key);
  window.location.replace('/');
}

if (name instanceof HTMLInputElement) {
  void suggestedName().then((text) => {
    if (name.value === '') name.value = text;
  });
  form?.addEventListener('submit', (event) => {
    event.preventDefault();
    pair(name.value).catch(() => show("The machine doesn't respond."));
  });
}
