import { HooklineError, messageOf } from '../../model/errors.ts';
import { loadNats } from './nats.ts';

/** The client requires a line break after the last part, and no Windows line endings. */
export function normalizedCreds(text: string): string {
  return `${text.replace(/\r\n?/g, '\n').trim()}\n`;
}

/** A credentials file as stored. Throws if it can't be used for a login. */
export async function parseCreds(text: string): Promise<string> {
  const creds = normalizedCreds(text);
  const { credsAuthenticator } = (await loadNats()).transport;
  try {
    credsAuthenticator(Buffer.from(creds))('any');
    return creds;
  } catch (cause) {
    throw new HooklineError('USAGE', `Can't use the credentials file: ${messageOf(cause)}.`, {
      cause,
      hint: 'A credentials file contains a JWT and a key, as written by `nsc generate creds`. Pass a token with --token.',
    });
  }
}
