import type { Reader } from './reader.ts';

/** How an option of a program carries a secret. */
export type OptionSecret =
  /** `-p secret`, `-psecret` */
  | 'word'
  /** `-psecret` only: `-p word` is something else */
  | 'attached'
  /** `-u user:secret`, `-U user%secret`, `-u user,secret` */
  | 'pair'
  /** `--literal name=secret` */
  | 'setting'
  /** `-pass pass:secret`; `env:` and `file:` are no secrets */
  | 'source'
  /** Reads it from standard input */
  | 'stdin'
  /** The last word of the command is the secret */
  | 'last'
  /** The first word is `user/secret@place` */
  | 'slash';

/** Only what a name does not tell: `--password` is a secret with every program. */
const TABLE: readonly (readonly [programs: string, options: string])[] = [
  ['curl', '-u:pair --user:pair -U:pair --proxy-user:pair'],
  ['http https xh', '-a:pair --auth:pair'],
  ['mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlcheck mariadb mariadb-dump mycli', '-p:attached'],
  ['sshpass', '-p:word'],
  ['login', '-p:word'],
  ['redis-cli', '-a:word'],
  ['ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldappasswd', '-w:word -s:word'],
  ['smbclient rpcclient smbmap winexe smbget net', '-U:pair'],
  ['mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat', '-p:word'],
  ['rabbitmqadmin snowsql rdesktop evil-winrm crackmapexec nxc cqlsh clickhouse-client dsmc', '-p:word'],
  ['sqlcmd bcp osql isql', '-P:word'],
  ['mosquitto_pub mosquitto_sub', '-P:word'],
  ['zip unzip', '-P:word'],
  ['7z 7za 7zr rar unrar', '-p:attached -hp:attached'],
  ['plink pscp psftp putty', '-pw:word'],
  ['lftp', '-u:pair'],
  ['ssh-keygen', '-N:word -P:word'],
  ['openssl', '-passin:source -passout:source -pass:source -k:word -K:word'],
  ['keytool jarsigner apksigner', '-storepass:word -keypass:word -srcstorepass:word -deststorepass:word'],
  ['htpasswd', '-b:last -nb:last -bn:last -bc:last -cb:last -nbB:last -bB:last -Bb:last -nbm:last -Bbn:last'],
  ['wpa_passphrase', ':last'],
  ['sqlplus sqlldr expdp impdp rman', ':slash'],
  ['ipmitool', '-P:word'],
  ['snmpwalk snmpget snmpset snmpbulkwalk', '-A:word -X:word'],
  ['smbpasswd', ':stdin'],
  ['useradd usermod', '-p:word'],
  ['kubectl oc', '--from-literal:setting'],
  ['ngrok', '--authtoken:word'],
  ['doctl', '-t:word'],
  ['npm', '--otp:word'],
  ['sudo', '-S:stdin -kS:stdin -Sk:stdin'],
  ['passwd', '--stdin:stdin'],
  ['chpasswd', ':stdin'],
  ['gpg gpg2', '--passphrase-fd:stdin'],
];

/** Options that read a secret from standard input, whatever the program. */
export const STDIN_OPTIONS: ReadonlySet<string> = new Set([
  '--password-stdin',
  '--pass-stdin',
  '--token-stdin',
  '--passphrase-stdin',
  '--with-token',
]);

export type Options = ReadonlyMap<string, OptionSecret>;

const PROGRAMS = new Map<string, Options>();
for (const [programs, options] of TABLE) {
  const entries = options.split(' ').map((option): [string, OptionSecret] => {
    const [name = '', secret = ''] = option.split(':');
    return [name, kindOf(secret)];
  });
  for (const program of programs.split(' ')) PROGRAMS.set(program, new Map(entries));
}

function kindOf(text: string): OptionSecret {
  switch (text) {
    case 'attached':
    case 'pair':
    case 'setting':
    case 'source':
    case 'stdin':
    case 'last':
    case 'slash':
      return text;
    default:
      return 'word';
  }
}

/** Other words that tell what stands behind them. */
const OTHERS = ['echo', 'printf', 'machine', 'default', 'password', 'account', 'by', 'BY'];

/** Words by their length, their first and their last letter, so that most words of a text are compared with none. */
const BY_SHAPE = new Map<number, string[]>();
const LONGEST = Math.max(...[...PROGRAMS.keys()].map(({ length }) => length));
const SHAPES = new Uint8Array((LONGEST + 1) << 10);

const shapeOf = (length: number, first: number, last: number) =>
  (length << 10) | ((first & 31) << 5) | (last & 31);

for (const word of [...PROGRAMS.keys(), ...OTHERS, 'bearer', 'basic']) {
  const shape = shapeOf(word.length, word.charCodeAt(0), word.charCodeAt(word.length - 1));
  SHAPES[shape] = 1;
  BY_SHAPE.set(shape, [...(BY_SHAPE.get(shape) ?? []), word]);
}

/** Whether a known word, or a scheme of an authorization, has this length, this first and this last letter. */
export function isShapeOfKnown(codes: Uint16Array, start: number, end: number): boolean {
  const length = end - start;
  return length <= LONGEST && SHAPES[shapeOf(length, codes[start] ?? 0, codes[end - 1] ?? 0)] === 1;
}

/** The word of a command line that stands here; null for any other. */
export function knownWord(reader: Reader, start: number, end: number): string | null {
  if (!isShapeOfKnown(reader.codes, start, end)) return null;
  for (const word of BY_SHAPE.get(shapeOf(end - start, reader.code(start), reader.code(end - 1))) ?? [])
    if (reader.startsWith(word, start)) return word;
  return null;
}

export function optionsOf(program: string): Options | undefined {
  return PROGRAMS.get(program);
}
