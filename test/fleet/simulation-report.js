// What a simulation found, as checks and as one table.

/**
 * @typedef {{ machines: number, events: number, kills: number }} Options
 * @typedef {import('./simulation.ts').SimulationResult} Result
 * @typedef {{ name: string, holds: boolean, detail: string }} Check
 */

/**
 * @param {Options} options
 * @param {Pick<Result, 'stream' | 'policy'>} result
 * @returns {readonly Check[]}
 */
export function checksOf({ machines, events }, { stream, policy }) {
  const none = (name, count) => ({ name, holds: count === 0, detail: count === 0 ? '' : `${count} are` });
  return [
    {
      name: 'every record is in the stream',
      holds: stream.records === events,
      detail: `${stream.records} of ${events}`,
    },
    none('no record is lost', stream.lost),
    none('no record is there twice', stream.doubled),
    none('nothing else is in the stream', stream.strange),
    none('every record and signature proves itself', stream.unproven),
    {
      name: 'every machine reports that the rules are active',
      holds: policy.inForce === machines,
      detail: `${policy.inForce} of ${machines}`,
    },
  ];
}

/**
 * @param {Options} options
 * @param {Result} result
 * @param {readonly Check[]} checks
 */
export function tableOf(options, result, checks) {
  const rows = rowsOf(options, result);
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
  const warnings = Object.entries(result.warnings).map(([message, count]) => `  ${count} × ${message}`);
  return [
    ...lines,
    '',
    ...checks.map(({ name, holds, detail }) =>
      `${holds ? 'ok' : 'FAILED'}  ${name}${detail === '' ? '' : `: ${detail}`}`.trim(),
    ),
    ...(warnings.length === 0 ? [] : ['', 'What machines wrote down:', ...warnings]),
  ].join('\n');
}

/**
 * @param {Options} options
 * @param {Result} result
 * @returns {readonly (readonly [string, string])[]}
 */
function rowsOf({ machines, events }, { server, history, live, kills, policy, usage, own, stream }) {
  const s = (seconds) => `${seconds < 10 ? seconds.toFixed(2) : seconds.toFixed(1)} s`;
  const rate = ({ events: count, seconds }) => `${Math.round(count / seconds).toLocaleString('en')} events/s`;
  const or = (value, text) => (value === null ? 'not known here' : text);
  return [
    [
      'machines, events',
      `${machines.toLocaleString('en')}, ${events.toLocaleString('en')}; nats-server ${server}`,
    ],
    ['all joined', s(history.connected)],
    ['backfill sent', `${history.events} in ${s(history.seconds)}, ${rate(history)}`],
    ['live, sent', `${live.events} in ${s(live.seconds)}, ${rate(live)}`],
    ...kills.map(({ restarted, allBack }) => [
      'server killed',
      `up again after ${s(restarted)}, all machines back after ${s(allBack)}`,
    ]),
    ['rules active', `on half of the machines after ${s(policy.median)}, on all after ${s(policy.last)}`],
    ['and reported', `${policy.inForce} after ${s(policy.reported)}`],
    ['a record', `${Math.round(stream.bytesPerRecord)} bytes in the stream`],
    ['server, disk', `${usage.diskMegabytes.toFixed(0)} MB`],
    ['server, memory', or(usage.megabytes, `${usage.megabytes?.toFixed(0)} MB at most`)],
    ['server, processor', or(usage.processorSeconds, s(usage.processorSeconds ?? 0))],
    ['simulator', `${s(own.processorSeconds)} of processor, ${own.megabytes.toFixed(0)} MB at most`],
  ];
}
