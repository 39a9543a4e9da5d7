import { UNKNOWN } from '../analysis.ts';
import { type Call, literal } from '../call.ts';
import { LANGUAGES } from '../code/languages.ts';
import { scanCode } from '../code/scan.ts';
import { hostOf } from '../hosts.ts';
import { ANSIBLE_OPTIONS, changesByModule } from '../live-systems/ansible.ts';
import type { Entry } from '../reentry.ts';
import type { Tool, ToolTable } from '../tool.ts';
import { runFile, runInput } from './runners.ts';
import { service } from './service-verbs.ts';
import { scriptInput } from './shells.ts';

/** Runs the value of an option as a shell line, and its operands not at all. */
const byOption = (options: string, ...script: string[]): Tool => ({
  options,
  wraps: { how: 'none', script },
});

/** What stands behind a verb and a name, or after `--`, is a command; other verbs are those of a service. */
function behind(options: string, entry: Entry, verb: string, system: string | null = null): Tool {
  return {
    options,
    run: (call) => {
      const { argv } = call.command;
      const at = argv.findIndex((word) => word.template === verb);
      if (at < 1) return system ? service(system)(call) : undefined;
      const dashes = argv.findIndex((word) => word.template === '--');
      const words = argv.slice(dashes > 0 ? dashes + 1 : at + 2);
      return words.length === 0 ? UNKNOWN : call.runArgv(words, entry);
    },
  };
}

const ELSEWHERE: Entry = { place: 'remote', cwd: null };

/** ansible, pssh: the same line on many machines. */
function everywhere(script: readonly string[]): (call: Call) => undefined {
  return (call) => {
    const given = call.value(...script) ?? (call.name === 'ansible' ? null : (call.operands.at(-1) ?? null));
    const removed = /\bstate=absent\b/.test(given?.template ?? '')
      ? /\b(?:path|name|dest)=(\S+)/.exec(given?.template ?? '')?.[1]
      : undefined;
    if (removed !== undefined) call.runArgv(['rm', '-rf', removed].map(literal), ELSEWHERE);
    else if (given) call.runText(given.template, ELSEWHERE);
    call.network({});
    if (call.name === 'ansible') changesByModule(call);
    return undefined;
  };
}

/** `salt '*' cmd.run 'line'`. */
const salt = (call: Call): undefined => {
  const [, verb, line] = call.operands;
  if (/^cmd\.|shell/.test(verb?.template ?? '') && line) call.runText(line.template, ELSEWHERE);
  call.network({});
};

const pager = (call: Call): undefined => {
  const own = call.value('--pager')?.template;
  const set = call.command.assignments.find(({ name }) => name === 'PAGER' || name === 'MANPAGER');
  const line = own ?? (set ? (set.value ?? UNKNOWN) : undefined);
  if (line !== undefined) call.runText(line);
};

function expect(call: Call): undefined {
  const file = call.value('-f', '-b') ?? call.operands[0];
  if (file) runFile(call, file);
  else if (!call.has('-c')) runInput(call);
  for (const script of [...call.values('-c'), call.command.stdin]) {
    for (const [, line = ''] of script.template.matchAll(/\b(?:spawn|exec|system)\s+([^;\n}\]]+)/g))
      call.runText(line);
  }
}

/** `sops exec-env FILE 'line'`. */
const inEnvironment = (call: Call): undefined => {
  const [verb, , line] = call.operands;
  if (/^exec-(?:env|file)$/.test(verb?.template ?? '') && line) call.runText(line.template);
};

/** `less +'!line' file`. */
function less(call: Call): undefined {
  for (const word of call.operands) {
    const line = /^\+\+?!(.*)$/s.exec(word.template)?.[1];
    if (line !== undefined) call.runText(line);
    else if (!word.template.startsWith('+')) call.read(word);
  }
}

/** `elvish -c 'line'`: the option takes no value, it says what the first operand is. */
const elvish = (call: Call): undefined => {
  const [line] = call.operands;
  if (call.has('-c') && line) call.runText(line.template);
  else if (line) runFile(call, line);
  else runInput(call);
};

/** A file or an address, in whatever program is there for it. */
function opens(call: Call): undefined {
  for (const word of [...call.operands, ...call.values('-u')]) {
    if (/^https?:/i.test(word.template)) call.network({ host: hostOf(word.text), url: word.text });
    else call.read(word);
  }
}

/** Each value of these options is a line for a shell. */
const runValues =
  (...options: string[]) =>
  (call: Call): undefined => {
    for (const { template } of call.values(...options)) call.runText(template);
  };

/** What it shows of a choice, and what its keys do: `enter:execute(line)`. */
function fuzzy(call: Call): undefined {
  for (const { template } of call.values('--preview')) call.runText(template);
  for (const { template } of call.values('--bind'))
    for (const [, line = ''] of template.matchAll(
      /\b(?:execute(?:-silent|-multi)?|become|reload(?:-sync)?|transform\w*|preview)[(:[{~!@#%^&*;/|]([^)\]}]*)/g,
    ))
      call.runText(line);
}

/** TeX in a word rather than in a file: `\\write18{line}`, `\\input{|line}`. */
function typeset(call: Call): undefined {
  for (const word of call.operands) {
    if (!word.template.startsWith('\\')) call.read(word);
    for (const [, ...found] of word.template.matchAll(
      /\\write18\s*\{([^}]*)|\\input\s*\{?"?\|\s*([^}"]*)|psfile="?`([^"}]*)/g,
    ))
      call.runText(found.find((line) => line !== undefined) ?? '');
  }
}

/** Lines that begin with `!` are Perl. */
function perlLines(call: Call): undefined {
  const { template } = scriptInput(call);
  for (const [, code = ''] of template.matchAll(/^\s*!(.*)$/gm)) scanCode(call, code, LANGUAGES.perl);
}

/** `exec { 'line': }` and `file { 'path': }` of what it is told to bring about. */
function puppet(call: Call): undefined {
  for (const { template } of call.values('--execute'))
    for (const [, kind, , text = ''] of template.matchAll(/\b(exec|file)\s*\{\s*(['"])(.*?)\2\s*:/gs))
      if (kind === 'exec') call.runText(text);
      else call.write(literal(text));
  const [file] = call.operands;
  if (file && call.command.sub[0] === 'apply') runFile(call, file);
}

/** Programs that start another one that stands in an option or behind a word of their own. */
export const LAUNCHERS: ToolTable = {
  fzf: {
    options: 'preview= bind= query= q= m,multi e,exact filter= f= height= d= n= prompt= header=',
    run: fuzzy,
  },
  openvpn: {
    options:
      'config= up= down= ipchange= route-up= tls-verify= auth-user-pass-verify= client-connect= plugin=',
    run: runValues(
      '--up',
      '--down',
      '--ipchange',
      '--route-up',
      '--tls-verify',
      '--client-connect',
      '--plugin',
    ),
  },
  latex: {
    singleDash: true,
    options:
      'shell-escape enable-write18 interaction= output-directory= jobname= halt-on-error draftmode file-line-error',
    run: typeset,
  },
  cpan: { options: 'i f T a l', run: (call) => void (call.operands.length === 0 && perlLines(call)) },
  puppet: { sub: 1, options: 'e,execute= noop', run: puppet },
  man: { options: 'P,pager= M,manpath= L,locale= k f a w,where,path S,sections=', run: pager },
  less: {
    options: 'N i I S R F X e E f m M n p= P= t= T= x= b= h= j= k= o,log-file= O,LOG-FILE= y= z=',
    writes: ['--log-file', '--LOG-FILE'],
    run: less,
  },
  expect: { options: 'c= f= b= d i', run: expect },
  'nix-shell': byOption('run= command= p,packages= pure I= A= attr=', '--run', '--command'),
  elvish: { singleDash: true, stop: true, options: 'c norc i compileonly log= rc= db=', run: elvish },
  sg: byOption('c=', '-c'),
  'watchman-make': byOption('p,pattern= t,target= r,run= s,settle=', '--run'),
  nx: byOption('command= parallel=', '--command'),
  'start-stop-daemon': {
    options: 'S,start K,stop x,exec= a,startas= p,pidfile= u,user= b m',
    run: startDaemon,
  },
  ansible: {
    options: ANSIBLE_OPTIONS,
    run: everywhere(['--args']),
  },
  salt: { options: 'G,grain L,list E,pcre C,compound N,nodegroup b,batch= t,timeout= out=', run: salt },
  pssh: { options: 'h,hosts= H,host= l,user= p,par= o,outdir= i,inline t,timeout=', run: everywhere([]) },
  pdsh: { options: 'w= x= l= f= R=', run: everywhere([]) },
  clush: { options: 'w= g= a b', run: everywhere([]) },
  sops: {
    options: 'd,decrypt e,encrypt i,in-place r,rotate input-type= output-type= extract= output=',
    run: inEnvironment,
  },
  direnv: behind('', {}, 'exec'),
  lxc: behind('user= group= cwd= env= t T n', ELSEWHERE, 'exec', 'virtual'),
  incus: behind('user= group= cwd= env= t T n', ELSEWHERE, 'exec', 'virtual'),
  multipass: behind('d,working-directory=', ELSEWHERE, 'exec', 'virtual'),
  crictl: behind('i t', ELSEWHERE, 'exec'),
  open: { options: 'a= b= e t f g j n R W u= h', run: opens },
  'xdg-open': { run: opens },
  gio: { sub: 1, run: opens },
  wslview: { run: opens },
  'aws-vault': behind('d,duration= n', {}, 'exec'),
};

function startDaemon(call: Call): undefined {
  const program = call.value('--exec', '--startas');
  if (program && call.has('--start')) call.runArgv([program, ...call.operands]);
}
