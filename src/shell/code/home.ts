/** Stands for the home directory in a program text. */
const HOME = 'HOME__';

const NAME = `(?:'HOME'|"HOME"|'USERPROFILE'|"USERPROFILE")`;
const EXPRESSIONS = [
  String.raw`(?:\bnode:)?\bos\.homedir\(\)`,
  String.raw`\bhomedir\(\)`,
  String.raw`(?:\bpathlib\.)?\bPath\.home\(\)`,
  String.raw`\bDir\.home\b(?:\(\))?`,
  String.raw`\bprocess\.env\.HOME\b`,
  String.raw`\bBun\.env\.HOME\b`,
  String.raw`\b(?:process\.env|os\.environ|ENV|Bun\.env)\[\s*${NAME}\s*\]`,
  String.raw`\b(?:os\.environ\.get|os\.getenv|getenv|ENV\.fetch|Deno\.env\.get|Sys\.getenv|os\.Getenv)\(\s*${NAME}\s*\)`,
  String.raw`\$_(?:SERVER|ENV)\[\s*(?:'HOME'|"HOME"|HOME)\s*\]`,
  String.raw`\$ENV\{\s*['"]?HOME['"]?\s*\}`,
  String.raw`\bos\.path\.expanduser\(\s*(?:'~'|"~")\s*\)`,
];
const EXPRESSION = new RegExp(EXPRESSIONS.join('|'), 'g');
const HINT = /home|HOME|USERPROFILE|~/;

/** Replaces every expression for the home directory with one name. */
export function withHome(code: string): string {
  // `require('os')` was already replaced with `os`.
  return HINT.test(code) ? code.replace(EXPRESSION, HOME) : code;
}

/** Writes `HOME__/x` as `~/x`, also inside brackets in a string. */
export function homeIn(text: string): string {
  return text.includes(HOME)
    ? text.replace(new RegExp(String.raw`[#$]?\{\s*${HOME}\s*\}|${HOME}`, 'g'), '~')
    : text;
}
