import type { ComponentChildren, JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Outcome } from '../../../src/history/calls/outcome.ts';
import { badgesOf, initials } from '../../../src/model/text.ts';
import { type Loaded, useLive } from '../hooks.ts';
import { Icon, type IconName } from './icons.tsx';

export function useAgentLabel(source: string): string {
  return useAgentLabels()(source);
}

export function useAgentLabels(): (source: string) => string {
  const { agents } = useLive().state.about;
  return (source) => agents.find(({ id }) => id === source)?.label ?? source;
}

/** The badge of an agent, by its label; unique among the agents of this Hookline. */
export function useBadges(): (label: string) => string {
  const { agents } = useLive().state.about;
  const badges = useMemo(() => badgesOf(agents.map(({ label }) => label)), [agents]);
  return (label) => badges.get(label) ?? initials(label);
}

/** 2 letters: agents have neither a color nor an icon. */
export function AgentBadge({ source }: { source: string }): JSX.Element {
  const label = useAgentLabel(source);
  const badge = useBadges();
  return (
    <span class="agent" title={label} aria-hidden="true">
      {badge(label)}
    </span>
  );
}

/** `repo · branch` of an approval or a session. */
export function Where({ place }: { place: string }): JSX.Element {
  const [repo = '', branch] = place.split(' · ');
  return (
    <span class="where" title={place}>
      {repo || 'no project'}
      {branch && <span class="branch">{branch}</span>}
    </span>
  );
}

const CHIP_ICONS: Readonly<Partial<Record<Outcome, IconName>>> = {
  allowed: 'check',
  denied: 'deny',
  failed: 'cross',
};

/** A word in the color and with the icon of an outcome. */
export function Chip({ outcome, children }: { outcome: Outcome | null; children: string }): JSX.Element {
  const icon = outcome === null ? undefined : CHIP_ICONS[outcome];
  return (
    <span class={`chip ${outcome ?? 'plain'}`} title={children}>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </span>
  );
}

/** The keyboard shortcut for a button. */
export function Key({ children }: { children: ComponentChildren }): JSX.Element {
  return (
    <span class="kbd" aria-hidden="true">
      {children}
    </span>
  );
}

/** A loaded value, or the reason why it is missing. */
export function Await<T>({
  loaded,
  children,
}: {
  loaded: Loaded<T>;
  children: (value: T) => ComponentChildren;
}): JSX.Element {
  if (loaded.state === 'loading') return <p class="quiet none">Loading…</p>;
  if (loaded.state === 'failed') return <p class="trouble">{loaded.message}</p>;
  return <>{children(loaded.value)}</>;
}

/** An empty state: what appears here, and how. */
export function Empty({ title, children }: { title: string; children: ComponentChildren }): JSX.Element {
  return (
    <div class="none">
      <p>
        <b>{title}</b>
      </p>
      <p>{children}</p>
    </div>
  );
}

/** A choice between a few options, as buttons in a row. */
export function Segments<T extends string>({
  label,
  name,
  value,
  options,
  disabled = false,
  onChoose,
}: {
  label: string;
  name: string;
  value: T;
  options: readonly (readonly [value: T, words: string])[];
  disabled?: boolean;
  onChoose: (value: T) => void;
}): JSX.Element {
  return (
    <fieldset class="segments" disabled={disabled}>
      <legend class="unseen">{label}</legend>
      {options.map(([one, words]) => (
        <label key={one}>
          <input type="radio" name={name} checked={value === one} onChange={() => onChoose(one)} />
          {words}
        </label>
      ))}
    </fieldset>
  );
}

/** A filter that is on or off, with the number of matches. */
export function Filter({
  on,
  count,
  onToggle,
  children,
}: {
  on: boolean;
  count: number;
  onToggle: () => void;
  children: string;
}): JSX.Element {
  return (
    <button type="button" class="filter" aria-pressed={on} onClick={onToggle}>
      {children} <b>{count}</b>
    </button>
  );
}

export function Finder({
  label,
  value,
  onInput,
}: {
  label: string;
  value: string;
  onInput: (text: string) => void;
}): JSX.Element {
  return (
    <label class="finder">
      <Icon name="search" />
      <span class="unseen">{label}</span>
      <input
        type="search"
        placeholder={label}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  );
}

/** A command to run in a terminal. */
export function Copy({ command }: { command: string }): JSX.Element {
  const [copied, setCopied] = useState(false);
  return (
    <span class="copy">
      <code class="cut">{command}</code>
      <button
        type="button"
        aria-label={copied ? 'Copied' : `Copy ${command}`}
        onClick={() => void navigator.clipboard.writeText(command).then(() => setCopied(true))}
      >
        <Icon name={copied ? 'check' : 'copy'} />
      </button>
    </span>
  );
}

/** Content that scrolls must be reachable by keyboard. */
export function Code({ children, label }: { children: string; label: string }): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls.
    <section class="code tall" tabIndex={0} aria-label={label}>
      <pre class="wrap">{children}</pre>
    </section>
  );
}

/** A value as readable text: text unchanged, everything else as JSON. */
export function readable(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
}
