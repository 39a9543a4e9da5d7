import { posix } from 'node:path';
import { factWords } from '../../knowledge/facts.ts';
import { entryFor } from '../../knowledge/load.ts';
import type { Facts } from '../../knowledge/program.ts';
import { type SimpleCommand, UNKNOWN, type Word } from '../analysis.ts';
import type { Call } from '../call.ts';
import { dropChangesInside } from '../dropped.ts';
import { reachesDaemon } from '../live-systems/daemons.ts';
import { hasUnknown, withoutUnknown } from '../placeholders.ts';
import { hostOf } from '../places/hosts.ts';
import type { CodeTable } from '../tool.ts';
import { changesOutside } from '../wrappers/mounts.ts';

/** `docker run IMAGE cmd`, `docker exec NAME cmd`: the first operand is the container, the other operands run in it. */
function insideContainer(call: Call, words: readonly Word[]): void {
  if (words.length > 0) call.runArgv(words, { place: 'container', cwd: null });
}

function docker(call: Call, facts: Facts): string {
  const { sub, operands } = call.command;
  const action = sub.at(-1) ?? '';
  reachesDaemon(call);
  if (action === 'run' || action === 'exec' || action === 'create') {
    for (const mount of call.values('--volume', '--mount')) mountedPaths(call, mount);
    for (const device of call.values('--device')) call.write(device);
    if (call.has('--privileged') || breaksOut(call, facts)) call.privilege(call.name, 'root');
    call.resource('container', action, false, operands[0]?.text ?? null);
    const entry = call.value('--entrypoint');
    const { effects, commands } = call.walk;
    const [before, first] = [effects.length, commands.length];
    insideContainer(call, entry ? [entry, ...operands.slice(1)] : operands.slice(1));
    // A file defines what `compose run` shares with this machine.
    const isNew = action === 'run' && sub[0] !== 'compose';
    const shared = isNew && !commands.slice(first).some(leadsOut) ? sharedFolders(call, facts) : null;
    if (shared) dropChangesInside(call.walk, before, shared);
    changesOutside(call, before);
    return UNKNOWN;
  }
  if (sub[0] === 'compose') return compose(call);
  if (action === 'cp') {
    for (const word of operands.slice(0, -1)) if (!word.template.includes(':')) call.read(word);
    const last = operands.at(-1);
    if (last && !last.template.includes(':')) call.write(last);
  }
  if (action === 'push' || action === 'pull' || action === 'login') {
    call.network({ host: registryOf(operands[0]?.text ?? null), sends: action === 'push' });
  }
  const target = [...sub.slice(0, -1), ...operands.map(({ template }) => withoutUnknown(template, '?'))].join(
    ' ',
  );
  const destroys = factWords(facts, 'destroys');
  if (sub.length > 0)
    call.resource(
      'container',
      sub.join(' '),
      destroys.includes(action) || destroys.includes(sub.join(' ')),
      target || null,
    );
  return UNKNOWN;
}

/** True if code in the container may reach this machine by starting containers, logging in elsewhere or linking. */
const leadsOut = ({ tool }: SimpleCommand): boolean =>
  tool === null ||
  /^(?:ssh|docker|compose)$/.test(entryFor(tool)?.run ?? '') ||
  /^(?:ln|link|cp|mv|mount)$/.test(tool);

const SHARED =
  /^[^:]*:(\/[^:*?[{]*?)\/*(?::[a-zA-Z,]*)?$|(?:^|,)(?:target|dst|destination)=(\/[^,*?[{]*?)\/*(?:,|$)/;

/** Container paths shared with this machine; null if any path may be shared. */
function sharedFolders(call: Call, facts: Facts): readonly string[] | null {
  const { options } = call.command;
  const sealed = [...factWords(facts, 'sealed'), '--volume', '--mount'];
  if (!options.every(({ name, declared }) => declared && sealed.includes(name))) return null;
  const folders = call.values('--volume', '--mount').map(({ template }) => {
    const [, mounted, named] = SHARED.exec(template) ?? [];
    const folder = mounted ?? named ?? '';
    // With two targets, the last one counts.
    const isOne = template.split(/(?:target|dst|destination)=/).length < 3;
    if (folder === '' || !isOne || hasUnknown(folder) || folder.includes('..')) return '';
    return posix.normalize(folder);
  });
  return folders.includes('') ? null : folders;
}

function registryOf(image: string | null): string | null {
  if (image === null) return null;
  const [first = ''] = image.split('/');
  return image.includes('/') && /[.:]/.test(first) ? hostOf(first) : 'docker.io';
}

/** Options that give a container as much access as --privileged. */
function breaksOut(call: Call, facts: Facts): boolean {
  const capabilities = factWords(facts, 'capabilities');
  return (
    call
      .values('--cap-add')
      .some(({ template }) => capabilities.includes(template.toUpperCase().replace(/^CAP_/, ''))) ||
    call.values('--security-opt').some(({ template }) => /unconfined|label[=:]disable/.test(template)) ||
    call.values('--pid', '--userns').some(({ template }) => template === 'host')
  );
}

/** Any program in a container may change a mounted directory. */
function mountedPaths(call: Call, word: Word): void {
  const source =
    /(?:^|,)(?:source|src)=([^,]+)/.exec(word.template)?.[1] ?? word.template.split(':')[0] ?? '';
  if (!/^[/.~]/.test(source)) return;
  const ref = { text: source, raw: word.raw, dynamic: false, glob: false, template: source };
  const readOnly = /:ro\b|(?:^|,)(?:readonly|ro)\b/.test(word.template);
  if (readOnly) call.read(ref);
  else call.write(ref);
}

function compose(call: Call): string {
  const { operands } = call.command;
  if (call.name.includes('compose')) reachesDaemon(call);
  const action = call.name.includes('compose') ? call.command.sub[0] : call.command.sub[1];
  if (action === 'exec' || action === 'run') insideContainer(call, operands.slice(1));
  else if (action) {
    const loses = action === 'rm' || (action === 'down' && call.has('--volumes', '-v', '--rmi'));
    call.resource('container', `compose ${action}`, loses, operands[0]?.text ?? null);
  }
  return UNKNOWN;
}

export const CONTAINERS: CodeTable = { compose, docker };
