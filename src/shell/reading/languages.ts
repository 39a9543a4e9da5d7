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
  String.raw`^\s*${RANGE}(?:${SUBSTITUTE}|[pdPDqQ=lnNhHgGx]|y/[^/\\\n]*/[^/\\\n]*/)\s*(?:[;\n]|$)`,
);
const LONGEST_SCRIPT = 2_000;

/** One simple command after the other: no files, no `e`, no labels, so no loop either. */
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
const AWK_TEXT = /"(?:\\.|[^"\\\n])*"|#[^\n]*|(?<=^\s*|[{;,(!~&|\n]\s*)\/(?:\\.|\[[^\]/\n]*\]|[^/\\[\n])*\//g;
/** `>` compares where no `print` comes before it. */
const AWK_COMPARES =
  /(?<=(?:^|&&|\|\||[{(!;])\s*(?:\$\w+|NR|NF|FNR|length(?:\([^()]*\))?)\s*)>(?==?\s*-?[\d.]+\s*(?:$|&&|\|\||[{)]))/g;
/** What reads or writes files, runs programs, tells variables of the environment, or may never end. */
const AWK_ACTS =
  /[|>@`]|\b(?:system|getline|close|fflush|ENVIRON|PROCINFO|ARGV|ARGC|while|do|function|func|load|include|sprintf)\b/;
/** The loops that end: over an array, and up to a number. */
const AWK_LOOP =
  /\bfor\s*\(\s*(?:\w+\s+in\s+\w+|(\w+)\s*=\s*[\w$+-]+\s*;\s*\1\s*<=?\s*(?:NF|\d{1,6})\s*;\s*(?:\1\+\+|\+\+\1))\s*\)/g;

export function isReadingAwk({ operands }: Given): boolean {
  const program = textOf(operands[0]);
  if (program === '' || program.length > LONGEST_SCRIPT) return false;
  const code = program.replace(AWK_TEXT, ' 1 ');
  // A pattern or a string that was not seen as one: everything after it may have been read the wrong way.
  if (/["#/]/.test(code)) return false;
  const compared = code.replace(AWK_COMPARES, '<').replaceAll('||', '&&');
  return !AWK_ACTS.test(compared) && !/\bfor\b/.test(compared.replace(AWK_LOOP, ''));
}

/** Tells the environment, reads other files, or may never end. */
const JQ_ACTS =
  /\b(?:env|ENV|import|include|inputs?|repeat|while|until|range|recurse|def|debug|stderr|halt|halt_error|input_filename|get_search_list|modulemeta|combinations)\b|\$__/;

export function isReadingJq({ operands }: Given): boolean {
  const filter = textOf(operands[0]);
  return filter.length <= LONGEST_SCRIPT && !JQ_ACTS.test(filter);
}
