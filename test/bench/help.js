import { readFileSync } from 'node:fs';
import { MARGIN, TRIES } from './compare.js';
import { LIMIT } from './counts.js';
import { PINNED } from './processes/earlier-build.js';

const WIDTH = 120;
const INDENT = 16;

/**
 * The text of `--help`.
 *
 * @param {readonly string[]} names of all benches
 */
export function helpText(names) {
  return `Measures what the product promises: prints one table and writes one JSON file.

Usage  npm run bench -- [name…] [options]

  --quick         fewer rounds
  --million       \`history\` goes up to a million events: about 20 minutes, and 5 GB in the temp directory
  --against REV   the revision that \`earlier\` builds and measures beside this one (default: ${PINNED.slice(0, 8)}); with it,
                  \`commands\` does so as well
  --install       also install the programs of others that are measured beside ours
  --out FILE      the JSON goes there instead of to bench.json
  --compare       quick; fails also when a ratio is more than ${MARGIN} times the one in baseline.json, or a count more than
                  ${LIMIT * 100} % above it, in each of ${TRIES} tries
  --baseline      quick; writes the ratios and counts of this run to baseline.json
  --help          this text

A ratio is taken in one run, side by side, so that a slow machine slows both. Counts depend on Node, not on the machine.
MISSED is a target that was not met. Those of \`earlier\` fail the run when they are missed in each of ${TRIES} tries.
SKIPPED says what is missing here; it was not measured.

Benches
${names.map((name) => `  ${name.padEnd(INDENT - 2)}${wrapped(summaryOf(name))}`).join('\n')}

Examples
  npm run bench -- rules redact --quick
  npm run bench -- earlier --against HEAD~5    did the last 5 commits make a call dearer?
  npm run bench -- growth history              does the cost grow with rules, commands or events?
  npm run bench -- --compare                   the step of CI`;
}

/** The first sentence of the file. */
function summaryOf(name) {
  const text = readFileSync(new URL(`./benches/${name}.bench.js`, import.meta.url), 'utf8');
  const comment =
    /^(?:\/\/ .*\n)+/
      .exec(text)?.[0]
      .replaceAll(/^\/\/ |\n(?=$)/gm, '')
      .replaceAll('\n', ' ') ?? '';
  return comment.split(/[.:](?: |$)/)[0];
}

function wrapped(text) {
  const lines = [''];
  for (const word of text.split(' ')) {
    if (lines.at(-1).length + word.length > WIDTH - INDENT) lines.push('');
    lines.push(`${lines.pop()}${word} `);
  }
  return lines.map((line) => line.trimEnd()).join(`\n${' '.repeat(INDENT)}`);
}
