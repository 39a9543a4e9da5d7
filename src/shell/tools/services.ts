import { UNKNOWN } from '../analysis.ts';
import type { Call } from '../call.ts';
import { hostOf } from '../hosts.ts';
import type { ToolTable } from '../tool.ts';
import { joinWords } from '../word.ts';
import { DESTRUCTIVE, service, words } from './service-verbs.ts';
import { announce, scriptFile } from './shells.ts';

function kubectl(call: Call): string {
  const { sub, operands } = call.command;
  if (sub[0] === 'exec' || sub[0] === 'debug') {
    const at = call.command.argv.findIndex((word) => word.text === '--');
    const command = at > 0 ? call.command.argv.slice(at + 1) : operands.slice(1);
    call.resource('kubernetes', sub[0], false, operands[0]?.text ?? null);
    if (command.length > 0) call.runArgv(command, { place: 'container', cwd: null });
    return UNKNOWN;
  }
  if (sub[0] === 'cp') {
    for (const word of operands) if (!word.template.includes(':')) call.read(word);
  }
  for (const file of call.values('--filename', '--kustomize')) call.read(file);
  if (sub[0] === 'replace' && call.has('--force')) call.resource('kubernetes', 'replace', true, null);
  service('kubernetes')(call);
  return UNKNOWN;
}

const KUBECTL =
  'n,namespace= context= cluster= kubeconfig= s,server= token= user= as= f,filename= k,kustomize= l,selector= o,output= c,container= ' +
  'A,all-namespaces all force grace-period= cascade? dry-run? i,stdin t,tty R,recursive w,watch p,patch= type= v= timeout= wait now ' +
  'field-selector= sort-by= q,quiet ignore-daemonsets delete-emptydir-data delete-local-data to-revision= replicas= field-manager= insecure-skip-tls-verify';

const AWS =
  'profile= region= output= query= endpoint-url= ca-bundle= cli-input-json= no-cli-pager debug recursive force delete dryrun quiet ' +
  'body= bucket= key= zip-file= function-name= exclude= include= acl= storage-class= content-type= metadata= no-progress follow-symlinks';

function aws(call: Call): string {
  service('aws')(call);
  const [area, action] = call.command.sub;
  if (area === 's3') {
    const target = call.operands.at(-1);
    if (call.operands.length > 1 && target && !target.template.startsWith('s3://')) call.write(target);
    if (action === 'sync' && call.has('--delete'))
      call.resource('aws', 'sync --delete', true, call.operands[1]?.text ?? null);
  }
  if (area === 'ssm' && action === 'start-session') call.network({ direction: 'out' });
  return UNKNOWN;
}

function terraform(call: Call): string {
  const [action] = call.command.sub;
  const auto = call.has('--auto-approve');
  const destroys =
    /^destroy(?:-all)?$/.test(action ?? '') ||
    (action !== 'plan' && call.has('--destroy')) ||
    (action === 'apply' && auto);
  const state = action === 'state' && /^(?:rm|push|replace-provider)$/.test(call.command.sub[1] ?? '');
  const others =
    action === 'taint' ||
    action === 'force-unlock' ||
    (action === 'workspace' && call.command.sub[1] === 'delete');
  if (action)
    call.resource(
      'terraform',
      call.command.sub.join(' '),
      destroys || state || others,
      call.operands[0]?.text ?? null,
    );
  return UNKNOWN;
}

function gh(call: Call): string {
  const method = call.value('--method')?.text?.toUpperCase() ?? null;
  service('github')(call);
  call.network({
    host: call.value('--hostname')?.text ?? 'api.github.com',
    method,
    url: call.operands[0]?.text ?? null,
    sends: call.command.sub[1] === 'create',
  });
  if (method === 'DELETE') call.resource('github', 'delete', true, call.operands[0]?.text ?? null);
  for (const file of call.values('--body-file', '--input')) call.read(file);
  return UNKNOWN;
}

function doppler(call: Call): string {
  const script = call.value('--command');
  if (call.command.sub[0] === 'run') {
    if (script) call.runText(script.template);
    else call.runArgv(call.operands);
    return UNKNOWN;
  }
  service('secrets')(call);
  return UNKNOWN;
}

function java(call: Call): undefined {
  const at = call.command.argv.findIndex((word) => /jenkins-cli\.jar$/.test(word.template));
  const program = call.value('--jar') ?? call.operands.find(({ template }) => template.endsWith('.java'));
  call.read(program ?? null);
  if (program) announce(call, scriptFile(call, program));
  if (at < 0) return;
  const verb = call.command.argv.slice(at + 1).find((word) => /^[a-z]+(?:-[a-z]+)+$/.test(word.template));
  call.network({ host: hostOf(call.value('-s')?.text ?? null) });
  if (verb?.text) call.resource('jenkins', verb.text, DESTRUCTIVE.test(verb.text), joinWords(call.operands));
}

/** Command lines of services: clusters, clouds, queues, secrets, backups, pipelines. */
export const SERVICES: ToolTable = {
  kubectl: { options: KUBECTL, sub: 1, run: kubectl },
  oc: { options: KUBECTL, sub: 1, run: kubectl },
  k3s: { sub: 1, run: service('kubernetes') },
  helm: words(
    'kubernetes',
    'n,namespace= kube-context= kubeconfig= f,values= set= version= dry-run? timeout= repo= wait atomic',
    1,
  ),
  helmfile: words('kubernetes', 'e,environment= f,file= l,selector= n,namespace=', 1),
  argocd: words('kubernetes', 'server= auth-token= cascade y,yes', 2),
  flux: words('kubernetes', 'n,namespace= s,silent', 2),
  istioctl: words('kubernetes', 'n,namespace= y', 2),
  kubeadm: words('kubernetes', 'f,force', 1),
  kops: words('kubernetes', 'name= state= yes', 2),
  eksctl: words('kubernetes', 'n,name= r,region= f,config-file= w,wait', 2),
  minikube: words('kubernetes', 'p,profile= all purge', 1),
  kind: words('kubernetes', 'name=', 2),
  velero: words('backup', 'n,namespace= confirm all selector= l= name= o=', 2),
  terraform: {
    singleDash: true,
    options:
      'chdir= auto-approve destroy target= var= var-file= state= out= input= lock= refresh= force replace=',
    sub: 1,
    groups: ['state', 'workspace', 'providers'],
    run: terraform,
  },
  tofu: {
    singleDash: true,
    options: 'chdir= auto-approve destroy target= var= var-file= state= out= force',
    sub: 1,
    groups: ['state', 'workspace'],
    run: terraform,
  },
  terragrunt: {
    options: 'auto-approve destroy non-interactive terragrunt-non-interactive',
    singleDash: true,
    sub: 1,
    groups: ['state', 'workspace', 'run-all'],
    run: terraform,
  },
  pulumi: {
    ...words('pulumi', 's,stack= y,yes C,cwd= f,skip-preview target= t= force show-secrets', 1),
    run: (call) => {
      if (call.command.sub[0] === 'up' && call.has('--yes', '--skip-preview'))
        call.resource('pulumi', 'up', true, null);
      else service('pulumi')(call);
      return undefined;
    },
  },
  cdk: words('aws', 'a,app= f,force all profile= require-approval= e', 1),
  serverless: words('cloud', 's,stage= r,region= c,config= f,function=', 1),
  sls: words('cloud', 's,stage= r,region= c,config= f,function=', 1),
  sam: words('aws', 'stack-name= region= profile= no-prompts', 1),
  aws: { options: AWS, sub: 2, run: aws },
  gcloud: words(
    'gcloud',
    'project= account= region= zone= format= q,quiet impersonate-service-account= configuration= async',
    4,
  ),
  gsutil: words('gcloud', 'm o= q D h=', 1),
  az: words(
    'azure',
    'g,resource-group= n,name= subscription= o,output= y,yes no-wait ids= l,location= account-name= query= f,file= s,source= d,destination= c,container-name=',
    4,
  ),
  azcopy: words('azure', 'recursive', 1),
  doctl: words('cloud', 'c,context= t,access-token= f,force o,output=', 3),
  hcloud: words('cloud', 'context=', 2),
  oci: words('cloud', 'force profile= region= compartment-id=', 3),
  ibmcloud: words('cloud', 'f,force', 2),
  flyctl: words('cloud', 'a,app= c,config= y,yes', 2),
  fly: words('cloud', 'a,app= c,config= y,yes', 2),
  heroku: words('cloud', 'a,app= c,confirm= r,remote=', 1),
  vercel: words('cloud', 't,token= y,yes S,scope= prod', 2),
  netlify: words('cloud', 's,site= f,force prod', 2),
  wrangler: words('cloud', 'c,config= e,env= force f,file= remote local', 2),
  railway: words('cloud', 's,service= e,environment= y,yes', 1),
  supabase: words('cloud', 'project-ref= linked', 2),
  firebase: words('cloud', 'P,project= f,force token=', 1),
  gh: {
    options:
      'R,repo= X,method= H,header= F,field= f,raw-field= q,jq= t,title= b,body= B,base= body-file= input= hostname= l,label= y,yes L= s,state= w,web json= p,paginate visibility= admin add=',
    sub: 2,
    groups: [
      ...'repo pr issue release gist secret variable workflow run cache ssh-key gpg-key label codespace project ruleset org auth config alias extension attestation'.split(
        ' ',
      ),
    ],
    run: gh,
  },
  glab: { options: 'R,repo= y,yes', sub: 2, run: service('gitlab') },
  hub: words('github', '', 1),
  'gitlab-runner': words('ci', 'all-runners n,name= u,url= t,token= c,config=', 1),
  circleci: words('ci', 'token= host= org-id=', 2),
  vault: {
    singleDash: true,
    options: 'address= namespace= format= versions= version= prefix force field= mount= token=',
    sub: 2,
    run: service('secrets'),
  },
  op: words('secrets', 'vault= account= archive format= session= fields= reveal i,in-file= o,out-file=', 2),
  doppler: {
    options: 'p,project= c,config= t,token= y,yes command= format= no-file',
    sub: 1,
    groups: ['secrets', 'configs', 'projects', 'environments', 'activity'],
    subOptions: { run: 'p,project= c,config= t,token= command= preserve-env mount=' },
    stopAfter: ['run'],
    run: doppler,
  },
  bw: words('secrets', 'session= p,permanent', 2),
  consul: { singleDash: true, options: 'http-addr= token= recurse', sub: 2, run: service('cluster') },
  nomad: {
    singleDash: true,
    options: 'address= region= namespace= purge yes',
    sub: 2,
    run: service('cluster'),
  },
  etcdctl: words('cluster', 'endpoints= prefix from-key', 1),
  restic: words(
    'backup',
    'r,repo= p,password-file= n,dry-run prune keep-last= keep-daily= keep-weekly= keep-monthly= keep-hourly= tag= host= path= max-unused= unsafe-allow-remove-all',
    1,
  ),
  borg: words(
    'backup',
    'n,dry-run stats a,glob-archives= keep-last= keep-daily= keep-weekly= keep-monthly= P,prefix= cache-only list',
    1,
  ),
  duplicity: words('backup', 'force', 1),
  java: { singleDash: true, options: 'jar= cp= classpath= s=', run: java },
};
