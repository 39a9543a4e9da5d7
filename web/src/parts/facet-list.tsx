import type { JSX } from 'preact';

interface FacetProps {
  readonly facet: string;
  readonly counts: readonly (readonly [value: string, n: number])[];
  readonly chosen: string | undefined;
  readonly onChoose: (value: string) => void;
  /** What people call a value, where that is something else. */
  readonly labelOf?: (value: string) => string;
}

/** What there is of one kind and how often; a press leaves only that. */
export function FacetList({
  facet,
  counts,
  chosen,
  onChoose,
  labelOf = (value) => value,
}: FacetProps): JSX.Element | null {
  if (counts.length === 0) return null;
  return (
    <section class="facet">
      <h2>{facet}</h2>
      {counts.map(([value, n]) => (
        <button key={value} type="button" aria-pressed={chosen === value} onClick={() => onChoose(value)}>
          <span class="cut">{labelOf(value)}</span> <span class="count">{n}</span>
        </button>
      ))}
    </section>
  );
}
