import type { Reader } from '../text/reader.ts';

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
  | 'slash'
  /** `/p:secret` */
  | 'slashed'
  /** `net use \\\\host\\share secret` */
  | 'net'
  /** `config set name secret`, where the name is one of a secret */
  | 'entry';

/** Only what a name does not tell: `--password` is a secret with every program. */
const TABLE: readonly (readonly [programs: string, options: string, commands?: string])[] = [
  ['gh', '-b:word --body:word :stdin', 'secret set'],
  ['pass gopass', ':stdin', 'insert'],
  ['wrangler', ':stdin', 'secret put'],
  ['npm pnpm yarn', ':entry', 'config set|c set|set'],
  ['curl', '-u:pair --user:pair -U:pair --proxy-user:pair'],
  ['http https xh', '-a:pair --auth:pair'],
  ['mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlcheck mariadb mariadb-dump mycli', '-p:attached'],
  ['sshpass', '-p:word'],
  ['login', '-p:word'],
  ['redis-cli', '-a:word'],
  ['ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldappasswd', '-w:word -s:word'],
  ['smbclient rpcclient smbmap winexe smbget smbcacls', '-U:pair --user:pair'],
  ['mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat', '-p:word'],
  ['rabbitmqadmin snowsql rdesktop evil-winrm crackmapexec nxc cqlsh clickhouse-client dsmc', '-p:word'],
  ['net net.exe', ':net -U:pair --user:pair'],
  ['xfreerdp xfreerdp3 wfreerdp wfreerdp.exe sdl-freerdp', ':slashed'],
  ['winrm winrs', '-p:word -password:word'],
  ['rclone', 'pass:word password:word password2:word obscure:word secret_access_key:word'],
  ['nmcli', 'password:word'],
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
  ['sqlplus sqlldr expdp impdp', ':slash'],
  ['rman', ':slash target:slash catalog:slash auxiliary:slash'],
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
export const STDIN_OPTIONS: readonly string[] = [
  '--password-stdin',
  '--pass-stdin',
  '--token-stdin',
  '--passphrase-stdin',
  '--with-token',
];

interface Option {
  readonly name: string;
  readonly secret: OptionSecret;
}

/** Of one program; a few, which are compared faster than they are looked up by a text of their own. */
export type Options = readonly Option[];

/** What a program takes, with these words behind it or with any. */
interface Usage {
  readonly command: RegExp | null;
  readonly options: Options;
}

const PROGRAMS = new Map<string, Usage[]>();
for (const [programs, options, commands] of TABLE) {
  const entries = options.split(' ').map((option): Option => {
    const [name = '', secret = ''] = option.split(':');
    return { name, secret: kindOf(secret) };
  });
  const usage = { command: commands === undefined ? null : commandOf(commands), options: entries };
  for (const program of programs.split(' ')) PROGRAMS.set(program, [...(PROGRAMS.get(program) ?? []), usage]);
}

/** `secret set`, also in a list of words: `"secret", "set"`. */
function commandOf(commands: string): RegExp {
  const gap = '[\\s"\',\\\\]{1,20}';
  return new RegExp(`^${gap}(?:${commands.replaceAll(' ', gap)})(?![\\w-])`);
}

/** How the option between these places carries a secret; null for one that does not. */
export function secretOfOption(
  options: Options,
  reader: Reader,
  start: number,
  end: number,
): OptionSecret | null {
  for (const { name, secret } of options)
    if (name.length === end - start && reader.startsWith(name, start)) return secret;
  return null;
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
    case 'slashed':
    case 'net':
    case 'entry':
      return text;
    default:
      return 'word';
  }
}

/** Other words that tell what stands behind them. */
const OTHERS = [
  ...['echo', 'printf', 'machine', 'default', 'password', 'account', 'by', 'BY', 'send', 'VALUES', 'values'],
  // Options without a dash.
  ...[...PROGRAMS.values()]
    .flatMap((usages) => usages.flatMap(({ options }) => options.map(({ name }) => name)))
    .filter((name) => /^\w/.test(name)),
];

/** A word that tells what stands behind it. */
interface Word {
  readonly text: string;
  /** Of a program; null for other words. */
  readonly usages: readonly Usage[] | null;
}

/** Words by their length, their first and their last letter, so that most words of a text are compared with none. */
const BY_SHAPE: Word[][] = [[]];
const LONGEST = Math.max(...[...PROGRAMS.keys(), ...OTHERS].map(({ length }) => length));
const SHAPES = new Uint8Array((LONGEST + 1) << 10);

for (const text of new Set([...PROGRAMS.keys(), ...OTHERS, 'bearer', 'basic'])) {
  const shape =
    (text.length << 10) | ((text.charCodeAt(0) & 31) << 5) | (text.charCodeAt(text.length - 1) & 31);
  if (SHAPES[shape] === 0) SHAPES[shape] = BY_SHAPE.push([]) - 1;
  BY_SHAPE[SHAPES[shape] ?? 0]?.push({ text, usages: PROGRAMS.get(text) ?? null });
}

/** Those of the same shape as the word between these places, mostly none. */
function ofSameShape(codes: Uint16Array, start: number, end: number): readonly Word[] | null {
  if (end - start > LONGEST) return null;
  const index =
    SHAPES[((end - start) << 10) | (((codes[start] ?? 0) & 31) << 5) | ((codes[end - 1] ?? 0) & 31)];
  return index === undefined || index === 0 ? null : (BY_SHAPE[index] ?? null);
}

/** Whether a known word or a scheme of an authorization stands here, whatever the case of its letters. */
export function isKnownWord(codes: Uint16Array, start: number, end: number): boolean {
  const words = ofSameShape(codes, start, end);
  if (words === null) return false;
  for (const { text } of words) if (isText(text, codes, start)) return true;
  return false;
}

function isText(text: string, codes: Uint16Array, start: number): boolean {
  let at = 0;
  while (at < text.length && ((codes[start + at] ?? 0) | 32) === (text.charCodeAt(at) | 32)) at++;
  return at === text.length;
}

/** The word of a command line that stands here; null for any other. */
export function knownWord(reader: Reader, start: number, end: number): Word | null {
  for (const word of ofSameShape(reader.codes, start, end) ?? [])
    if (reader.startsWith(word.text, start)) return word;
  return null;
}

const LONGEST_COMMAND = 64;

/** How the program that ends here takes secrets; null if it takes none with what follows. */
export function optionsOf(usages: readonly Usage[], reader: Reader, end: number): UsedOptions | null {
  for (const { command, options } of usages) {
    const match = command?.exec(reader.slice(end, end + LONGEST_COMMAND));
    if (command === null || match) return { options, end: end + (match?.[0].length ?? 0) };
  }
  return null;
}

export interface UsedOptions {
  readonly options: Options;
  /** Behind the words of the command. */
  readonly end: number;
}
