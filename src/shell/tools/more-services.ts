import type { Call } from '../call.ts';
import type { Tool, ToolTable } from '../tool.ts';
import { DRY_RUN, service } from './service-verbs.ts';

/** Command lines of the form `tool noun… verb name`, by the kind of service: adding one is adding a word. */
const BY_SYSTEM: Readonly<Record<string, string>> = {
  cloud:
    'linode-cli scw vultr-cli civo exo upctl ovhcloud aliyun tccli openstack govc ibmcloud cf eb copilot amplify sst ' +
    'chalice zappa kamal dokku tsuru appwrite koyeb northflank render shopify stripe auth0 okta sentry-cli pscale ' +
    'neonctl turso upstash convex nhost hasura zeabur deployctl s3cmd s5cmd b2 databricks snow gsutil ossutil cos mc',
  kubernetes:
    'k3d kubectx kubens crossplane karmadactl rancher tanzu okd vcluster kubefed cmctl linkerd cilium calicoctl',
  queue: 'confluent rpk kcat pulsar-admin temporal nsqadmin celery sidekiq bull',
  cluster: 'zkCli.sh zookeeper-shell ceph rados gluster patronictl pcs crm',
  virtual: 'multipass lxc incus virsh VBoxManage vmrun qm pct limactl colima orb firecracker-ctl',
  database:
    'neo4j-admin atlas clickhouse-backup barman pgbackrest wal-g couchbase-cli arangosh dgraph surreal',
  registry: 'skopeo regctl crane oras harbor jfrog jf cloudsmith',
};

const OPTIONS = 'y,yes f,force q,quiet n,name= o,output= p,profile= r,region= c,config= dry-run help version';

const tool = (system: string): Tool => ({ options: OPTIONS, sub: 3, dryRun: DRY_RUN, run: service(system) });

/** `vagrant ssh -c x` runs x in its machine, as ssh does. */
function vagrant(call: Call): undefined {
  const [verb] = call.command.sub;
  const text = verb === 'ssh' ? call.value('--command') : null;
  if (text) call.runText(text.template, { place: 'remote', cwd: null });
  else service('virtual')(call);
}

/** The files of a cluster, by commands that look like options: `hdfs dfs -rm -r x`. */
function hadoop(call: Call): undefined {
  const words = call.command.argv.slice(1, 4).map(({ template }) => template);
  const verb = words.find((word) => /^-(?:rmr?|rmdir|expunge|delete(?:Snapshot)?|truncate)$/.test(word));
  call.resource('cluster', verb?.slice(1) ?? words[1] ?? '', verb !== undefined, null);
}

/** Both throw away what no current version of the project names, the first one also for everybody else. */
function collects(call: Call): undefined {
  const shared = call.name === 'mlflow' || call.has('--cloud');
  if (call.command.sub[0] === 'gc') call.resource('cloud', 'gc', shared && !call.command.inert, null);
  else service('cloud')(call);
}

/** `sync` and `move` take away what they do not find, or what they took. */
function rclone(call: Call): undefined {
  const [verb = ''] = call.command.sub;
  const takes = /^(?:sync|move|moveto|delete|deletefile|purge|rmdirs?|cleanup|dedupe|bisync)$/.test(verb);
  call.resource('cloud', verb, takes && !call.command.inert, call.operands.at(-1)?.text ?? null);
  call.network({ sends: true });
}

export const MORE_SERVICES: ToolTable = {
  ...Object.fromEntries(
    Object.entries(BY_SYSTEM).flatMap(([system, names]) =>
      names.split(' ').map((name): [string, Tool] => [name, tool(system)]),
    ),
  ),
  vagrant: {
    options: `${OPTIONS.replace('c,config=', 'c,command=')} provision=`,
    sub: 1,
    dryRun: DRY_RUN,
    run: vagrant,
  },
  hdfs: { singleDash: true, run: hadoop },
  hadoop: { singleDash: true, run: hadoop },
  dvc: {
    options: 'c,cloud w,workspace a,all-branches T,all-tags A,all-commits f,force q,quiet v,verbose',
    sub: 1,
    dryRun: ['--dry'],
    run: collects,
  },
  mlflow: { options: OPTIONS, sub: 1, dryRun: DRY_RUN, run: collects },
  rclone: {
    sub: 1,
    options:
      'n,dry-run P,progress v,verbose config= i,interactive transfers= delete-before delete-during delete-after delete-excluded',
    run: rclone,
  },
};
