import { literal } from '../call.ts';
import type { Tool, ToolTable } from '../tool.ts';
import { bubblewrap } from './bubblewrap.ts';
import { runLine } from './unwrap.ts';

/** Runs its operands as they are, after its own options. */
const plain = (options = '', skip = 0): Tool => ({ options, stop: true, wraps: { how: 'argv', skip } });

/** And writes what it has seen to the file of an option. */
const logs = (options: string, ...writes: string[]): Tool => ({ ...plain(options), writes });

/** Hands its operands to a shell as one line. */
const line = (options = '', skip = 0): Tool => ({ options, stop: true, wraps: { how: 'shell', skip } });

/**
 * Programs that run another program named in their arguments. Adding one is adding a line; what cannot be said in
 * a line has its own file in this folder.
 */
export const WRAPPERS: ToolTable = {
  sudo: {
    options:
      'A,askpass b,background B,bell C,close-from= D,chdir= E,preserve-env? e,edit g,group= H,set-home h,host= i,login ' +
      'K,remove-timestamp k,reset-timestamp l,list N n,non-interactive P,preserve-groups p,prompt= R,chroot= r,role= ' +
      'S,stdin s,shell t,type= T,command-timeout= U,other-user= u,user= V,version v,validate',
    stop: true,
    wraps: {
      how: 'argv',
      assignments: true,
      privilege: '--user',
      cwd: '--chdir',
      inert: ['--list', '--validate', '--version', '--help', '--remove-timestamp'],
    },
  },
  doas: {
    options: 'a= C= L n s u=',
    stop: true,
    wraps: { how: 'argv', assignments: true, privilege: '-u', inert: ['-L'] },
  },
  pkexec: {
    options: 'user= keep-cwd disable-internal-agent',
    stop: true,
    wraps: { how: 'argv', privilege: '--user' },
  },
  run0: {
    options: 'u,user= g,group= D,chdir= setenv= nice=',
    stop: true,
    wraps: { how: 'argv', privilege: '--user' },
  },
  gosu: { stop: true, wraps: { how: 'argv', skip: 1, privilege: '' } },
  'su-exec': { stop: true, wraps: { how: 'argv', skip: 1, privilege: '' } },
  setpriv: plain(
    'reuid= regid= groups= inh-caps= ambient-caps= bounding-set= securebits= pdeathsig= ptracer= selinux-label= apparmor-profile= ' +
      'landlock-access= landlock-rule= seccomp-filter= rgid= ruid= egid= euid= clear-groups init-groups keep-groups no-new-privs reset-env list-caps d,dump',
  ),
  capsh: { stop: true, run: (call) => void call.runArgv([literal('bash'), ...call.operands]) },
  su: {
    options:
      'c,command= session-command= l,login m,preserve-environment p s,shell= g,group= G,supp-group= w= P,pty',
    wraps: {
      how: 'none',
      script: ['--command', '--session-command'],
      privilege: '',
      inert: ['--help', '--version'],
    },
  },
  runuser: {
    options:
      'c,command= session-command= l,login m,preserve-environment p s,shell= g,group= G= u,user= P,pty',
    stop: true,
    wraps: { how: 'argv', script: ['--command', '--session-command'], privilege: '--user' },
  },
  nohup: plain(),
  ifne: plain('n'),
  chronic: plain('e v'),
  'ld.so': plain('list verify preload= library-path= argv0='),
  'ld-linux-x86-64.so.2': plain('list verify preload= library-path= argv0='),
  setsid: plain('c,ctty f,fork w,wait'),
  nice: plain('n,adjustment='),
  ionice: plain('c,class= n,classdata= p,pid= P u t,ignore'),
  chrt: plain('a b f i m o r R d T= P= D= v', 1),
  taskset: plain('a,all-tasks p,pid c,cpu-list', 1),
  numactl: plain('i,interleave= N,cpunodebind= C,physcpubind= m,membind= p,preferred= l,localalloc'),
  timeout: plain('s,signal= k,kill-after= f,foreground p,preserve-status v,verbose', 1),
  stdbuf: plain('i,input= o,output= e,error='),
  unbuffer: plain('p'),
  time: logs('a,append f,format= o,output= p,portability v,verbose q,quiet', '--output'),
  caffeinate: plain('d i m s u t= w='),
  'systemd-run': plain(
    'G,collect P,pipe p,property= S,shell t,pty u,unit= r,remain-after-exit scope user system uid= gid= nice= d,same-dir ' +
      'E,setenv= wait no-block quiet on-active= on-boot= on-calendar= description= slice= working-directory=',
  ),
  'systemd-inhibit': plain('what= who= why= mode= list'),
  'dbus-run-session': plain('config-file='),
  'dbus-launch': plain('exit-with-session sh-syntax'),
  'xvfb-run': plain(
    'a,auto-servernum e,error-file= f,auth-file= l,listen-tcp n,server-num= p,xauth-protocol= s,server-args= w,wait=',
  ),
  chroot: plain('groups= userspec= skip-chdir', 1),
  unshare: plain(
    'm,mount? u,uts? i,ipc? n,net? p,pid? U,user? C,cgroup? T,time? f,fork r,map-root-user c,map-current-user R,root= w,wd= S,setuid= G,setgid= mount-proc? propagation= kill-child?',
  ),
  nsenter: plain(
    'a,all t,target= m,mount? u,uts? i,ipc? n,net? p,pid? U,user? C,cgroup? T,time? S,setuid= G,setgid= r,root? w,wd? F,no-fork',
  ),
  bwrap: { stop: true, run: bubblewrap },
  firejail: plain('profile= quiet noprofile net= private?'),
  strace: logs(
    'a= b= c C d D e,trace= E= f i I= k n o,output= O= p,attach= P= q r s,string-limit= S= t T u= U= v V w x X= y z Z',
    '--output',
  ),
  ltrace: logs('a= A= b c C d D= e= f F= i l= L n= o= p= r s= S t T u= w= x=', '-o'),
  perf: {
    sub: 1,
    stopAfter: ['record', 'stat', 'trace'],
    options:
      'o,output= e,event= F,freq= g p,pid= r,repeat= C,cpu= c,count= t,tid= D,delay= I,interval-print= u,uid= x= pre= post=',
    writes: ['--output'],
    wraps: { how: 'argv' },
  },
  valgrind: logs('tool= leak-check= log-file= xml-file= q,quiet v,verbose', '--log-file', '--xml-file'),
  catchsegv: plain(),
  rlwrap: logs('a A b= c C= D= e= f= g= H= i I l= n N o O= p P= q= r s= S= t= w= z=', '-l'),
  choom: plain('n,adjust= p,pid='),
  linux32: plain(),
  linux64: plain(),
  setarch: { options: 'R,addr-no-randomize v,verbose 3 B F I L S T X Z', stop: true, run: setarch },
  prlimit: plain('p,pid= n,nofile? v,as? c,core? t,cpu?'),
  flock: {
    options:
      's,shared x,exclusive e u,unlock n,nonblock w,timeout= o,close E,conflict-exit-code= c,command= F,no-fork v,verbose',
    stop: true,
    wraps: { how: 'argv', skip: 1, script: ['--command'] },
  },
  command: { options: 'p v V x', stop: true, wraps: { how: 'argv', inert: ['-v', '-V'] } },
  builtin: plain(),
  exec: { options: 'a= c l', stop: true, wraps: { how: 'argv' } },
  noglob: { stop: true, wraps: { how: 'argv', functions: true } },
  nocorrect: { stop: true, wraps: { how: 'argv', functions: true } },
  repeat: { stop: true, wraps: { how: 'argv', skip: 1, functions: true } },
  '-': { stop: true, wraps: { how: 'argv', functions: true } },
  busybox: plain('list install'),
  toybox: plain(),
  dotenv: plain('e= f,file= c o v= override'),
  watch: line(
    'n,interval= d,differences? t,no-title b,beep e,errexit g,chgexit c,color x,exec w,no-wrap p,precise',
  ),
  entr: { options: 'a c d n p r s z', stop: true, run: entr },
  watchexec: plain('w,watch= e,exts= f,filter= i,ignore= c,clear? r,restart n s,signal= d,debounce='),
  nodemon: plain('w,watch= e,ext= i,ignore= x,exec= q d,delay='),
  concurrently: { options: 'n,names= c,prefix-colors= k,kill-others', run: runScripts },
  script: {
    options:
      'a,append c,command= e,return f,flush force I,log-in= O,log-out= B,log-io= q,quiet t,timing? T,log-timing= E,echo= o= k r F p d',
    writes: ['--log-in', '--log-out', '--log-io', '--log-timing'],
    run: recordSession,
  },
  'cross-env-shell': { stop: true, wraps: { how: 'shell', assignments: true } },
  pee: { run: runEach },
  mispipe: { run: runEach },
  execlineb: { options: 'c= P p S= s= e W', wraps: { how: 'none', script: ['-c'] } },
  expect: { options: 'c= f= b= d i', wraps: { how: 'none' } },
  rtk: plain('v,verbose u,ultra-compact'),
  proxychains: plain('q f='),
  proxychains4: plain('q f='),
  torsocks: plain('i,isolate a,address= P,port= q,quiet'),
  torify: plain(),
  cgexec: plain('g= sticky'),
  faketime: plain('f m p=', 1),
  fakeroot: plain('l= s= i= u b='),
  eatmydata: plain(),
  ccache: plain(),
  sem: plain('j,jobs= id= fg u'),
  hookline: { options: 'out=', writes: ['--out'], run: runRecorded },
  hyperfine: {
    options: 'w,warmup= r,runs= m,min-runs= p,prepare= c,cleanup= s,setup= n,command-name= S,shell= N i',
    run: runEach,
  },
};

/** The machine may be left out: `setarch -R cmd`. */
function setarch(call: Parameters<NonNullable<Tool['run']>>[0]): string {
  const isNamed =
    /^(?:linux(?:32|64)|i\d86|x86_64|arm\w*|aarch64\w*|ppc\w*|s390x?|mips\w*|riscv\w*|uname26)$/;
  const [first, ...rest] = call.operands;
  return call.runArgv(first?.text === null || isNamed.test(first?.template ?? '') ? rest : call.operands);
}

/** With `-s` its words are a line for a shell. */
function entr(call: Parameters<NonNullable<Tool['run']>>[0]): string {
  return call.has('-s') ? runLine(call, call.operands, {}) : call.runArgv(call.operands);
}

/** It writes down what a shell prints, or what the words behind the file print, as that of BSD does. */
function recordSession(call: Parameters<NonNullable<Tool['run']>>[0]): string | undefined {
  const { argv } = call.command;
  const [file] = call.operands;
  const words = file ? argv.slice(argv.indexOf(file) + 1) : [];
  if (file) call.write(file, { append: call.has('--append') });
  const line = call.value('--command');
  if (line) return call.runText(line.template);
  return words.length === 0 || words[0]?.template.startsWith('-') ? undefined : call.runArgv(words);
}

/** Each operand is a command line of its own. */
function runEach(call: Parameters<NonNullable<Tool['run']>>[0]): undefined {
  for (const word of [...call.operands, ...call.values('--prepare', '--cleanup', '--setup')]) {
    call.runText(word.template);
  }
  return undefined;
}

/** The same, and `npm:build` is a script of the project. */
function runScripts(call: Parameters<NonNullable<Tool['run']>>[0]): undefined {
  for (const word of call.operands) {
    const [, program, script, rest = ''] = SCRIPT.exec(word.text ?? '') ?? [];
    if (program === undefined || script === undefined) call.runText(word.template);
    else call.runArgv([program, 'run', script, ...rest.split(/\s+/).filter(Boolean)].map(literal));
  }
  return undefined;
}

const SCRIPT = /^(npm|yarn|pnpm|bun):([^\s;&|`$<>"']+)(\s[^;&|`$<>\n"']*)?$/;

/** `hookline record AGENT -- COMMAND`, also by its full name. */
function runRecorded(call: Parameters<NonNullable<Tool['run']>>[0]): string | undefined {
  const words = call.operands[0]?.text === 'hooks' ? call.operands.slice(1) : call.operands;
  const [command, , ...recorded] = words;
  return command?.text === 'record' && recorded.length > 0 ? call.runArgv(recorded) : undefined;
}
