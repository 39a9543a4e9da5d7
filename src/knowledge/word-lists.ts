import * as v from 'valibot';

/** A list, or a text of words with blanks between them. */
export const words = v.union([
  v.array(v.string()),
  v.pipe(
    v.string(),
    v.transform((text) => text.split(/\s+/).filter((word) => word !== '')),
  ),
]);
/** Subcommands have blanks in them: `state rm`. */
export const subcommands = v.union([
  v.array(v.string()),
  v.pipe(
    v.string(),
    v.transform((text) => [text]),
  ),
]);
export const options = v.pipe(v.string(), v.trim(), v.regex(/^[^\n]*$/, 'options are one line'));
