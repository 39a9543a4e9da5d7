/** `did you mean x?` for a likely typo; null if no name is similar. */
export function suggestion(typed: string, known: readonly string[]): string | null {
  const nearest = nearestName(typed, known);
  return nearest === null ? null : `did you mean ${nearest}?`;
}

/** The most similar name; null if none is similar. */
export function nearestName(typed: string, known: readonly string[]): string | null {
  const word = typed.toLowerCase();
  const most = Math.max(1, Math.floor(word.length / 3));
  const [nearest] = known
    .map((name) => ({ name, away: distance(word, name.toLowerCase()) }))
    .filter(({ away }) => away <= most)
    .sort((a, b) => a.away - b.away);
  return nearest?.name ?? null;
}

/** Edit distance: letters added, left out, changed or swapped with the next one. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cell = (up: number, left: number) => rows[i - up]?.[j - left] ?? row[j - left] ?? 0;
      const isSame = a[i - 1] === b[j - 1];
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        cell(1, 0) + 1,
        (row[j - 1] ?? 0) + 1,
        cell(1, 1) + (isSame ? 0 : 1),
        isSwap ? cell(2, 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 0;
}
