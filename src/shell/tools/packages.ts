import { UNKNOWN, type Word } from '../analysis.ts';
import { type Call, literal } from '../call.ts';
import { packageScripts } from '../code/build-files.ts';
import { hostOf } from '../hosts.ts';
import { isUnknown } from '../marks.ts';
import type { Tool, ToolTable } from '../tool.ts';
import { joinWords } from '../word.ts';
import { inline, program } from './interpreters.ts';
import { announce, scriptFile } from './shells.ts';
import { ACTIONS, packageAction, SYSTEM_PACKAGES } from './system-packages.ts';

/** Runs a package's program: `npx eslint`, `pnpm dlx x`, `uvx ruff`. The program is not looked into, its name is. */
function runPackage(call: Call, words: readonly Word[]): void {
  const [first, ...rest] = words;
  if (first === undefined) return;
  const name = first.text?.replace(/(?!^)@[^/]*$/, '') ?? null;
  call.packages(call.name, 'run', [first, ...call.values('--package', '--from', '--spec', '--with')]);
  call.runArgv(name === null ? words : [literal(name), ...rest]);
}

function manager(call: Call): string {
  const [action = ''] = call.command.sub;
  const global = call.has('--global', '--location') || (call.name === 'yarn' && action === 'global');
  if (action === 'exec' || action === 'dlx' || action === 'x') {
    const script = call.value('--call');
    const line = isLine(call, action) ? joinWords(call.operands) : null;
    if (script) call.runText(script.template);
    else if (line !== null) call.runText(line);
    else runPackage(call, call.operands);
  } else if (action === 'run' || action === 'run-script' || action === 'test' || action === 'start') {
    const source = scriptFile(call, literal('package.json'));
    call.packages(call.name, 'script', call.operands);
    const name = action.startsWith('run') ? (call.operands[0]?.text ?? '') : action;
    if (announce(call, source)) call.runText(packageScripts(source.template, name));
  } else {
    call.packages(call.name, isList(call, action) ? 'list' : action, call.operands, global);
    if (action === 'pkg' || action === 'set-script') scriptsSet(call, action);
    if (action === 'install' || action === 'publish' || action === 'update')
      call.network({ sends: action === 'publish' });
    if (INSTALLS.test(action) && !call.has('--ignore-scripts')) runInstallScripts(call);
  }
  return UNKNOWN;
}

/** Whether what is to be run is a line for a shell: `yarn exec 'a && b'`, `pnpm -c exec 'a | b'`. */
function isLine(call: Call, action: string): boolean {
  if (action !== 'exec') return false;
  return call.operands.length === 1 ? /\s/.test(call.operands[0]?.template ?? '') : call.has('--shell-mode');
}

/** `npm owner ls`: verbs that have verbs of their own, of which some only say how things are. */
function isList({ operands: [first] }: Call, action: string): boolean {
  return /^(?:dist-tag|owner|access)$/.test(action) && /^(?:ls|list|get)(?:-|$)/.test(first?.text ?? '');
}

const INSTALLS = /^(?:|i|in|ins|install|ci|add|rebuild|link)$/;

/** What the session has written into package.json to be run by an installation. */
function runInstallScripts(call: Call): void {
  const source = scriptFile(call, literal('package.json'));
  if (isUnknown(source.template) || !announce(call, source)) return;
  for (const name of ['install', 'prepare']) call.runText(packageScripts(source.template, name));
}

/** `npm pkg set scripts.x='line'`: later it is run by its name. */
function scriptsSet(call: Call, action: string): void {
  const lines =
    action === 'pkg'
      ? call.operands.flatMap(({ template }) => /^scripts\.[\w:-]+=(.+)$/s.exec(template)?.[1] ?? [])
      : call.operands.slice(1, 2).map(({ template }) => template);
  for (const line of lines) call.runText(line, { guessed: true });
}

const NPM: Tool = {
  options:
    'g,global location= prefix= C= w,workspace= c,call= p,package= y,yes registry= tag= access= otp= f,force S,save D,save-dev E,save-exact ' +
    'O,save-optional no-save dry-run ignore-scripts legacy-peer-deps silent s loglevel= workspaces if-present omit= include= filter= F= dir= r,recursive shell-mode T,top-level B',
  sub: 1,
  synonyms: ACTIONS,
  stopAfter: ['exec', 'dlx', 'x'],
  run: manager,
};

/** `bun x.ts`, `bun run x.ts`, `bun -`: a program rather than a script of the project. */
function bunFile({ command: { sub, argv }, operands }: Call): Word | undefined {
  const [verb] = sub;
  const word = verb === 'run' ? operands[0] : argv.find(({ text }) => text?.toLowerCase() === verb);
  return /^-$|\.[cm]?[jt]sx?$/.test(word?.text ?? '') ? word : undefined;
}

const NPX: Tool = {
  options:
    'y,yes no-install p,package= c,call= q,quiet n,node-arg= shell= ignore-existing bun silent from= python= with= isolated spec= pip-args=',
  stop: true,
  run: (call) => {
    const script = call.value('--call');
    if (script) call.runText(script.template);
    else runPackage(call, call.operands);
    return undefined;
  },
};

function pip(call: Call): undefined {
  const [verb = ''] = call.command.sub;
  for (const file of call.values('--requirement', '--constraint')) call.read(file);
  const named = [...call.operands, ...call.values('--editable')];
  call.packages(call.name, packageAction(verb), named, !call.has('--target', '--user', '--dry-run'));
  if (verb === 'install' || verb === 'download') call.network({ host: null });
}

const publishes = (options = '', sub = 1): Tool => ({
  options,
  sub,
  stopAfter: ['run', 'exec'],
  run: (call) => {
    const [given = ''] = call.command.sub;
    // It puts a program together, in a folder.
    const verb = call.name === 'dotnet' && given === 'publish' ? 'build' : given;
    for (const { template } of call.values('--toolexec', '--exec', '--editor')) call.runText(template);
    if ((verb === 'run' || verb === 'exec') && call.name !== 'cargo' && call.name !== 'go') {
      const [line] = call.operands;
      if (line && call.operands.length === 1 && /\s/.test(line.template)) call.runText(line.template);
      else call.runArgv(call.operands);
      return undefined;
    }
    const named = [...call.operands, ...call.values('--git')];
    call.packages(call.name, packageAction(verb), named, verb === 'install');
    if (verb === 'publish' || verb === 'push') call.network({ sends: true });
    return undefined;
  },
});

export const PACKAGES: ToolTable = {
  npm: NPM,
  pnpm: { ...NPM, options: (NPM.options ?? '').replace('c,call=', 'c,shell-mode') },
  yarn: NPM,
  bun: {
    ...NPM,
    options: `${NPM.options ?? ''} e,eval= print=`,
    run: (call) => {
      const code = call.value('--eval', '--print');
      const file = bunFile(call);
      if (code) inline(call, code);
      else if (file) program(call, file);
      else return manager(call);
      return undefined;
    },
  },
  npx: NPX,
  pnpx: NPX,
  bunx: NPX,
  uvx: NPX,
  pipx: {
    options: 'f,force python= spec= pip-args=',
    sub: 1,
    stopAfter: ['run'],
    run: (call) => {
      if (call.command.sub[0] === 'run') runPackage(call, call.operands);
      else call.packages('pipx', call.command.sub[0] ?? '', call.operands, true);
      return undefined;
    },
  },
  pip: {
    options:
      'r,requirement= c,constraint= t,target= user U,upgrade e,editable= i,index-url= extra-index-url= trusted-host= f,find-links= y,yes q,quiet dry-run no-deps pre break-system-packages',
    sub: 1,
    run: pip,
  },
  uv: {
    options:
      'directory= project= q,quiet p,python= with= with-requirements= with-editable= env-file= group= extra= s,script from= i,index-url= extra-index-url= index= r,requirement= e,editable=',
    sub: 1,
    groups: ['pip', 'tool', 'python', 'cache'],
    stopAfter: ['run'],
    run: (call) => {
      const [verb = '', second] = call.command.sub;
      const [first] = call.operands;
      if (verb === 'run' && /^https?:/i.test(first?.template ?? ''))
        call.execute('network', null, hostOf(first?.text ?? null));
      else if (verb === 'run' && /\.py$/.test(first?.text ?? ''))
        call.runArgv([literal('python'), ...call.operands]);
      else if (verb === 'run') call.runArgv(call.operands);
      else if (verb === 'tool' && second === 'run') runPackage(call, call.operands);
      else
        call.packages('uv', packageAction(second ?? verb), [
          ...call.operands,
          ...call.values('--editable', '--from'),
        ]);
      return undefined;
    },
  },
  poetry: publishes('C,directory= n,no-interaction q,quiet'),
  pdm: publishes('p,project= q,quiet'),
  pipenv: publishes('python= dev'),
  hatch: publishes('e,env='),
  rye: publishes(''),
  twine: publishes('r,repository= u,username= p,password= repository-url='),
  cargo: publishes(
    'manifest-path= p,package= q,quiet release features= target= j= token= dry-run allow-dirty git= path= index= registry= branch= tag= rev= root= f,force locked',
  ),
  gem: publishes(
    'e,editor= f,force a,all x,executables v,version= k,key= host= s,source= clear-sources N,no-document',
  ),
  bundle: publishes('gemfile= path= j='),
  composer: publishes('d,working-dir= n,no-interaction q,quiet'),
  go: { ...publishes('C= o= v race tags= mod= exec= toolexec='), singleDash: true },
  dotnet: publishes('c,configuration= f,framework= o,output= s,source= k,api-key=', 1),
  mvn: publishes('f,file= P= D= q B', 1),
  gradle: publishes('p,project-dir= q', 1),
  mix: publishes('', 1),
  rake: {
    ...publishes('f= T e,execute= p,execute-print= E,execute-continue=', 1),
    run: (call) => {
      for (const word of call.values('--execute', '--execute-print', '--execute-continue'))
        inline(call, word);
      return undefined;
    },
  },
  ...SYSTEM_PACKAGES,
};
