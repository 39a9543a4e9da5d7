import { ANY_SHELL } from '../../model/programs.ts';
import { UNKNOWN, type Word } from '../analysis.ts';
import { type Call, literal } from '../call.ts';
import { recipesOf } from '../code/build-files.ts';
import type { Tool, ToolTable } from '../tool.ts';
import { runFile, runInput } from './runners.ts';
import { announce, scriptFile } from './shells.ts';

/** One action on the machine, on whatever the operands name. */
const acts = (action: string, options = ''): Tool => ({
  options,
  run: (call) => {
    call.system(action, call.operands.map((word) => word.text ?? '?').join(' ') || null);
    return undefined;
  },
});

function systemctl(call: Call): undefined {
  const [verb = ''] = call.command.sub;
  const unit = call.operands[0]?.text ?? null;
  if (
    /^(?:poweroff|reboot|halt|kexec|suspend|hibernate|hybrid-sleep|suspend-then-hibernate|rescue|emergency|soft-reboot|switch-root|isolate|exit)$/.test(
      verb,
    )
  )
    call.system('shutdown', unit);
  else if (/^(?:enable|link|edit|set-default|add-wants|preset)$/.test(verb)) call.system('persist', unit);
  else if (
    /^(?:stop|disable|mask|kill|start|restart|reload|unmask|daemon-reload|set-property|revert)/.test(verb)
  )
    call.system(`service ${verb}`, unit);
}

function launchctl(call: Call): undefined {
  const [verb = ''] = call.command.sub;
  const target = call.operands.at(-1);
  if (/^(?:load|bootstrap|enable|submit|kickstart)$/.test(verb)) call.system('persist', target?.text ?? null);
  else if (/^(?:unload|bootout|disable|remove|kill|stop)$/.test(verb))
    call.system(`service ${verb}`, target?.text ?? null);
  if (verb === 'load' && target) call.read(target);
}

function crontab(call: Call): string {
  if (call.has('-r')) call.system('unschedule', 'crontab');
  else if (!call.has('-l')) {
    call.system('schedule', 'crontab');
    const [file] = call.operands;
    if (file && file.text !== '-') call.read(file);
    for (const line of call.command.stdin.template.split('\n').slice(0, 50)) {
      const command = /^\s*(?:@\w+|(?:[\d*/,-]+\s+){5})\s*(.+)$/.exec(line)?.[1];
      if (command) call.runText(command);
    }
  }
  return UNKNOWN;
}

/** at and batch run their input later. */
function later(call: Call): string {
  if (call.has('-l', '-c', '-r', '-d')) return UNKNOWN;
  call.system('schedule', call.name);
  call.read(call.value('-f'));
  if (call.command.stdin.from !== 'terminal') call.runText(call.command.stdin.template);
  return UNKNOWN;
}

function kill(call: Call): undefined {
  if (call.has('--list')) return;
  call.system('kill', call.operands.map((word) => word.text ?? '?').join(' ') || null);
}

function iptables(call: Call): undefined {
  call.system('firewall', call.has('--flush', '--delete-chain') ? 'flush' : null);
}

function osascript(call: Call): string {
  for (const script of call.values('-e')) {
    call.code(script.template);
    const found = [
      ...script.template.matchAll(/do(?: (?:shell )?script\s+|(?:Shell)?Script\(\s*)"((?:\\.|[^"\\])*)"/g),
    ];
    for (const [, line = ''] of found) call.runText(line.replace(/\\(.)/g, '$1'));
    for (const [, file = ''] of script.template.matchAll(/\bdelete\s+\(?\s*POSIX file\s+"([^"]+)"/g))
      call.remove(literal(file), true, false);
    if (found.length === 0 || /administrator privileges/.test(script.template)) call.execute('unknown');
  }
  const [file] = call.operands;
  if (file) runFile(call, file);
  else if (!call.has('-e')) runInput(call);
  return UNKNOWN;
}

const USUAL_SHELL = new RegExp(`=/(?:usr/)?bin/${ANY_SHELL}$`);

function make(call: Call): undefined {
  const directory = call.value('--directory');
  const file = call.value('--file', '--makefile') ?? literal('Makefile');
  if (directory) call.cwd = call.path(directory).path;
  recipes(call, file);
  const shell = call.operands.find((word) => /^\.?SHELL(?:FLAGS)?\s*:?=/.test(word.template));
  if (shell && !USUAL_SHELL.test(shell.template)) call.execute('unknown');
  for (const { template } of call.values('--eval')) evaluated(call, template);
}

/** A piece of a makefile that stands in an option. */
function evaluated(call: Call, text: string): void {
  call.runText(recipesOf(text, []));
  for (const [, line = ''] of text.matchAll(/\$\(shell\s+([^\n]+)\)/g)) call.runText(line);
  for (const [, file = ''] of text.matchAll(/\$\(file\s*>>?\s*([^,)\s]+)/g)) call.write(literal(file));
}

/** Of a makefile that the line or the session has written, the lines that make would run. */
function recipes(call: Call, file: Word): void {
  const source = scriptFile(call, file);
  const goals = call.operands.flatMap(({ text }) => (text === null || text.includes('=') ? [] : text));
  if (announce(call, source)) call.runText(recipesOf(source.template, goals));
  // A setting that is a line of its own rather than the name of a program.
  for (const word of call.operands) {
    const value = /^\w+=(.*[;&|`].*)$/s.exec(word.template)?.[1];
    if (value !== undefined) call.runText(value, { guessed: true });
  }
}

/** It hides what was there; bound, one place leads to the other. */
function mount(call: Call): undefined {
  const settings = call.values('--options').map(({ template }) => template);
  const isBound =
    call.has('--bind', '-R', '--rbind', '--move') || settings.some((text) => /bind|move/.test(text));
  // Other rules for what is mounted already, or rules that let programs on it run as their owner.
  const isOther = settings.some((text) => /remount|(?<!no)suid|(?:lower|upper)dir/.test(text));
  call.system(isBound || isOther ? 'mount changed' : 'mount', call.operands.at(-1)?.text ?? null);
  for (const word of isBound ? call.operands : call.operands.slice(1))
    call.system('link', call.path(word).path);
}

function unmount(call: Call): undefined {
  call.system(call.has('--all') ? 'mount changed' : 'mount', call.operands[0]?.text ?? null);
  for (const word of call.operands) call.system('link', call.path(word).path);
}

/** Settings are named by who has them, or by their file. */
function changeSettings(call: Call): undefined {
  const [place] = call.operands;
  call.system('settings', place?.text ?? null);
  if (place && /^[/~.]/.test(place.template))
    call.write(literal(`${place.template.replace(/\.plist$/, '')}.plist`));
}

const history = (call: Call): undefined => {
  if (call.has('-c', '-d')) call.system('history', null);
  for (const word of call.has('-r', '-n') ? call.operands : []) call.read(word);
  for (const word of call.has('-w', '-a') ? call.operands : []) call.write(word);
};

/** What stands in a keychain that is no secret. */
const PUBLIC =
  /^(?:find-certificate|find-identity|verify-cert|list-keychains|default-keychain|show-keychain-info|help)$/;

/** The machine: power, processes, services, schedules, disks, kernel, accounts. */
export const SYSTEM: ToolTable = {
  shutdown: acts('shutdown', 'h r c k P H f n'),
  reboot: acts('shutdown', 'f w d n p'),
  halt: acts('shutdown', 'f p'),
  poweroff: acts('shutdown', 'f'),
  init: acts('shutdown'),
  telinit: acts('shutdown'),
  kill: { options: 's,signal= n= l,list L', singleDash: true, run: kill },
  pkill: { options: 'f,full u,euid= U= x,exact P= g= t= n o signal= 9 e', run: kill },
  killall: { options: 'u= s= r i w v q e 9 I', run: kill },
  xkill: acts('kill'),
  systemctl: {
    options: 'user system now q,quiet f,force t,type= H,host= M= no-pager root= a,all l n= o= p= no-block',
    sub: 1,
    run: systemctl,
  },
  service: {
    sub: 2,
    run: (call) => void call.system(`service ${call.command.sub[1] ?? ''}`, call.command.sub[0] ?? null),
  },
  launchctl: { sub: 1, options: 'w F', run: launchctl },
  nginx: { options: 't T q v V s= c= g= p= e=' },
  crontab: { options: 'e i l r u=', run: crontab },
  at: { options: 'f= q= t= l d r c m M v', run: later },
  batch: { run: later },
  mount: {
    options: 't,types= o,options= a,all r w B,bind R,rbind M,move v n f L= U= target= source=',
    run: mount,
  },
  umount: { options: 'a,all f l r R v t=', run: unmount },
  swapoff: acts('mount', 'a'),
  insmod: acts('kernel'),
  modprobe: acts('kernel', 'r v n'),
  rmmod: acts('kernel', 'f'),
  sysctl: {
    options: 'w,write p,load? a n q',
    run: (call) =>
      call.operands.some((word) => word.template.includes('='))
        ? void call.system('kernel', call.operands[0]?.text ?? null)
        : undefined,
  },
  kexec: acts('kernel', 'l e'),
  iptables: { options: 'F,flush X,delete-chain A= D= I= P= t= p= s= d= j= L n v', run: iptables },
  ip6tables: { options: 'F,flush X,delete-chain A= D= I= P= t= p= s= d= j=', run: iptables },
  nft: { run: (call) => void call.system('firewall', call.operands[0]?.text ?? null) },
  ufw: { sub: 1, options: 'force', run: (call) => void call.system('firewall', call.command.sub[0] ?? null) },
  pfctl: {
    options: 'd e f= F=',
    run: (call) => void call.system('firewall', call.has('-d') ? 'disable' : null),
  },
  setenforce: acts('security'),
  spctl: acts('security', 'master-disable global-disable'),
  csrutil: acts('security'),
  auditctl: acts('security', 'D e='),
  useradd: acts('account', 'm g= G= s= d= u= p= r M N'),
  adduser: acts(
    'account',
    'system disabled-password disabled-login gecos= home= shell= ingroup= uid= gid= G= D S h= s=',
  ),
  gpasswd: acts('account', 'a= d= A= M= r R'),
  deluser: acts('account', 'remove-home remove-all-files'),
  newusers: acts('account', 'r'),
  userdel: acts('account', 'r f'),
  usermod: acts('account', 'a G= g= s= d= l= L U p='),
  groupadd: acts('account'),
  groupdel: acts('account'),
  passwd: acts('account', 'd e l u S stdin'),
  chpasswd: acts('account'),
  // Of one's own account it is a matter of taste.
  chsh: {
    options: 's,shell= l',
    run: (call) => void (call.operands[0] && call.system('account', call.operands[0].text)),
  },
  visudo: acts('account', 'c f='),
  history: { options: 'c d= a n r w p s', run: history },
  osascript: { options: 'e= l= s= i', run: osascript },
  security: {
    sub: 1,
    run: (call) => {
      if (!PUBLIC.test(call.command.sub[0] ?? '')) call.read(literal('~/Library/Keychains'));
      return undefined;
    },
  },
  make: {
    options: 'C,directory= f,file= makefile= j,jobs? B k n,dry-run s,silent e i I= o= W= l= eval= O?',
    run: make,
  },
  gmake: { options: 'C,directory= f,file= makefile= j,jobs? eval=', run: make },
  just: { options: 'f,justfile= d,working-directory= set= l,list n,dry-run', run: make },
  'ssh-keygen': {
    options: 'p y l e i c F R L B H A q v t= b= C= f= N= P= m= O= s= I= n= V= D= Y=',
    run: (call) => {
      if (call.has('-p', '-c')) call.read(call.value('-f'));
      if (call.has('-p', '-c') || !call.has('-l', '-y', '-F', '-R', '-L', '-H', '-e', '-i', '-Y'))
        call.write(call.value('-f'));
      return undefined;
    },
  },
  plutil: {
    singleDash: true,
    options:
      'p lint insert= replace= remove= extract= convert= o= bool= string= integer= xml= json= array dictionary',
    run: (call) => {
      const changes = call.has('--insert', '--replace', '--remove', '--convert');
      const file = call.operands.at(-1) ?? null;
      if (changes) call.write(file);
      else call.read(file);
      return undefined;
    },
  },
  defaults: {
    sub: 1,
    run: (call) => (call.command.sub[0] === 'read' ? undefined : changeSettings(call)),
  },
};
