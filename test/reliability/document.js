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
  const open = tried.filter(({ holds }) => !holds);
  return `# Reliability

Generated from one run of \`${command}\` on ${at.slice(0, 10)}: ${minutes.toFixed(0)} minutes on ${machine.cores} cores
with ${machine.gigabytes} GB, ${machine.platform}, Node ${machine.node}. The script starts the built daemon in a folder of its own, calls
it as forwarders do (a connection for each call, and real forwarders), breaks something, and compares every answer with the
record afterwards. Nothing leaves the machine.

| | |
|---|---|
| calls made | ${count(sum('calls'))} |
| lost | ${sum('lost')} |
| doubled | ${sum('doubled')} |
| wrongly allowed | ${sum('wronglyAllowed')} |
| processes left behind | ${sum('leftBehind')} |
| faults tried | ${tried.length}, of which ${tried.length - open.length} hold |

Every tenth call is one that a rule denies, and no rule allows anything: an answer that allows, or that has no opinion about a
denied call, counts as *wrongly allowed*. A call counts as *lost* when it was answered, is not in the record, and nothing says
that something is missing there; as *doubled* when it is in the record twice. A call without a decision is one where neither the
daemon nor the forwarder could judge: the agent is told of a failure, which it never takes for an allow.

## Faults

| fault | calls | lost | missing and reported | doubled | wrongly allowed | without a decision | healed in | result |
|---|---|---|---|---|---|---|---|---|
${faults.map(faultRow).join('\n')}

${remarks(faults)}
${openText(open)}## Load

One daemon, a new connection for each call, every call committed before its answer. Times in ms, as a caller sees them.

| callers | calls | a second | p50 | p99 | p99.9 | worst | memory | descriptors |
|---|---|---|---|---|---|---|---|---|
| none | | | | | | | ${megabytes(load.idle)} | ${load.idle.descriptors} |
${load.rows.map(loadRow).join('\n')}

Of these ${count(load.calls)} calls ${load.lost} were lost, ${load.doubled} doubled, ${load.wronglyAllowed} wrongly allowed. ${load.isSame ? 'One daemon answered all of them.' : 'The daemon was REPLACED meanwhile.'}
Processes left behind: ${load.leftBehind}.
`;
}

/** @param {Result} result */
function faultRow(result) {
  const { name, calls, lost, reported, doubled, wronglyAllowed, undecided, skipped, holds } = result;
  if (skipped !== null) return `| ${name} | | | | | | | | SKIPPED |`;
  const cells = [name, count(calls), lost, reported, doubled, wronglyAllowed, undecided, healedText(result)];
  return `| ${cells.join(' | ')} | ${holds ? 'holds' : '**DOES NOT HOLD**'} |`;
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

/** @param {readonly Result[]} open */
function openText(open) {
  if (open.length === 0) return '';
  return `\nDoes not hold yet: ${open.map(({ name }) => name).join('; ')}.\n\n`;
}

function loadRow({ callers, calls, rate, p50, p99, p999, worst, megabytes: memory, descriptors }) {
  const ms = [p50, p99, p999, worst].map((time) => time.toFixed(1));
  return `| ${[callers, count(calls), count(rate), ...ms, megabytes({ megabytes: memory }), descriptors].join(' | ')} |`;
}

const megabytes = ({ megabytes: value }) => (value === null ? '?' : `${value.toFixed(0)} MB`);

/** 1234567 as 1,234,567. */
const count = (number) => Math.round(number).toLocaleString('en');
