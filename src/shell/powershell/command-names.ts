import { entryOf } from '../../model/lookup.ts';

const aliases = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text
      .trim()
      .split(/\s*\n\s*/)
      .flatMap((line) => {
        const [command = '', ...names] = line.split(' ');
        return names.map((name) => [name, command]);
      }),
  );

/** Aliases of a default session. */
const ALIASES = aliases(`
  remove-item rm ri del erase rd rmdir
  get-childitem gci ls dir
  get-content gc cat type
  copy-item cp copy cpi
  move-item mv move mi
  rename-item ren rni
  new-item ni
  set-item si
  get-item gi
  set-content sc
  add-content ac
  clear-content clc
  clear-item cli
  get-itemproperty gp
  set-itemproperty sp
  remove-itemproperty rp
  set-location cd chdir sl
  push-location pushd
  pop-location popd
  get-location gl pwd
  invoke-webrequest iwr curl wget
  invoke-restmethod irm
  invoke-expression iex
  invoke-command icm
  invoke-item ii
  foreach-object % foreach
  where-object ? where
  select-object select
  select-string sls
  sort-object sort
  group-object group
  measure-object measure
  compare-object compare diff
  format-table ft
  format-list fl
  format-wide fw
  format-custom fc
  write-output echo write
  tee-object tee
  get-process gps ps
  stop-process spps kill
  start-process saps start
  get-service gsv
  start-service sasv
  stop-service spsv
  start-job sajb
  get-job gjb
  receive-job rcjb
  remove-job rjb
  wait-job wjb
  start-sleep sleep
  get-command gcm
  get-help man help
  get-member gm
  get-history h history ghy
  clear-history clhy
  get-variable gv
  set-variable sv set
  new-variable nv
  remove-variable rv
  clear-variable clv
  new-alias nal
  set-alias sal
  get-alias gal
  import-module ipmo
  get-module gmo
  remove-module rmo
  import-csv ipcsv
  export-csv epcsv
  get-unique gu
  resolve-path rvpa
  convert-path cvpa
  get-wmiobject gwmi
  invoke-wmimethod iwmi
  remove-wmiobject rwmi
  get-ciminstance gcim
  invoke-cimmethod icim
  remove-ciminstance rcim
  out-gridview ogv
  out-host oh
  out-printer lp
  get-clipboard gcb
  set-clipboard scb
  clear-host cls clear
  enter-pssession etsn
  new-pssession nsn
  new-psdrive ndr mount
  get-timezone gtz
  get-computerinfo gin
`);

/** The command behind a name. Module prefixes as in `Module\\Get-X` don't matter. */
export function commandNamed(name: string): string {
  const lower = name.toLowerCase().replace(/^[\w.]+\\(?=\w+-\w+$)/, '');
  return entryOf(ALIASES, lower) ?? lower;
}

/** Verbs of commands that only read, or that only matter for the commands after them. */
const LOOKING =
  /^(?:get|test|select|where|foreach|sort|measure|write|compare|convert|convertto|convertfrom|join|split|resolve|group|show|find|wait|read|search|format|assert|confirm|trace|receive|build|watch|ping)-\w+$/;

/** Other commands without lasting effects: settings of the shell, its jobs, and tools for tests and documentation. */
const HARMLESS: ReadonlySet<string> = new Set(
  (
    'out-host out-string out-null out-gridview out-default set-strictmode set-psdebug start-sleep import-module import-localizeddata ' +
    'import-powershelldatafile import-alias new-guid new-timespan new-variable set-variable clear-variable remove-variable new-alias ' +
    'set-alias remove-alias remove-module new-temporaryfile add-member clear-host set-location push-location pop-location ' +
    'start-job stop-job remove-job start-threadjob invoke-command invoke-history new-module export-modulemember ' +
    'invoke-pester new-pesterconfiguration new-pestercontainer describe context it should beforeall beforeeach afterall aftereach ' +
    'beforediscovery mock inmodulescope invoke-scriptanalyzer invoke-formatter invoke-build invoke-psake task properties ' +
    'new-markdownhelp update-markdownhelp update-markdownhelpmodule new-externalhelp new-modulemanifest update-modulemanifest ' +
    'new-scriptfileinfo update-formatdata update-typedata update-help save-help set-psreadlineoption set-psreadlinekeyhandler ' +
    'set-culture set-azcontext connect-azaccount set-defaultawsregion new-event unregister-event set-tracesource set-psbreakpoint ' +
    'remove-psbreakpoint start-transcript stop-transcript use-culture set-clipboard help more'
  ).split(' '),
);

/** Commands with a reading verb that have effects nevertheless. */
const ACTS =
  /^(?:format-volume|receive-smbshare|convert-vhd|convert-toadmin|search-andreplace|convertto-bitlocker\w*)$/;

export function isHarmlessCommand(name: string): boolean {
  return !ACTS.test(name) && (HARMLESS.has(name) || LOOKING.test(name));
}

/** A name that begins with a verb, like PowerShell's own. */
export function isVerbNoun(name: string): boolean {
  return /^[a-z]+-[a-z]\w*$/.test(name) && VERBS.has(name.slice(0, name.indexOf('-')));
}

const VERBS: ReadonlySet<string> = new Set(
  (
    'add approve assert backup block build checkpoint clear close compare complete compress confirm connect convert convertfrom ' +
    'convertto copy debug deny deploy disable disconnect dismount edit enable enter exit expand export find foreach format get grant group ' +
    'hide import initialize install invoke join limit lock measure merge mount move new open optimize out ping pop protect ' +
    'publish push read receive redo register remove rename repair request reset resize resolve restart restore resume revoke ' +
    'save search select send set show skip sort split start step stop submit suspend switch sync tee test trace unblock undo uninstall ' +
    'unlock unprotect unpublish unregister update use wait watch where write'
  ).split(' '),
);
