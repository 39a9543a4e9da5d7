// docs/reliability.md, made from the results of one run.

/** @typedef {import('./fault.js').Result} Result */

/**
 * @param {{
 *   at: string, minutes: number, command: string,
 *   machine: { cores: number, gigabytes: number, node: string, platform: string },
 *   faults: readonly Result[],
 *   load: Awaited<ReturnType<typeof import('./load.js').tryLoad>>,
 * }} run
 */
export function documentOf({ at, minutes, command, machine, faults, load }) {
  const tried = faults.filter(({ skipped }) => skipped === null);
  const all = [...tried, load];
  const sum = (name) => all.reduce((total, one) => total + one[name], 0);
  const failed = tried.filter(({ passed }) => !passed);
  return `<!-- Generated. Run \`npm run reliability\` instead of editing it. -->

# Reliability

Generated from one run of \`${command}\` on ${at.slice(0, 10)}, which took ${minutes.toFixed(0)} minutes on ${machine.cores} cores with
${machine.gigabytes} GB, ${machine.platform}, Node ${machine.node}. The script starts the built daemon in a temporary directory and calls it as agents do,
over the socket and with real forwarders. Then it causes a fault and compares every answer with the history. Nothing leaves
the machine.

| | |
|---|---|
| calls made | ${count(sum('calls'))} |
| lost | ${sum('lost')} |
| recorded twice | ${sum('doubled')} |
| wrongly allowed | ${sum('wronglyAllowed')} |
| processes left behind | ${sum('leftBehind')} |
| faults passed | ${tried.length - failed.length} of ${tried.length} |

- Every tenth call is one that a rule denies, and no rule allows anything. An answer is *wrongly allowed* when it allows, or
  when it makes no decision about a call that the rule denies.
- A call is *lost* when it was answered, is not in the history, and no command reports that something is missing. *Missing and
  reported* are those that \`hookline status\` or \`hookline history verify\` report.
- A call is *without a decision* when neither the daemon nor the forwarder could evaluate it. The agent then sees a
  failed hook. Some agents run the call under their own permissions ([failure](configuration.md#failure)).

## Faults

| fault | calls | lost | missing and reported | recorded twice | wrongly allowed | without a decision | answers again after | result |
|---|---|---|---|---|---|---|---|---|
${faults.map(faultRow).join('\n')}

${remarks(faults)}
${failedText(failed)}
## Load

One daemon, a new connection for each call, every call committed before its answer. Times in ms, as a caller sees them.

| callers | calls | calls a second | p50 | p99 | p99.9 | worst | memory | descriptors |
|---|---|---|---|---|---|---|---|---|
| none | | | | | | | ${megabytes(load.idle)} | ${load.idle.descriptors} |
${load.rows.map(loadRow).join('\n')}

Of these ${count(load.calls)} calls ${load.lost} were lost, ${load.doubled} recorded twice, ${load.wronglyAllowed} wrongly allowed. ${load.isSame ? 'One daemon answered all of them.' : 'The daemon was REPLACED during the run.'}
Processes left behind: ${load.leftBehind}.
`;
}

/** @param {Result} result */
function faultRow(result) {
  const { name, calls, lost, reported, doubled, wronglyAllowed, undecided, skipped, passed } = result;
  if (skipped !== null) return `| ${name} | | | | | | | | SKIPPED |`;
  const cells = [name, count(calls), lost, reported, doubled, wronglyAllowed, undecided, healedText(result)];
  return `| ${cells.join(' | ')} | ${passed ? 'passed' : '**FAILED**'} |`;
}

/** @param {Pick<Result, 'healed'>} result */
function healedText({ healed }) {
  if (healed.length === 0) return '';
  if (healed.includes(null)) return 'never, or too late';
  return `${Math.max(...healed).toFixed(1)} s${healed.length > 1 ? ` at most, of ${healed.length}` : ''}`;
}

/** @param {readonly Result[]} faults */
function remarks(faults) {
  return faults
    .flatMap(({ name, remark, skipped }) => {
      if (skipped !== null) return [`- ${name}: SKIPPED, ${skipped}.`];
      return remark === '' ? [] : [`- ${name}: ${remark}.`];
    })
    .join('\n');
}

/** @param {readonly Result[]} failed */
function failedText(failed) {
  return failed.length === 0 ? '' : `\nFailed: ${failed.map(({ name }) => name).join('; ')}.\n`;
}

function loadRow({ callers, calls, rate, p50, p99, p999, worst, megabytes: memory, descriptors }) {
  const ms = [p50, p99, p999, worst].map((time) => time.toFixed(1));
  return `| ${[callers, count(calls), count(rate), ...ms, megabytes({ megabytes: memory }), descriptors].join(' | ')} |`;
}

const megabytes = ({ megabytes: value }) => (value === null ? '?' : `${value.toFixed(0)} MB`);

/** 1234567 as 1,234,567. */
const count = (number) => Math.round(number).toLocaleString('en');
