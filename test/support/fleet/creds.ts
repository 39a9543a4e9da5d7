import { nkeys } from '@nats-io/nats-core';

type KeyPair = ReturnType<typeof nkeys.createUser>;

const EVERYTHING = { subs: -1, data: -1, payload: -1 };
const ACCOUNT = { imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };
const STORAGE = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };

/** An account of a server that accepts users with a statement signed by the account. */
interface TestAccount {
  /** Lines of the server's configuration; those of `revoked` are let in no more. */
  config(revoked?: readonly string[]): string;
  /** A new user, with what its credentials file has in it. */
  user(more?: { readonly expires?: number }): { readonly id: string; readonly creds: string };
}

/** With an operator and a system account of its own, as `nsc` would make them. */
export function testAccount(): TestAccount {
  const operator = nkeys.createOperator();
  const [account, system] = [nkeys.createAccount(), nkeys.createAccount()];
  const accountToken = (revoked: readonly string[]) =>
    token(operator, account, 'team', {
      type: 'account',
      limits: { ...EVERYTHING, ...ACCOUNT, ...STORAGE },
      revocations: Object.fromEntries(revoked.map((id) => [id, seconds()])),
    });
  const systemToken = token(operator, system, 'SYS', {
    type: 'account',
    limits: { ...EVERYTHING, ...ACCOUNT },
  });
  const operatorToken = token(operator, operator, 'operator', { type: 'operator' });
  return {
    config: (revoked = []) => `operator: ${operatorToken}
system_account: ${system.getPublicKey()}
resolver: MEMORY
resolver_preload {
  ${system.getPublicKey()}: ${systemToken}
  ${account.getPublicKey()}: ${accountToken(revoked)}
}`,
    user: ({ expires } = {}) => {
      const user = nkeys.createUser();
      const signed = token(account, user, 'machine', { type: 'user', ...EVERYTHING }, expires);
      return { id: user.getPublicKey(), creds: credsOf(signed, user) };
    },
  };
}

const seconds = () => Math.floor(Date.now() / 1_000);

/** What one key says of another, in the form that servers read. */
function token(by: KeyPair, of: KeyPair, name: string, nats: object, expires?: number): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = {
    jti: of.getPublicKey(),
    // A revocation applies to all earlier statements.
    iat: seconds() - 60,
    iss: by.getPublicKey(),
    name,
    sub: of.getPublicKey(),
    ...(expires === undefined ? {} : { exp: expires }),
    nats: { ...nats, version: 2 },
  };
  const text = `${part({ typ: 'JWT', alg: 'ed25519-nkey' })}.${part(claims)}`;
  return `${text}.${Buffer.from(by.sign(Buffer.from(text))).toString('base64url')}`;
}

function credsOf(signed: string, user: KeyPair): string {
  return `-----BEGIN NATS USER JWT-----
${signed}
------END NATS USER JWT------

************************* IMPORTANT *************************
This file logs in as this user.

-----BEGIN USER NKEY SEED-----
${Buffer.from(user.getSeed()).toString()}
------END USER NKEY SEED------

*************************************************************
`;
}
