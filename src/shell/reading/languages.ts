import { type Given, textOf } from './reader.ts';

// Small languages can write files and run programs. Only what is recognised as a program that does neither counts as
// one; whatever is cleverer than that is left to the user.

// In a bracket the sign that ends a pattern is one like any other. Each part has one reading only, so that a script
// cannot be taken for another one by trying again.
const BRACKET = String.raw`\[(?:\^|(?!\^))(?:\]|(?!\]))(?:\[[:.=]\w*[:.=]\]|[^\][\n])*\]`;
const PATTERN = String.raw`/(?:\\[^\n]|${BRACKET}|[^/\\[\n])*/`;
const ADDRESS = String.raw`(?:\d+~\d+|\d+|\$|${PATTERN}I?)`;
const RANGE = String.raw`(?:${ADDRESS}(?:\s*,\s*(?:${ADDRESS}|[+~]\d+))?\s*!?\s*)?`;
const SUBSTITUTE = String.raw`s([/|#,:@_!+%;])(?:\\[^\n]|${BRACKET}|(?!\1)[^\\[\n])*\1(?:\\[^\n]|(?!\1)[^\\\n])*\1[gpiI\d]*`;
const SED_COMMAND = new RegExp(
  String.raw`^\s*${RANGE}(?:${SUBSTITUTE}|[pdPqQ=lnNhHgGx]|y/[^/\\\n]*/[^/\\\n]*/)\s*(?:[;\n]|$)`,
);
const LONGEST_SCRIPT = 2_000;

/** One simple command after the other: no files, no `e`, and no loop: no labels, and no `D`, which starts again. */
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

/** Strings, comments, and patterns where no division can stand. */
const AWK_TEXT =
  /"(?:\\.|[^"\\\n])*"|#[^\n]*|(?<=^\s*|[{;,(!~&|\n]\s*)\/(?:\\.|\[\^?\]?[^\]/\n]*\]|[^/\\[\n])*\//g;
/** `>` compares where no `print` comes before it. */
const AWK_COMPARES =
  /(?<=(?:^|&&|\|\||[{(!;])\s*(?:\$\w+|NR|NF|FNR|length(?:\([^()]*\))?)\s*)>(?==?\s*-?[\d.]+\s*(?:$|&&|\|\||[{)]))/g;
/** What reads or writes files, runs programs, tells variables of the environment, or may never end. */
const AWK_ACTS =
  /[|>@`]|\b(?:system|getline|close|fflush|ENVIRON|PROCINFO|SYMTAB|FUNCTAB|ARGV|ARGC|while|do|function|func|load|include|sprintf)\b/;
/** Behind `print`, some read `a && b > 5` as a file of the name 5. */
const AWK_PRINTS_TO = /\bprintf?\b[^;}\n]*>/;
/** The loops that end: over an array, and up to a number. */
const AWK_LOOP =
  /\bfor\s*\(\s*(?:(\w+)\s+in\s+\w+|(\w+)\s*=\s*\d{1,4}\s*;\s*\2\s*<=?\s*(?:NF|\d{1,4})\s*;\s*(?:\2\+\+|\+\+\2))\s*\)/g;
/** What makes a record longer while a loop goes through it. */
const AWK_GROWS = /\b(?:sub|gsub|gensub|split)\b|\$\(|\$0\s*[-+*/%^]*=(?!=)/;
const MAX_COUNTING_LOOPS = 2;
/** A wide field fills the memory. */
export const WIDE_FIELD: RegExp = /%[^a-zA-Z%]*(?:\d{4}|\*)|%\(align:[^)]*\d{4}/;

export function isReadingAwk({ operands }: Given): boolean {
  const program = textOf(operands[0]);
  if (program === '' || program.length > LONGEST_SCRIPT || WIDE_FIELD.test(program)) return false;
  const code = program.replace(AWK_TEXT, ' 1 ');
  // A pattern or a string that was not seen as one: everything after it may have been read the wrong way.
  if (/["#/]/.test(code)) return false;
  const compared = code.replace(AWK_COMPARES, '<').replaceAll('||', '&&');
  return !AWK_PRINTS_TO.test(code) && !AWK_ACTS.test(compared) && doesEnd(compared);
}

/** Nothing but the head of a loop changes what it counts with, and no two loops count with the same. */
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

/** Tells the environment, reads other files, or may never end: so may a text that is repeated a billion times. */
const JQ_ACTS =
  /\b(?:env|ENV|import|include|inputs?|repeat|while|until|range|recurse|def|debug|stderr|halt|halt_error|input_filename|get_search_list|modulemeta|combinations)\b|\$__|\d{7}|\d[eE]/;

export function isReadingJq({ operands }: Given): boolean {
  const filter = textOf(operands[0]);
  return filter.length <= LONGEST_SCRIPT && !JQ_ACTS.test(filter);
}
