import { entryOf } from '../../model/lookup.ts';
import type { Call } from '../call.ts';
import type { Tool, ToolTable } from '../tool.ts';
import { handedLines } from './runners.ts';

/** Names that package managers have for the same action. */
export const ACTIONS: Readonly<Record<string, string>> = {
  i: 'install',
  in: 'install',
  ins: 'install',
  isntall: 'install',
  add: 'install',
  ci: 'install',
  un: 'uninstall',
  rm: 'uninstall',
  remove: 'uninstall',
  r: 'uninstall',
  unlink: 'uninstall',
  erase: 'uninstall',
  purge: 'uninstall',
  autoremove: 'uninstall',
};

export function packageAction(verb: string): string {
  return entryOf(ACTIONS, verb) ?? verb;
}

/** apt, brew, dnf, …: the whole machine's packages. */
const systemWide = (options = 'y,yes q,quiet f,force'): Tool => ({
  options,
  sub: 1,
  run: (call) => {
    const [verb = ''] = call.command.sub;
    const action = packageAction(verb);
    if (verb === 'run' && call.name === 'conda') call.runArgv(call.operands);
    call.packages(call.name, action, call.operands, true);
    if (action === 'install' || action === 'update' || action === 'upgrade') call.network({});
    return undefined;
  },
});

function pacman(call: Call): undefined {
  const action = call.has('-R') ? 'uninstall' : call.has('-S') || call.has('-U') ? 'install' : 'query';
  call.packages('pacman', action, call.operands, true);
}

const APT_OPTIONS =
  'y,yes q,quiet f purge o= t,target-release= no-install-recommends allow-remove-essential allow-unauthenticated';
const RPM_OPTIONS =
  'y,assumeyes q,quiet v,verbose C,cacheonly b,best x,exclude= enablerepo= disablerepo= repo= setopt= c,config= ' +
  'installroot= releasever= nogpgcheck skip-broken allowerasing refresh';

export const SYSTEM_PACKAGES: ToolTable = {
  apt: systemWide(APT_OPTIONS),
  'apt-get': systemWide(APT_OPTIONS),
  dpkg: {
    options:
      'i,install r,remove P,purge l,list L,listfiles s,status S,search unpack configure force-all force-depends force-remove-essential',
    run: (call) => {
      if (call.has('--remove', '--purge', '--install'))
        call.packages('dpkg', call.has('--install') ? 'install' : 'uninstall', call.operands, true);
      return undefined;
    },
  },
  rpm: {
    options:
      'i,install U,upgrade F,freshen e,erase E,eval= q,query a v,verbose h,hash force nodeps nosignature V l f',
    run: (call) => {
      for (const { template } of call.values('--eval')) {
        for (const [, line = ''] of template.matchAll(/%\(([^)]*)\)/g)) call.runText(line);
        for (const line of handedLines(template, true)) call.runText(line);
      }
      if (call.has('--install', '--upgrade', '--freshen', '--erase'))
        call.packages('rpm', call.has('--erase') ? 'uninstall' : 'install', call.operands, true);
      return undefined;
    },
  },
  dnf: systemWide(RPM_OPTIONS),
  yum: systemWide(RPM_OPTIONS),
  zypper: systemWide(),
  apk: systemWide(),
  pacman: { options: 'S R U Q D F T s n c u y i l o q d f w k noconfirm nodeps needed asdeps', run: pacman },
  brew: systemWide('f,force cask formula zap q,quiet v,verbose ignore-dependencies'),
  port: systemWide(),
  snap: systemWide('classic channel='),
  flatpak: systemWide('y,assumeyes user system'),
  nix: systemWide(''),
  conda: {
    ...systemWide('n,name= p,prefix= y,yes c,channel= all no-capture-output'),
    stopAfter: ['run'],
  },
};
