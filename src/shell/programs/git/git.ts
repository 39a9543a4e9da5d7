import { factWords } from '../../../knowledge/facts.ts';
import type { Facts } from '../../../knowledge/program.ts';
import { type Loss, UNKNOWN, type Word } from '../../analysis.ts';
import { type Call, literal } from '../../call.ts';
import { hostOf } from '../../places/hosts.ts';
import type { CodeTable } from '../../tool.ts';
import { directoryOf } from '../../wrappers/unwrap.ts';
import { aliasOf, configOf, runsFromConfig } from './config.ts';
import { discardsOf, isForced, lossOf } from './losses.ts';

function git(call: Call, facts: Facts): string {
  const [action, second] = call.command.sub;
  const config = configOf(call);
  if (action === undefined || call.command.options.some((option) => option.name === '--help')) return UNKNOWN;
  const alias = aliasOf(config, action);
  if (alias !== undefined) return runAlias(call, alias, action);
  const isRemote = factWords(facts, 'talks').includes(action);
  const remote = isRemote ? remoteOf(call, action) : null;
  const talks = isRemote || talksToo(call, action, second);
  if (talks)
    call.network({
      host: remote && /[:/]/.test(remote) ? hostOf(remote) : null,
      url: remote,
      sends: action === 'push',
    });
  runsFromConfig(call, config, action, talks);
  const loses = lossOf(call);
  const discards =
    second === undefined ? discardsOf(call, action, loses, factWords(facts, 'elsewhere')) : null;
  call.vcs(second === undefined ? action : `${action} ${second}`, {
    force: isForced(call, action),
    remote,
    refs: call.operands.slice(remote === null ? 0 : 1).flatMap((word) => word.text ?? []),
    loses,
    skipsHooks: skipsHooks(call, action, config),
    ...(discards && { discards }),
  });
  files(call, action, loses);
  inner(call, action, second, factWords(facts, 'runs'));
  return UNKNOWN;
}

function remoteOf(call: Call, action: string): string | null {
  const repo = action === 'push' ? call.value('--repo') : null;
  return (repo ?? call.operands[0])?.text ?? null;
}

function talksToo(call: Call, action: string, second: string | undefined): boolean {
  if (action === 'archive') return call.has('--remote');
  if (action === 'remote')
    return (
      second === 'update' ||
      second === 'show' ||
      second === 'prune' ||
      call.operands.some((word) => word.text === 'update')
    );
  return action === 'submodule' && (second === 'update' || second === 'add');
}

function skipsHooks(call: Call, action: string, config: ReadonlyMap<string, string>): boolean {
  if (config.has('core.hookspath')) return true;
  return call.on('--no-verify') || (action !== 'commit' && call.has('--no-verify'));
}

function files(call: Call, action: string, loses: readonly Loss[]): void {
  if (action === 'rm' && !call.command.inert && !call.has('--cached')) {
    for (const word of call.operands) call.remove(word, call.has('-r'), call.on('--force'));
  }
  if (action === 'clean' && loses.length > 0) {
    const roots: readonly Word[] = call.operands.length > 0 ? call.operands : [literal('.')];
    for (const word of roots) call.remove(word, call.has('-d'), true);
  }
  if (action === 'worktree' && call.command.sub[1] === 'remove') {
    for (const word of call.operands) call.remove(word, true, call.on('--force'));
  }
  if (action === 'clone') call.write(call.operands[1] ?? clonedInto(call.operands[0]));
  // Files outside of git.
  if (action === 'diff' && call.has('--no-index')) for (const word of call.operands) call.read(word);
  if (action === 'hash-object') for (const word of call.operands) call.read(word);
  // Everything that is committed, in one stream.
  if (action === 'archive' || action === 'bundle') call.read(literal('.'));
  for (const file of call.values('--output')) call.write(file);
  if (action === 'config' && call.operands.length > 1) call.write(configFile(call));
}

/** The directory that git names after a repository; null if the address is unknown. */
function clonedInto(address: Word | undefined): Word | null {
  const name = /([^/:]+?)(?:\/?\.git)?\/*$/.exec(address?.text ?? '')?.[1];
  return name === undefined ? null : literal(name);
}

function configFile(call: Call): Word {
  const file = call.value('--file');
  if (file) return file;
  return literal(
    call.has('--global') ? '~/.gitconfig' : call.has('--system') ? '/etc/gitconfig' : '.git/config',
  );
}

/** Commands that git runs on request. */
function inner(call: Call, action: string, second: string | undefined, programs: readonly string[]): void {
  for (const script of call.values('--exec')) call.runText(script.template);
  if (action === 'bisect' && second === 'run') call.runArgv(call.operands);
  if (action === 'submodule' && second === 'foreach')
    call.runText(call.operands.map((word) => word.template).join(' '));
  if (action === 'filter-branch') {
    for (const option of call.command.options)
      if (option.name.endsWith('-filter') && option.value) call.runText(option.value.template);
  }
  for (const program of call.values(...programs)) call.runText(program.template);
  const server = call.value('--smtp-server');
  if (server?.template.startsWith('/')) call.runArgv([server]);
  const [url] = call.operands;
  if (url?.template.startsWith('ext::')) call.runArgv(wordsOf(url.template.slice(5)));
}

/** `ext::sh -c a% b`: a percent sign escapes the blank after it. */
function wordsOf(address: string): Word[] {
  return address.split(/(?<!%) +/).map((word) => literal(word.replace(/%(.)/g, '$1')));
}

/** A git alias is another git command, or a shell command after `!`. */
function runAlias(call: Call, alias: string, action: string): string {
  const at = call.command.argv.findIndex((word) => word.text?.toLowerCase() === action);
  const rest = call.command.argv.slice(at + 1);
  if (alias.startsWith('!')) {
    return call.runText([alias.slice(1), ...rest.map((word) => word.template)].join(' '), {
      via: 'git alias',
    });
  }
  const words = alias.trim().split(/\s+/).map(literal);
  return call.runArgv([literal('git'), ...words, ...rest], { via: 'git alias' });
}

function run(call: Call, facts: Facts): string {
  const directory = call.value('-C');
  if (!directory) return git(call, facts);
  const { state } = call;
  const before = state.cwd;
  call.cwd = directoryOf(call, directory);
  state.cwd = call.cwd;
  const output = git(call, facts);
  state.cwd = before;
  return output;
}

export const GIT: CodeTable = { git: run };
