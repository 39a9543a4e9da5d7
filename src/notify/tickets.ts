import { createHmac, randomBytes } from 'node:crypto';
import { isSameSecret } from '../platform/secrets.ts';

/** What a channel showed, and how long it may be answered. */
interface Shown {
  /** ID of the approval. */
  readonly id: string;
  readonly hash: string;
  readonly expiresAt: number;
}

type Decision = 'allow' | 'deny';

type Checked =
  | { readonly ok: true; readonly id: string; readonly decision: Decision; readonly hash: string }
  /** `why` is part of a sentence. */
  | { readonly ok: false; readonly why: string };

/**
 * Pre-signed answers: each button carries one. Every approval has its own key, which never leaves this process. The
 * signature covers the approval, the decision, what was shown, and the expiry.
 */
export interface Tickets {
  issue(shown: Shown): Readonly<Record<Decision, string>>;
  /** True if a text is a valid answer. */
  check(text: string): Checked;
  /** Invalidates both answers of this approval. */
  spend(id: string): void;
}

interface Issued extends Shown {
  readonly key: Buffer;
  isSpent: boolean;
}

/** Old ones only explain why a late answer doesn't count. */
const MOST_KEPT = 500;
const LETTERS = { a: 'allow', d: 'deny' } as const;
/** Telegram's limit is 64 bytes. */
const FORM = /^([ad])\.([0-9a-f]{1,16})\.([0-9a-z]{1,9})\.([A-Za-z0-9_-]{43})$/;

export function createTickets(now: () => number): Tickets {
  const issued = new Map<string, Issued>();
  return {
    issue(shown) {
      const entry: Issued = { ...shown, key: randomBytes(32), isSpent: false };
      issued.delete(shown.id);
      issued.set(shown.id, entry);
      for (const id of issued.keys()) if (issued.size > MOST_KEPT) issued.delete(id);
      return { allow: textOf(entry, 'a'), deny: textOf(entry, 'd') };
    },
    check(text) {
      const [, letter = '', id = ''] = FORM.exec(text) ?? [];
      if (letter !== 'a' && letter !== 'd') return refused('it is not an answer that Hookline has signed');
      const entry = issued.get(id);
      if (!entry) return refused(`no approval ${id} was sent there`);
      if (!isSameSecret(text, textOf(entry, letter))) return refused(`its signature for ${id} is wrong`);
      if (entry.isSpent) return refused(`${id} was answered or ended before`);
      if (now() >= entry.expiresAt) return refused(`${id} had expired`);
      return { ok: true, id, decision: LETTERS[letter], hash: entry.hash };
    },
    spend(id) {
      const entry = issued.get(id);
      if (entry) entry.isSpent = true;
    },
  };
}

const refused = (why: string): Checked => ({ ok: false, why });

function textOf({ id, hash, expiresAt, key }: Issued, letter: keyof typeof LETTERS): string {
  const signed = `${letter}.${id}.${expiresAt.toString(36)}`;
  const signature = createHmac('sha256', key).update(`hookline answer 1\n${signed}\n${hash}`);
  return `${signed}.${signature.digest('base64url')}`;
}
