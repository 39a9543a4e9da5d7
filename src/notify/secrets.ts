import { randomBytes } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { HooklineError } from '../model/errors.ts';
import { readOwnFile } from '../platform/bounded-files.ts';
import { isLoopbackUrl } from '../platform/loopback.ts';
import type { NtfySettings, Secret } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Resolves a secret. Throws if it is missing, or others could read it too. */
export function readSecret(
  secret: Secret,
  { root }: { readonly root: string },
  env: Environment = process.env,
): string {
  if (typeof secret === 'string') return secret;
  if ('env' in secret) {
    const value = env[secret.env];
    if (value) return value;
    throw new HooklineError('CONFIG_INVALID', `The daemon was started without the variable ${secret.env}.`, {
      hint: 'Put the secret into a file of your own and name that: {file: PATH}.',
    });
  }
  const path = resolve(root, secret.file.replace(/^~(?=\/)/, homedir()));
  const value = readOwnFile(path)?.trim();
  if (!value)
    throw new HooklineError('CONFIG_INVALID', `${path} is not there, or is empty.`, {
      hint: 'Write the secret into it, and nothing else.',
    });
  // Windows has no such bits.
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
    throw new HooklineError('CONFIG_INVALID', `${path} can be read by others.`, {
      hint: `Run \`chmod 600 ${path}\`.`,
    });
  return value;
}

/** Topic names. They are secrets: anyone who knows them can read and answer. */
export interface Topics {
  readonly topic: string;
  readonly replyTopic: string;
}

const stored = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ ntfy: v.object({ topic: v.string(), replyTopic: v.string() }) }),
);

/** The topics of a home: those in the settings, or random names that are generated once. */
export function ntfyTopics(
  { channels }: { readonly channels: string },
  { topic, replyTopic }: Pick<NtfySettings, 'topic' | 'replyTopic'>,
): Topics {
  if (topic !== null && replyTopic !== null) return { topic, replyTopic };
  const made = readTopics(channels) ?? makeTopics(channels);
  return { topic: topic ?? made.topic, replyTopic: replyTopic ?? made.replyTopic };
}

function readTopics(path: string): Topics | null {
  const text = readOwnFile(path);
  if (text === null) return null;
  const parsed = v.safeParse(stored, text);
  if (parsed.success) return parsed.output.ntfy;
  throw new HooklineError('CONFIG_INVALID', `${path} cannot be read.`, {
    hint: 'Move it away: new topics are made then, to which you subscribe again.',
  });
}

function makeTopics(path: string): Topics {
  const name = () => `hookline-${randomBytes(18).toString('base64url')}`;
  const ntfy = { topic: name(), replyTopic: name() };
  try {
    // Doesn't overwrite one that another process just created, because both must use the same.
    writeFileSync(path, `${JSON.stringify({ ntfy }, null, 2)}\n`, { flag: 'wx', mode: 0o600 });
    return ntfy;
  } catch (error) {
    const made = readTopics(path);
    if (made) return made;
    throw error;
  }
}

/** About as hard to guess as 16 random characters. */
const ENOUGH_CHARS = 16;
const ENOUGH_DIFFERENT = 10;

/** True if a topic could be found by trying names. */
export function isGuessable(topic: string): boolean {
  return (
    topic.length < ENOUGH_CHARS ||
    new Set(topic).size < ENOUGH_DIFFERENT ||
    !/\d/.test(topic) ||
    !/[A-Za-z]/.test(topic)
  );
}

interface ChannelWarning {
  /** For scripts, as in a finding of `doctor`. */
  readonly code: string;
  readonly message: string;
  readonly fix: string;
}

/** Settings that make it easier than necessary for others to answer. Topics generated for a home aren't among them. */
export function ntfyWarnings(settings: NtfySettings): readonly ChannelWarning[] {
  const { server, topic, replyTopic, token, replyToken } = settings;
  const isLocal = isLoopbackUrl(server);
  const given = [topic, replyTopic].filter((one) => one !== null);
  const warnings: ChannelWarning[] = [];
  if (token === null && !isLocal && given.some(isGuessable))
    warnings.push({
      code: 'ntfy-guessable',
      // Without the topic, because this is logged and shown in bug reports.
      message: `It’s easy to guess your topic on ${new URL(server).host}, and anyone who reads it can answer for you.`,
      fix: 'Remove `topic` and `replyTopic` from config.yaml. Hookline then generates random names.',
    });
  if (given.length > 0 || typeof token === 'string' || typeof replyToken === 'string')
    warnings.push({
      code: 'ntfy-in-config',
      message: 'config.yaml has a topic or a token of ntfy, and agents may read that file.',
      fix: 'Leave the topics out, and write `token: {file: secrets/ntfy-token}`.',
    });
  if (server.startsWith('http:') && !isLocal)
    warnings.push({
      code: 'ntfy-unencrypted',
      message: 'What is sent to ntfy, and the answers, go over the network unencrypted.',
      fix: 'Use an https address.',
    });
  return warnings;
}

/** Directory for channel secrets in a home, out of reach of agents. */
export function secretsFolder(root: string): string {
  return join(root, 'secrets');
}
