import * as v from 'valibot';
import type { AwaySummary } from '../history/sessions/away-summary.ts';
import type { Client } from './client.ts';

/** Our own format, from a daemon of the same version: these fields are enough to recognize it. */
const isSummary = (value: unknown): value is AwaySummary =>
  v.is(
    v.looseObject({
      since: v.string(),
      until: v.string(),
      calls: v.number(),
      denied: v.array(v.unknown()),
      answered: v.array(v.unknown()),
      expired: v.array(v.unknown()),
    }),
    value,
  );
const summary = v.nullable(v.custom<AwaySummary>(isSummary, 'is not a summary'));
const state = v.object({ since: v.string(), until: v.nullable(v.string()), by: v.string() });

/** Turns on away mode, until that time or until it is turned off. */
export async function goAway(
  client: Client,
  until: number | null,
): Promise<{ since: string; until: string | null; by: string }> {
  return v.parse(v.object({ away: state }), await client.post('/api/away', { until })).away;
}

/** Turns off away mode. Returns the summary of its last period, however it ended. */
export async function endAwayMode(
  client: Client,
): Promise<{ wasAway: boolean; summary: AwaySummary | null }> {
  return v.parse(v.object({ wasAway: v.boolean(), summary }), await client.post('/api/back'));
}

/** The same without changing anything. */
export async function fetchAwaySummary(client: Client): Promise<AwaySummary | null> {
  return v.parse(v.object({ summary }), await client.get('/api/away')).summary;
}

const tried = v.object({
  channels: v.array(v.object({ name: v.string(), problem: v.nullable(v.string()) })),
});

/** Sends a test through every channel for answers. */
export async function tryChannels(client: Client): Promise<v.InferOutput<typeof tried>['channels']> {
  return v.parse(tried, await client.post('/api/channels/test')).channels;
}
