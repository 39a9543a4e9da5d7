import { createPrivateKey, X509Certificate } from 'node:crypto';
import { HooklineError, messageOf } from '../../model/errors.ts';
import { readRegularText } from '../../platform/bounded-files.ts';
import { fingerprintOf } from './certificate.ts';
import type { ServerCertificate } from './own-certificate.ts';

/** The user's certificate for this machine, with the names in it. Throws if the two files don't match. */
export function userCertificate(
  cert: string,
  key: string,
): ServerCertificate & { readonly names: readonly string[] } {
  try {
    const [certificate, ownKey] = [readRegularText(cert), readRegularText(key)];
    const parsed = new X509Certificate(certificate);
    if (!parsed.checkPrivateKey(createPrivateKey(ownKey)))
      throw new Error('the key is for another certificate');
    const names = namesIn(parsed.subjectAltName ?? '');
    return { certificate, key: ownKey, fingerprint: fingerprintOf(certificate), authorityFile: null, names };
  } catch (error) {
    throw new HooklineError('CONFIG_INVALID', `Can't use ${cert} and ${key}: ${messageOf(error)}.`, {
      cause: error,
      hint: 'Set phone.cert and phone.key in config.yaml to a certificate and its key in PEM format.',
    });
  }
}

/** The names for reaching this machine. A wildcard (`*.example.com`) isn't one. */
function namesIn(alternatives: string): readonly string[] {
  return [...alternatives.matchAll(/DNS:([^,\s"]+)/g)].flatMap(([, name = '']) =>
    name.includes('*') ? [] : [name],
  );
}
