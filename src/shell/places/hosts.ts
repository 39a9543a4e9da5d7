/** The host in `user@host:port` and `ssh://user@host/`; null if unknown. */
export function hostOf(text: string | null): string | null {
  if (text === null) return null;
  return (
    text
      .replace(/^[a-z+]+:\/\//i, '')
      .replace(/^[^@/]*@/, '')
      .replace(/^(\[[\da-f:.]*\]).*$|[:/?#].*$/is, '$1') || null
  );
}
