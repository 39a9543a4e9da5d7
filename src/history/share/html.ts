/** Trusted markup. */
export interface Html {
  readonly markup: string;
}

type Piece = Html | string | number | null | false | readonly Html[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Markup with values. Everything that this function didn't create is treated as text and escaped. */
export function html(parts: TemplateStringsArray, ...values: readonly Piece[]): Html {
  let markup = parts[0] ?? '';
  for (const [at, value] of values.entries()) markup += written(value) + (parts[at + 1] ?? '');
  return { markup };
}

function written(value: Piece): string {
  if (value === null || value === false) return '';
  if (typeof value === 'string' || typeof value === 'number')
    return String(value).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('');
}
