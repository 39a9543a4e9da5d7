import { type Given, textOf } from './reader.ts';

// awk and sed can write files and run programs. Only scripts recognized as doing neither count as reading; for anything
// more complex the user decides.

// In brackets the delimiter is an ordinary character. Each part matches in only one way, so backtracking can't find
// another reading of a script.
const BRACKET = String.raw`\[(?:\^|(?!\^))(?:\]|(?!\]))(?:\[[:.=]\w*[:.=]\]|[^\][\n])*\]`;
const PATTERN = String.raw`/(?:\\[^\n]|${BRACKET}|[^/\\[\n])*/`;
const ADDRESS = String.raw`(?:\d+~\d+|\d+|\$|${PATTERN}I?)`;
const RANGE = String.raw`(?:${ADDRESS}(?:\s*,\s*(?:${ADDRESS}|[+~]\d+))?\s*!?\s*)?`;
const SUBSTITUTE = String.raw`s([/|#,:@_!+%;])(?:\\[^\n]|${BRACKET}|(?!\1)[^\\[\n])*\1(?:\\[^\n]|(?!\1)[^\\\n])*\1[gpiI\d]*`;
const SED_COMMAND = new RegExp(
  String.raw`^\s*${RANGE}(?:${SUBSTITUTE}|[pdPqQ=lnNhHgGx]|y/[^/\\\n]*/[^/\\\n]*/)\s*(?:[;\n]|$)`,
);
const LONGEST_SCRIPT = 2_000;

/** Simple commands in sequence: no files, no `e`, and no loops, so no labels and no `D`, which restarts. */
export function isReadingSed({ options, operands }: Given): boolean {
  const given = options.filter(({ name }) => name === '--expression').map(({ value }) => value?.text ?? null);
  const scripts = given.length > 0 ? given : [operands[0]?.text ?? null];
  return scripts.every((script) => script !== null && isPlainSed(script));
}

function isPlainSed(script: string): boolean {
  if (script.length > LONGEST_SCRIPT) return false;
  let rest = script;
  while (rest.trim() !== '') {
    const found = SED_COMMAND.exec(rest);
    if (!found || found[0].length === 0) return false;
    rest = rest.slice(found[0].length);
  }
  return true;
}

/** Strings, comments, and patterns where no division can occur. */
const AWK_TEXT =
  /"(?:\\.|[^"\\\n])*"|#[^\n]*|(?<=^\s*|[{;,(!~&|\n]\s*)\/(?:\\.|\[\^?\]?[^\]/\n]*\]|[^/\\[\n])*\//g;
/** `>` compares unless a `print` comes before it. */
const AWK_COMPARES =
  /(?<=(?:^|&&|\|\||[{(!;])\s*(?:\$\w+|NR|NF|FNR|length(?:\([^()]*\))?)\s*)>(?==?\s*-?[\d.]+\s*(?:$|&&|\|\||[{)]))/g;
/** Reads or writes files, runs programs, reveals environment variables, or may never end. */
const AWK_ACTS =
  /[|>@`]|\b(?:system|getline|close|fflush|ENVIRON|PROCINFO|SYMTAB|FUNCTAB|ARGV|ARGC|while|do|function|func|load|include|sprintf)\b/;
/** After `print`, some awks read `a && b > 5` as output to a file named 5. */
const AWK_PRINTS_TO = /\bprintf?\b[^;}\n]*>/;
/** Loops that end: over an array, or up to a number. */
const AWK_LOOP =
  /\bfor\s*\(\s*(?:(\w+)\s+in\s+\w+|(\w+)\s*=\s*\d{1,4}\s*;\s*\2\s*<=?\s*(?:NF|\d{1,4})\s*;\s*(?:\2\+\+|\+\+\2))\s*\)/g;
/** Statements that lengthen a record while a loop goes through it. */
const AWK_GROWS = /\b(?:sub|gsub|gensub|split)\b|\$\(|\$0\s*[-+*/%^]*=(?!=)/;
const MAX_COUNTING_LOOPS = 2;
/** A wide field exhausts memory. */
export const WIDE_FIELD: RegExp = /%[^a-zA-Z%]*(?:\d{4}|\*)|%\(align:[^)]*\d{4}/;

export function isReadingAwk({ operands }: Given): boolean {
  const program = textOf(operands[0]);
  if (program === '' || program.length > LONGEST_SCRIPT || WIDE_FIELD.test(program)) return false;
  const code = program.replace(AWK_TEXT, ' 1 ');
  // An unrecognized pattern or string: everything after it may have been misread.
  if (/["#/]/.test(code)) return false;
  const compared = code.replace(AWK_COMPARES, '<').replaceAll('||', '&&');
  return !AWK_PRINTS_TO.test(code) && !AWK_ACTS.test(compared) && doesEnd(compared);
}

/** Only the head of a loop changes its counter, and no two loops share a counter. */
function doesEnd(code: string): boolean {
  const counted = [...code.matchAll(AWK_LOOP)].flatMap(([, , counter]) => counter ?? []);
  const rest = code.replace(AWK_LOOP, ' ');
  if (/\bfor\b/.test(rest)) return false;
  if (counted.length === 0) return true;
  const names = [...counted, 'NF'].join('|');
  const changes = new RegExp(
    String.raw`(?:\+\+|--)\s*(?:${names})\b|\b(?:${names})\s*(?:\+\+|--|[-+*/%^]*=(?!=))`,
  );
  return (
    counted.length <= MAX_COUNTING_LOOPS &&
    new Set(counted).size === counted.length &&
    ![...code.matchAll(AWK_LOOP)].some(([, member]) => member !== undefined && counted.includes(member)) &&
    !changes.test(rest) &&
    !AWK_GROWS.test(rest)
  );
}

/** Reveals the environment, reads other files, or may never end, such as a text repeated a billion times. */
const JQ_ACTS =
  /\b(?:env|ENV|import|include|inputs?|repeat|while|until|range|recurse|def|debug|stderr|halt|halt_error|input_filename|get_search_list|modulemeta|combinations)\b|\$__|\d{7}|\d[eE]/;

export function isReadingJq({ operands }: Given): boolean {
  const filter = textOf(operands[0]);
  return filter.length <= LONGEST_SCRIPT && !JQ_ACTS.test(filter);
}
