import { entryOf } from '../../model/lookup.ts';

const COMMON_SWITCHES = 'verbose debug whatif confirm passthru';
const COMMON_VALUES =
  'erroraction ea warningaction wa informationaction infa progressaction errorvariable ev warningvariable wv outvariable ov ' +
  'outbuffer pipelinevariable pv credential';
const FILES = 'path literalpath pspath lp filter include exclude stream';
const WEB =
  'uri method body headers contenttype infile outfile form timeoutsec websession sessionvariable useragent proxy ' +
  'authentication token maximumredirection maximumretrycount certificate sslprotocol customMethod transferencoding';

/** Parameters by command: switches, then those that take a value. */
const SPECS: Readonly<Record<string, readonly [switches: string, values: string]>> = {
  'remove-item': ['recurse force', FILES],
  'clear-content': ['force', FILES],
  'get-childitem': [
    'recurse force name file directory hidden readonly system followsymlink',
    `${FILES} depth attributes`,
  ],
  'get-item': ['force', FILES],
  'get-content': [
    'raw wait force asbytestream',
    `${FILES} totalcount head first tail last readcount delimiter encoding`,
  ],
  'set-content': ['force nonewline asbytestream', `${FILES} value encoding`],
  'add-content': ['force nonewline asbytestream', `${FILES} value encoding`],
  'out-file': ['append force nonewline noclobber', 'filepath path literalpath encoding width inputobject'],
  'tee-object': ['append', 'filepath path literalpath variable inputobject encoding'],
  'export-csv': [
    'append force notypeinformation noclobber useculture includetypeinformation',
    `${FILES} delimiter encoding inputobject usequotes quotefields`,
  ],
  'export-clixml': ['force noclobber', `${FILES} depth encoding inputobject`],
  'import-csv': ['useculture', `${FILES} delimiter header encoding`],
  'import-clixml': ['', FILES],
  'copy-item': ['recurse force container', `${FILES} destination tosession fromsession`],
  'move-item': ['force', `${FILES} destination`],
  'rename-item': ['force', 'path literalpath newname'],
  'new-item': ['force', 'path name itemtype type value target'],
  mkdir: ['force', 'path name'],
  'expand-archive': ['force', 'path literalpath destinationpath'],
  'compress-archive': ['force update', 'path literalpath destinationpath compressionlevel'],
  'select-string': [
    'casesensitive quiet list simplematch notmatch allmatches raw noemphasis',
    `${FILES} pattern context encoding inputobject culture`,
  ],
  'invoke-webrequest': [
    'usebasicparsing skipcertificatecheck disablekeepalive allowunencryptedauthentication skipheadervalidation resume skiphttperrorcheck usedefaultcredentials',
    WEB,
  ],
  'invoke-restmethod': [
    'usebasicparsing skipcertificatecheck disablekeepalive allowunencryptedauthentication skipheadervalidation resume skiphttperrorcheck usedefaultcredentials followrellink',
    WEB,
  ],
  'start-bitstransfer': ['asynchronous', 'source destination displayname priority description transfertype'],
  'set-itemproperty': ['force', `${FILES} name value type inputobject`],
  'new-itemproperty': ['force', `${FILES} name value propertytype type`],
  'remove-itemproperty': ['force', `${FILES} name`],
  'set-item': ['force', `${FILES} value`],
  'clear-item': ['force', FILES],
  'start-process': [
    'wait nonewwindow loaduserprofile usenewenvironment',
    'filepath argumentlist args verb workingdirectory windowstyle redirectstandardoutput redirectstandarderror redirectstandardinput',
  ],
  'stop-process': ['force', 'name id processname inputobject'],
  'new-object': ['strict', 'typename argumentlist args comobject property'],
  'join-path': ['resolve', 'path childpath additionalchildpath'],
  'split-path': [
    'parent leaf leafbase extension qualifier noqualifier resolve isabsolute',
    'path literalpath',
  ],
  'select-object': [
    'unique wait',
    'property excludeproperty expandproperty first last skip skiplast index inputobject',
  ],
  'foreach-object': [
    'asjob usenewrunspace',
    'process begin end membername argumentlist parallel throttlelimit inputobject timeoutseconds',
  ],
  'add-type': [
    'ignorewarnings',
    'typedefinition memberdefinition name namespace language referencedassemblies assemblyname path literalpath outputassembly outputtype usingnamespace compileroptions',
  ],
  'send-mailmessage': ['usessl bodyashtml', 'to from subject body attachments smtpserver port cc bcc'],
};

/** The words of a command by parameter. */
export interface Bound {
  readonly named: ReadonlyMap<string, readonly string[]>;
  readonly rest: readonly string[];
}

/** Values after a parameter, or without one. Accepts every abbreviation that PowerShell does, and shorter ones. */
export function bindWords(command: string, words: readonly string[]): Bound {
  const named = new Map<string, string[]>();
  const rest: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    const parameter = parameterIn(command, word);
    if (parameter === null) {
      rest.push(word);
      continue;
    }
    const { name, glued, takesValue } = parameter;
    const values = named.get(name) ?? [];
    const next = words[i + 1];
    if (glued !== null) values.push(glued);
    else if (takesValue && next !== undefined) {
      values.push(next);
      i++;
    } else values.push('');
    named.set(name, values);
  }
  return { named, rest };
}

interface Found {
  readonly name: string;
  readonly glued: string | null;
  readonly takesValue: boolean;
}

const PARAMETER = /^-([A-Za-z_?][\w-]*)(?::(.*))?$/s;

function parameterIn(command: string, word: string): Found | null {
  const [, written, glued = null] = PARAMETER.exec(word) ?? [];
  if (written === undefined) return null;
  const name = written.toLowerCase();
  const spec = entryOf(SPECS, command);
  const switches = listOf(spec?.[0] ?? '', COMMON_SWITCHES);
  const values = listOf(spec?.[1] ?? '', COMMON_VALUES);
  const full =
    [...switches, ...values].find((one) => one === name) ??
    switches.find((one) => one.startsWith(name)) ??
    values.find((one) => one.startsWith(name));
  // Any parameter of an undescribed command may take a value.
  if (full === undefined) return { name, glued, takesValue: spec !== undefined };
  return { name: ALSO[full] ?? full, glued, takesValue: values.includes(full) };
}

const ALSO: Readonly<Record<string, string>> = {
  args: 'argumentlist',
  lp: 'literalpath',
  pspath: 'literalpath',
  type: 'itemtype',
};

/** True if all words with a dash are parameters of the command. */
export function fits(command: string, words: readonly string[]): boolean {
  const spec = entryOf(SPECS, command);
  if (spec === undefined) return true;
  const all = listOf(...spec, COMMON_SWITCHES, COMMON_VALUES);
  return words.every((word) => {
    if (!word.startsWith('-')) return true;
    const name = PARAMETER.exec(word)?.[1]?.toLowerCase();
    return name !== undefined && all.some((one) => one.startsWith(name));
  });
}

/** `-Recurse`, but not `-Recurse:$false`. */
export function isOn({ named }: Bound, name: string): boolean {
  const values = named.get(name);
  return values !== undefined && !/^(?:\$?false|0)$/i.test(values.at(-1) ?? '');
}

export function valuesOf({ named }: Bound, ...names: readonly string[]): readonly string[] {
  return names.flatMap((name) => named.get(name) ?? []);
}

const lists = new Map<string, readonly string[]>();

function listOf(...texts: readonly string[]): readonly string[] {
  const key = texts.join(' ');
  const known = lists.get(key) ?? key.toLowerCase().split(' ').filter(Boolean);
  // All texts are constants in this file.
  lists.set(key, known);
  return known;
}
