export interface Planted {
  readonly kind: string;
  /** What must not be found anywhere. */
  readonly secret: string;
  /** How it stands in a text. */
  readonly text: string;
}

export const bare = (kind: string, secret: string): Planted => ({ kind, secret, text: secret });

/** With what stands before and after it. */
export const within = (kind: string, before: string, secret: string, after = ''): Planted => ({
  kind,
  secret,
  text: `${before}${secret}${after}`,
});
