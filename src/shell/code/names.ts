import { computedStrings } from './computed.ts';

const STRING = String.raw`(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)")`;

/** `'sys' + 'tem'`: pieces of a word that are put together when it runs. */
const JOINED = new RegExp(`${STRING}\\s*\\+\\s*${STRING}`, 'g');
const MODULE =
  /(?:require|__import__|importlib\.import_module|import_module)\(\s*['"](?:node:)?([\w./]+)['"]\s*\)/g;
/** `getattr(os, 'system')` and `os['system']` are `os.system`. */
const MEMBER =
  /\bgetattr\(\s*([\w.]+)\s*,\s*['"](\w+)['"]\s*\)|(?<=[\w)])\[\s*['"]([A-Za-z_]\w*)['"]\s*\](?=\s*\()/g;
const RENAMED =
  /\bimport\s+([\w.]+)\s+as\s+(\w+)|\bfrom\s+([\w.]+)\s+import\s+(\w+)\s+as\s+(\w+)|(?:\b(?:const|let|var)\s+|[,;\n]\s*|^\s*)(\w+)\s*=\s*(?:await\s+)?(net|tls|dgram|http|https|fs|os|child_process|subprocess|shutil|socket|pty)\b(?=\s*(?:[,;\n]|$))/g;

const MAX_ROUNDS = 8;
const MAX_NAMES = 12;

/** `const {execSync: run} = child_process`. */
const UNPACKED = /\{([^{}]*\w\s*:\s*\w[^{}]*)\}\s*=/g;

/** The same program with every module and function under the name that everybody knows it by. */
export function plainNames(code: string): string {
  let text = computedStrings(code);
  for (let round = 0; round < MAX_ROUNDS && /['"]\s*\+\s*['"]/.test(text); round++)
    text = text.replace(JOINED, (_, a?: string, b?: string, c?: string, d?: string) =>
      JSON.stringify((a ?? b ?? '') + (c ?? d ?? '')).replaceAll('\\\\', '\\'),
    );
  text = text.replace(MODULE, '$1');
  text = text.replace(MEMBER, (_, object?: string, name?: string, key?: string) =>
    key === undefined ? `${object}.${name}` : `.${key}`,
  );
  return withoutAliases(text);
}

function withoutAliases(code: string): string {
  if (!/\bas\s|=\s*(?:await\s+)?[a-z_]+\s*(?:[,;\n]|$)|\}\s*=/.test(code)) return code;
  let text = code;
  for (const [, list = ''] of code.matchAll(UNPACKED))
    for (const [, name = '', alias = ''] of list.matchAll(/(\w+)\s*:\s*(\w+)/g))
      text = renamed(text, alias, name);
  for (const found of [...code.matchAll(RENAMED)].slice(0, MAX_NAMES)) {
    const [, module, as, from, member, memberAs, variable, assigned] = found;
    const alias = as ?? memberAs ?? variable ?? '';
    const name = module ?? (from === undefined ? assigned : `${from}.${member}`) ?? '';
    if (alias === '' || alias === name) continue;
    text = renamed(text, alias, name);
  }
  return text;
}

function renamed(text: string, alias: string, name: string): string {
  return text.replace(new RegExp(`(?<![\\w.'"])${alias}(?=\\.\\w|\\()`, 'g'), name);
}
