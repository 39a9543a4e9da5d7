import { posix } from 'node:path';
import { entryOf } from '../../model/lookup.ts';
import { isLoopback } from '../../platform/loopback.ts';
import { type SimpleCommand, UNKNOWN, type Word } from '../analysis.ts';
import type { Call } from '../call.ts';
import { dropChangesInside } from '../dropped.ts';
import { hostOf } from '../hosts.ts';
import { invocation } from '../invocation.ts';
import { reachesDaemon } from '../live-systems/daemons.ts';
import { hasUnknown, withoutUnknown } from '../marks.ts';
import type { Entry } from '../reentry.ts';
import type { ToolTable } from '../tool.ts';
import { CONSUMED } from '../walk.ts';
import { changesOutside } from './mounts.ts';
import { runLine } from './unwrap.ts';

/** Settings with which ssh and its kin start a program here. */
export function localCommands(call: Call): void {
  for (const { template } of call.values('-o')) {
    const local = /^\s*(?:ProxyCommand|LocalCommand|KnownHostsCommand)[\s=]+(.+)$/is.exec(template)?.[1];
    if (local) call.runText(local);
  }
}

function ssh(call: Call): string {
  const [target, ...words] = call.operands;
  if (target === undefined) return UNKNOWN;
  const ordered = optionsFirst(call, target, words);
  if (ordered !== null) return call.runArgv(ordered);
  const host = hostOf(target.text);
  call.network({ host, sends: call.command.stdin.from !== 'terminal' });
  call.use(call.value('-i'));
  localCommands(call);
  const entry: Entry = isHere(call, host) ? { cwd: call.walk.home } : { place: 'remote', cwd: null };
  if (words.length > 0) runLine(call, words, entry);
  else if (call.command.stdin.from !== 'terminal')
    call.runText(call.command.stdin.template, { ...entry, stdin: CONSUMED });
  return UNKNOWN;
}

/** Behind another port, and through another machine, is a machine of its own. */
function isHere(call: Call, host: string | null): boolean {
  return host !== null && isLoopback(host) && !call.has('-p', '-J', '-o', '-F', '--port');
}

/** `ssh host -L … -N`: it goes on reading options behind the host. Null where there are none. */
function optionsFirst(call: Call, target: Word, words: readonly Word[]): readonly Word[] | null {
  const { argv } = call.command;
  if (!argv[0] || !/^-[^-]/.test(words[0]?.template ?? '')) return null;
  const command = invocation({ options: SSH_OPTIONS, stop: true }, [argv[0], ...words]).operands;
  const options = words.slice(0, words.length - command.length);
  if (options.length === 0) return null;
  return [...argv.slice(0, argv.indexOf(target)), ...options, target, ...command];
}

/** `docker run IMAGE cmd`, `docker exec NAME cmd`: the first operand is the container, the rest runs in it. */
function insideContainer(call: Call, words: readonly Word[]): void {
  if (words.length > 0) call.runArgv(words, { place: 'container', cwd: null });
}

const DESTRUCTIVE_DOCKER = /^(?:rm|rmi|prune|remove|kill|down)$/;

function docker(call: Call): string {
  const { sub, operands } = call.command;
  const action = sub.at(-1) ?? '';
  reachesDaemon(call);
  if (action === 'run' || action === 'exec' || action === 'create') {
    for (const mount of call.values('--volume', '--mount')) mountedPaths(call, mount);
    for (const device of call.values('--device')) call.write(device);
    if (call.has('--privileged') || breaksOut(call)) call.privilege(call.name, 'root');
    call.resource('container', action, false, operands[0]?.text ?? null);
    const entry = call.value('--entrypoint');
    const { effects, commands } = call.walk;
    const [before, first] = [effects.length, commands.length];
    insideContainer(call, entry ? [entry, ...operands.slice(1)] : operands.slice(1));
    // What `compose run` shares with this machine stands in a file.
    const isNew = action === 'run' && sub[0] !== 'compose';
    const shared = isNew && !commands.slice(first).some(leadsOut) ? sharedFolders(call) : null;
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
  const destructive = DESTRUCTIVE_DOCKER.test(action) || (sub[0] === 'swarm' && action === 'leave');
  if (sub.length > 0) call.resource('container', sub.join(' '), destructive, target || null);
  return UNKNOWN;
}

/** Whoever starts containers or logs in elsewhere from there may reach this machine all the same, and so does a link. */
const leadsOut = ({ tool }: SimpleCommand): boolean =>
  tool === null || entryOf(REMOTE, tool) !== undefined || /^(?:ln|link|cp|mv|mount)$/.test(tool);

/** Options with which a new container still has nothing of this machine: no folder, no device, no process, no right. */
const SEALED: ReadonlySet<string> = new Set(
  (
    'attach detach env env-file hostname interactive label memory name net network publish publish-all pull rm tty user ' +
    'workdir entrypoint platform cap-drop cpus dns init ip shm-size tmpfs ulimit add-host read-only quiet'
  )
    .split(' ')
    .map((name) => `--${name}`),
);

const SHARED =
  /^[^:]*:(\/[^:*?[{]*?)\/*(?::[a-zA-Z,]*)?$|(?:^|,)(?:target|dst|destination)=(\/[^,*?[{]*?)\/*(?:,|$)/;

/** What a new container shares with this machine, as it is called there; null where it may be anything. */
function sharedFolders(call: Call): readonly string[] | null {
  const { options } = call.command;
  const isMount = (name: string) => name === '--volume' || name === '--mount';
  if (!options.every(({ name, declared }) => declared && (SEALED.has(name) || isMount(name)))) return null;
  const folders = call.values('--volume', '--mount').map(({ template }) => {
    const [, mounted, named] = SHARED.exec(template) ?? [];
    const folder = mounted ?? named ?? '';
    // Of two targets, it is the last.
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

const CAPABILITIES = /^(?:CAP_)?(?:ALL|SYS_ADMIN|SYS_PTRACE|SYS_MODULE|SYS_RAWIO|DAC_READ_SEARCH|BPF)$/i;

/** Options with which a container reaches the machine as well as with --privileged. */
function breaksOut(call: Call): boolean {
  return (
    call.values('--cap-add').some(({ template }) => CAPABILITIES.test(template)) ||
    call.values('--security-opt').some(({ template }) => /unconfined|label[=:]disable/.test(template)) ||
    call.values('--pid', '--userns').some(({ template }) => template === 'host')
  );
}

/** A directory given to a container is as good as open to whatever runs in it. */
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

const RUN_OPTIONS =
  'a,attach= d,detach e,env= env-file= h,hostname= i,interactive l,label= m,memory= mount= name= net= network= p,publish= ' +
  'P,publish-all privileged pull= rm restart= t,tty u,user= v,volume= volumes-from= w,workdir= entrypoint= platform= ' +
  'cap-add= cap-drop= cpus= device= dns= gpus= init ip= pid= ipc= userns= security-opt= shm-size= tmpfs= ulimit= add-host= ' +
  'detach-keys= index= T,no-TTY no-deps service-ports f,file= log-driver= read-only q,quiet';

const LIST_OPTIONS = 'a,all f,filter= format= n,last= l,latest no-trunc q,quiet s,size digests';

const COMPOSE_OPTIONS =
  'f,file= p,project-name= profile= env-file= project-directory= ansi= progress= v,volumes rmi= remove-orphans t,timeout= d,detach build force-recreate s,stop';

const SSH_OPTIONS =
  '4 6 A a C f G g K k M N n q s T t V v X x Y y B= b= c= D= E= e= F= I= i= J= L= l= m= O= o= P= p= Q= R= S= W= w=';

export const REMOTE: ToolTable = {
  ssh: {
    options: SSH_OPTIONS,
    stop: true,
    run: ssh,
  },
  mosh: { options: 'p,port= ssh= predict= a n 4 6', stop: true, run: ssh },
  docker: dockerLike(),
  podman: dockerLike(),
  nerdctl: dockerLike(),
  'docker-compose': {
    sub: 1,
    options: 'f,file= p,project-name= profile= env-file= project-directory= H,host=',
    subOptions: { exec: RUN_OPTIONS, run: RUN_OPTIONS, down: 'v,volumes rmi= remove-orphans t,timeout=' },
    stopAfter: ['exec', 'run'],
    run: compose,
  },
};

function dockerLike(): ToolTable[string] {
  return {
    options:
      'c,context= config= D,debug H,host= l,log-level= tls tlscacert= tlscert= tlskey= tlsverify a,all f,force v,volumes ' +
      'filter= format= t,tag= time=',
    sub: 1,
    groups: [
      'builder buildx compose config container context image manifest network node plugin pod machine secret service ',
      'stack swarm system trust volume',
    ]
      .join('')
      .split(' '),
    subOptions: {
      compose: COMPOSE_OPTIONS,
      run: RUN_OPTIONS,
      exec: RUN_OPTIONS,
      create: RUN_OPTIONS,
      build: 'f,file= t,tag= build-arg= target= platform= o,output= no-cache pull q,quiet',
      cp: 'a,archive L,follow-link',
      ...Object.fromEntries(['ps', 'ls', 'list', 'images'].map((verb) => [verb, LIST_OPTIONS])),
    },
    stopAfter: ['run', 'exec', 'create'],
    run: docker,
  };
}
