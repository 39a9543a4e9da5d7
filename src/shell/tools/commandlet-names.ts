import type { Call } from '../call.ts';
import type { ToolTable } from '../tool.ts';

const SYSTEM: Readonly<Record<string, string>> = {
  shutdown: 'stop-computer restart-computer',
  format:
    'format-volume clear-disk initialize-disk remove-partition remove-volume remove-wmiobject remove-ciminstance resize-partition ' +
    'set-disk set-partition dismount-volume remove-virtualdisk remove-storagepool reset-physicaldisk new-partition format-disk',
  'service stop': 'stop-service suspend-service remove-service',
  persist:
    'new-service set-service register-scheduledjob set-wmiinstance register-wmievent register-cimindicationevent',
  schedule:
    'register-scheduledtask set-scheduledtask new-scheduledtask new-scheduledtaskaction unregister-scheduledtask disable-scheduledtask',
  security:
    'set-mppreference add-mppreference remove-mppreference enable-psremoting set-acl disable-bitlocker ' +
    'suspend-bitlocker unlock-bitlocker set-authenticodesignature import-certificate import-pfxcertificate disable-windowsoptionalfeature ' +
    'set-processmitigation unblock-file disable-computerrestore set-psrepository register-psrepository set-wsmaninstance ' +
    'enable-wsmancredssp set-wsmanquickconfig add-windowscapability enable-windowsoptionalfeature new-smbshare grant-smbshareaccess ' +
    'set-processpriority add-appxpackage remove-appxpackage remove-windowsfeature uninstall-windowsfeature set-vmsecurity',
  firewall:
    'set-netfirewallprofile set-netfirewallrule new-netfirewallrule remove-netfirewallrule disable-netfirewallrule enable-netfirewallrule',
  network:
    'disable-netadapter set-dnsclientserveraddress set-netipaddress remove-netroute new-netroute set-netadapter new-netipaddress remove-netipaddress',
  account:
    'new-localuser set-localuser remove-localuser enable-localuser disable-localuser add-localgroupmember new-localgroup ' +
    'remove-localgroupmember remove-localgroup new-aduser set-aduser set-adaccountpassword add-adgroupmember enable-adaccount ' +
    'disable-adaccount unlock-adaccount reset-computermachinepassword rename-computer add-computer remove-computer',
  history: 'clear-history clear-eventlog remove-eventlog limit-eventlog',
};

const CLOUD =
  'remove-azresourcegroup remove-azvm remove-azstorageaccount remove-azsqldatabase remove-azkeyvault remove-azresource ' +
  'remove-azwebapp remove-azsqlserver remove-azdisk remove-azstoragecontainer remove-azstorageblob remove-azaks stop-azvm ' +
  'remove-s3bucket remove-s3object remove-ec2instance stop-ec2instance remove-rdsdbinstance remove-rdsdbcluster remove-cfnstack ' +
  'remove-lmfunction remove-ddbtable remove-iamuser remove-aduser remove-adcomputer remove-adgroup remove-adorganizationalunit ' +
  'remove-adobject remove-vm stop-vm remove-vmsnapshot remove-vmhost remove-gcecomputeinstance remove-gcestoragebucket ' +
  'remove-gcsbucket remove-gcsobject remove-gkecluster remove-mailbox remove-mguser remove-mggroup remove-msoluser remove-azureaduser';

/** They give out a password or a token. */
const SECRETS =
  'unprotect-data get-storedcredential get-secret get-azkeyvaultsecret get-azaccesstoken get-azstorageaccountkey ' +
  'get-secsecretvalue get-ssmparametervalue get-adreplaccount get-adreplicationaccount get-dpapi get-gsspassword ' +
  'get-laps get-lapsadpassword get-lapspassword invoke-mimikatz invoke-dcsync get-cachedrdpconnection';

/** They do something on another machine, or start what nobody has read. */
const REACHES = 'enter-pssession new-pssession invoke-wmimethod invoke-cimmethod new-cimsession';

const all = (names: string, run: (call: Call) => undefined): ToolTable =>
  Object.fromEntries(names.split(' ').map((name) => [name, { singleDash: true, run }]));

/** What it aims at, as far as one word says so. */
function aim(call: Call): string | null {
  const words = call.command.argv.slice(1).map(({ template }) => template);
  const at = words.findIndex((word) => /^-(?:name|path|taskname|displayname|identity)$/i.test(word));
  return at >= 0 ? (words[at + 1] ?? null) : (words.find((word) => !word.startsWith('-')) ?? null);
}

/** Processes are ended all at once by a pattern, and otherwise one by one. */
function stopsProcess(call: Call): undefined {
  const words = call.command.argv.slice(1).map(({ template }) => template);
  const everything = words.some((word) => /^\*$/.test(word));
  call.system(everything ? 'service kill' : 'kill', aim(call));
}

/** Which scripts may run; for this process only, it ends with it. */
function setsPolicy(call: Call): undefined {
  const words = call.command.argv.slice(1).map(({ template }) => template);
  if (!/(?:^|\s)-s(?:c|co|cop|cope)?[\s:]+process(?:\s|$)/i.test(words.join(' ')))
    call.system('security', aim(call));
}

/** Commands that act on the machine, on accounts and on a cloud. */
export const MACHINE_COMMANDLETS: ToolTable = {
  ...Object.assign(
    {},
    ...Object.entries(SYSTEM).map(([action, names]) =>
      all(names, (call) => void call.system(action, aim(call))),
    ),
  ),
  ...all(CLOUD, (call) => void call.resource('cloud', call.name, true, aim(call))),
  ...all(SECRETS, (call) => void call.read(null)),
  ...all(REACHES, (call) => void call.execute('unknown')),
  ...all('stop-process', stopsProcess),
  ...all('set-executionpolicy', setsPolicy),
  ...all('start-service restart-service resume-service', () => undefined),
};
