import type { JSX } from 'preact';

interface FacetProps {
  readonly facet: string;
  readonly counts: readonly (readonly [value: string, n: number])[];
  readonly chosen: string | undefined;
  readonly onChoose: (value: string) => void;
  /** The label of a value, if it differs from the value. */
  readonly labelOf?: (value: string) => string;
}

/** The values of a facet with their counts; a click filters by one. */
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
