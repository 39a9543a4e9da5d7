import type { Word } from '../analysis.ts';
import type { Call } from '../call.ts';

/** Which words of a command are files that it sends to another machine. */
export interface Upload {
  /** The words that follow the program's name: `s3 cp`; each may be several, with `|` between them. */
  readonly verb: string;
  /** `all` that follow, all but the `first`, or all but the `last`, which says where they go. */
  readonly files: 'all' | 'but first' | 'but last' | 'none';
  /** What the last word looks like where it is another machine; any does where this is left out. */
  readonly to?: RegExp;
  /** Options whose values are files that are sent. */
  readonly options?: readonly string[];
  /** It sends something only with one of these options. */
  readonly with?: readonly string[];
}

const BUCKET = /^[a-z][a-z0-9+-]*:\/\//i;
const REMOTE_NAME = /^:?[\w.@-]+:/;

const to = (verb: string, place: RegExp): Upload => ({ verb, files: 'but last', to: place });
const all = (verb = '', ...options: string[]): Upload => ({ verb, files: 'all', options });
const given = (verb: string, ...options: string[]): Upload => ({ verb, files: 'none', options });

/** Ways out of a machine, by program. Adding one is adding a line. */
export const UPLOADS: Readonly<Record<string, readonly Upload[]>> = {
  aws: [
    to('s3 cp|mv|sync', BUCKET),
    given('s3api put-object', '--body'),
    given('lambda update-function-code|create-function', '--zip-file'),
  ],
  gsutil: [to('cp|mv|rsync', BUCKET)],
  gcloud: [to('storage cp|mv|rsync', BUCKET), to('compute scp', REMOTE_NAME)],
  az: [given('storage blob|file|fs upload|upload-batch', '--file', '-f', '--source', '-s')],
  azcopy: [to('copy|cp|sync', BUCKET)],
  s3cmd: [to('put|sync|cp', BUCKET)],
  s5cmd: [to('cp|mv|sync', BUCKET)],
  s4cmd: [to('put|sync|cp', BUCKET)],
  ossutil: [to('cp|sync', BUCKET)],
  mc: [{ verb: 'cp|mirror|mv|put', files: 'but last' }],
  rclone: [to('copy|copyto|sync|move|moveto|bisync', REMOTE_NAME)],
  b2: [
    { verb: 'upload-file|sync', files: 'but first' },
    { verb: 'file upload', files: 'but first' },
  ],
  restic: [all('backup')],
  borg: [{ verb: 'create', files: 'but first' }],
  kopia: [all('snapshot create')],
  duplicity: [to('', BUCKET)],
  wrangler: [given('r2 object put', '--file', '-f')],
  gh: [
    all('gist create'),
    { verb: 'gist edit', files: 'but first', options: ['--add'] },
    { verb: 'release upload|create', files: 'but first' },
    given('issue|pr create|comment|edit', '--body-file', '-F'),
  ],
  glab: [all('snippet create'), { verb: 'release upload', files: 'but first' }],
  hub: [all('gist create')],
  gist: [all()],
  pastebinit: [all('', '-i')],
  wgetpaste: [all()],
  croc: [all('send')],
  wormhole: [all('send')],
  'magic-wormhole': [all('send')],
  ffsend: [all('upload')],
  transfer: [all()],
  ipfs: [all('add')],
  'telegram-send': [given('', '--file', '--image')],
  'huggingface-cli': [{ verb: 'upload', files: 'but first' }],
  hf: [{ verb: 'upload', files: 'but first' }],
  kaggle: [given('datasets create|version', '-p', '--path')],
  mail: [given('', '-a', '--attach')],
  mailx: [given('', '-a', '--attach')],
  mutt: [given('', '-a', '-i')],
  neomutt: [given('', '-a', '-i')],
  sendmail: [given('')],
  msmtp: [given('')],
  swaks: [given('', '--attach', '--body', '--data')],
  sendemail: [given('', '-a', '-o')],
  ncftpput: [{ verb: '', files: 'but first' }],
  wscat: [given('')],
  logger: [{ verb: '', files: 'none', options: ['--file'], with: ['--server'] }],
};

/** Reads what a command uploads, and says that it goes over the network. */
export function upload(call: Call, uploads: readonly Upload[]): void {
  const words = plainWords(call);
  for (const one of uploads) {
    const length = verbLength(one.verb, words);
    if (length === null || (one.with && !call.has(...one.with))) continue;
    const rest = words.slice(length);
    const target = rest.at(-1);
    if (one.to && !(target && rest.length > 1 && one.to.test(target.template))) continue;
    const files = [...filesOf(one, rest), ...call.values(...(one.options ?? []))];
    for (const word of files) if (!one.to?.test(word.template)) call.read(word);
    call.network({ sends: true });
  }
}

/** All that is neither an option nor its value: which of them are verbs, the program's own table may not say. */
function plainWords({ command: { argv, options } }: Call): readonly Word[] {
  const taken = new Set(options.flatMap(({ raw, value }) => (value ? [raw, value.raw] : [raw])));
  return argv.slice(1).filter(({ raw }) => !taken.has(raw) && raw !== '--');
}

function filesOf({ files }: Upload, words: readonly Word[]): readonly Word[] {
  switch (files) {
    case 'all':
      return words;
    case 'but first':
      return words.slice(1);
    case 'but last':
      return words.slice(0, -1);
    case 'none':
      return [];
  }
}

/** How many words the verb takes up; null where the command has another one. */
function verbLength(verb: string, words: readonly Word[]): number | null {
  const wanted = verb === '' ? [] : verb.split(' ');
  return wanted.every((choices, at) => choices.split('|').includes(words[at]?.text ?? ''))
    ? wanted.length
    : null;
}
