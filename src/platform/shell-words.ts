/** As one word of a POSIX shell's command line, whatever is in it. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The same, without quotes where a shell needs none. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : shellQuoted(text);
}
