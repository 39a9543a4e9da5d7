import { escapeRegExp } from '../../model/text.ts';
import { redact } from '../../redact/redact.ts';

/**
 * For readers outside this machine: redacts again, with patterns added since it was stored, and removes the names of
 * the user and of their directories.
 */
export function cleanerFor(home: string, user: string): (text: string) => string {
  const name = user.length > 2 ? new RegExp(`(?<![\\w-])${escapeRegExp(user)}(?![\\w-])`, 'g') : null;
  return (text) => {
    const homeless = home.length > 1 ? redact(text).replaceAll(home, '~') : redact(text);
    return name ? homeless.replace(name, 'user') : homeless;
  };
}
