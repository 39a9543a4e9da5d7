import { writePrivateFile } from '../../platform/files.ts';
import { newSecret } from '../../platform/secrets.ts';

/** A secret for HTTP, new at every start, so that a leaked one expires with its daemon. It admits hooks and readers. */
export function newToken(path: string): string {
  const token = newSecret();
  writePrivateFile(path, `${token}\n`);
  return token;
}

/** The token in an Authorization header. */
export function bearer(header: string | undefined): string {
  return header?.startsWith('Bearer ') ? header.slice('Bearer '.length) : '';
}
