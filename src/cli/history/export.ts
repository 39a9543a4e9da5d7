import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readObserved } from '../../client/observed.ts';
import { auditLines } from '../../history/audit.ts';
import { type ExportFilter, exportLines } from '../../history/export-lines.ts';
import { spansOf } from '../../history/spans.ts';
import { homePaths } from '../../home/paths.ts';
import { HooklineError, messageOf } from '../../model/errors.ts';
import { isLoopbackUrl } from '../../platform/loopback.ts';
import { machinePublicKey } from '../../store/chain/machine-key.ts';
import { type LinkRange, WHOLE_CHAIN } from '../../store/chain/read-chain.ts';
import type { Database } from '../../store/database/driver.ts';
import { visible } from '../../terminal/visible.ts';
import { defineCommand, usage, value } from '../command.ts';
import { readTimes, WHERE_OPTIONS, whereOf } from '../filters.ts';

export default defineCommand({
  name: 'export',
  summary: 'Write the history as JSON Lines, or send it to an OpenTelemetry collector.',
  options: {
    out: value('FILE', 'Write to this file instead of stdout.'),
    otlp: value('URL', 'Send to a collector: http://127.0.0.1:4318/v1/traces'),
    range: value('FIRST..LAST', 'For audits: these links of the audit chain, with hashes and signatures.'),
    header: value('NAME=VALUE', 'With --otlp: request header to send.'),
    session: WHERE_OPTIONS.session,
    agent: WHERE_OPTIONS.agent,
    since: WHERE_OPTIONS.since,
  },
  examples: [
    ['hookline history export --since 30d > history.jsonl', 'schema: docs/export.schema.json'],
    [
      'hookline history export --otlp http://127.0.0.1:4318/v1/traces',
      'one span per turn, with a child per tool call',
    ],
    [
      'hookline history export --range 1..5000 --out audit.jsonl',
      'check it with `hookline history verify audit.jsonl`',
    ],
  ],
  asScript: true,
  // Collectors on this machine need no confirmation: everyone who can reach them can run this command too.
  access: ({ otlp }) => (otlp === undefined || isLoopbackUrl(otlp) ? null : 'export'),
  async run({ out, otlp, header, range, ...filters }) {
    const now = Date.now();
    readTimes('export', filters, now);
    const filterIn = (db: Database): ExportFilter => whereOf('export', db, filters, now);
    const paths = homePaths();
    if (otlp !== undefined) {
      const spans = await readObserved(paths, (db) => spansOf(db, filterIn(db)));
      const { sendSpans } = await import('./otlp.ts');
      await sendSpans(spans, otlp, headersOf(header)).catch((cause: unknown) => {
        throw new HooklineError(
          'NOT_FOUND',
          `The collector at ${otlp} rejected the spans: ${messageOf(cause)}`,
          {
            cause,
            hint: 'For most collectors, the URL ends in /v1/traces.',
          },
        );
      });
      console.log(`Sent ${spans.length} spans.`);
      return 0;
    }
    const target = out === undefined ? process.stdout : createWriteStream(out, { mode: 0o600 });
    const links = range === undefined ? null : linksOf(range);
    const linesIn = (db: Database) =>
      links === null ? readableLines(db, filterIn(db)) : auditLines(db, links, machinePublicKey(paths));
    const lines = await readObserved(paths, (db) => {
      let count = 0;
      for (const line of linesIn(db)) {
        target.write(`${line}\n`);
        count += 1;
      }
      return count;
    });
    if (out !== undefined) {
      target.end();
      await once(target, 'finish');
      console.log(`Wrote ${lines} lines to ${out}.`);
    }
    return 0;
  },
});

function* readableLines(db: Database, filter: ExportFilter): Generator<string> {
  for (const line of exportLines(db, filter)) yield visible(JSON.stringify(line));
}

function linksOf(range: string): LinkRange {
  const [, first, last] = /^(\d+)\.\.(\d*)$/.exec(range) ?? [];
  const links = { first: Number(first), last: last ? Number(last) : WHOLE_CHAIN.last };
  if (first === undefined || links.first < 1 || links.last < links.first)
    throw usage('export', '--range takes FIRST..LAST, such as 1..5000, or 1.. for all.');
  return links;
}

function headersOf(header: string | undefined): Readonly<Record<string, string>> {
  if (header === undefined) return {};
  const at = header.indexOf('=');
  if (at < 1) throw usage('export', '--header takes NAME=VALUE.');
  return { [header.slice(0, at)]: header.slice(at + 1) };
}
