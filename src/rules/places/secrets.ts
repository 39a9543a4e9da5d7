import type { Places } from './named.ts';

/** Names under which programs of any kind keep what they log in with. Few patterns: each is tried on every read. */
const STORES =
  '{credentials*,.credentials*,oauth_creds*,access_token*,auth.json,auth.toml,auth.yml,token,token.*,tokens.*,secrets.*}';

const KEYS = [
  '~/.ssh/**',
  '/root/.ssh/**',
  '/etc/ssh/ssh_host_*',
  '~/.gnupg/**',
  '~/.password-store/**',
  '**/id_{rsa,dsa,ecdsa,ed25519,ecdsa_sk,ed25519_sk}',
  '/Users/*/Library/Keychains/**',
  '~/Library/Keychains/**',
  '/Library/Keychains/**',
  '~/.local/share/{keyrings,kwalletd}/**',
  '~/.config/{age,sops/age}/**',
  '~/.step/secrets/**',
  '/etc/{ssl,pki/tls,pki/CA}/private/**',
  '/etc/letsencrypt/**/privkey*.pem',
  '/etc/{wireguard,ipsec.d/private}/**',
  '/etc/{ipsec.secrets,krb5.keytab}',
  '~/.{bitcoin,ethereum,electrum,monero}/**',
  '~/.config/solana/**',
  '**/wallet.dat',
];

const CLOUDS = [
  // The folders themselves: who searches or copies one reads what is in it.
  '~/.{aws,kube,azure,oci,fly,pulumi,terraform.d}',
  '~/.config/{gh,gcloud,rclone,op,sops}',
  '~/.aws/{credentials,config,sso/**,cli/cache/**}',
  '~/.config/{gcloud,doctl,hcloud,scw,linode-cli,civo,heroku,netlify,.wrangler,configstore}/**',
  '~/.{azure,oci,aliyun,tccli,bluemix,fly,vercel,railway,cf,pulumi}/**',
  '~/.local/share/com.vercel.cli/**',
  '~/.{s3cfg,boto,terraformrc,vault-token,databrickscfg,rclone.conf,ossutilconfig}',
  '~/.terraform.d/credentials.tfrc.json',
  '~/.config/{rclone/rclone.conf,filezilla/**}',
  '~/.{mc/config.json,filezilla/**,snowsql/config,dbt/profiles.yml}',
];

const CLUSTERS = [
  '~/.kube/{config,config.*,*.config}',
  '/etc/kubernetes/{*.conf,pki/**}',
  '/etc/rancher/**',
  '/{run,var/run}/secrets/**',
  '~/.docker/config.json',
  '~/.{dockercfg,config/containers/auth.json,config/helm/registry.json}',
];

const CODE_HOSTS = [
  '~/.{netrc,git-credentials,gitcookies}',
  '~/_netrc',
  '**/AppData/Roaming/{gh,GitHub CLI,gcloud,glab-cli,doctl,NuGet}/**',
  '~/.config/{gh/hosts.yml,hub,glab-cli/**,lab/**,git/credentials,github-copilot/**}',
  '~/.{circleci/cli.yml,travis/config.yml,jenkins/secrets/**,buildkite-agent/**}',
  '/etc/gitlab-runner/**',
  '/var/lib/jenkins/{secrets/**,credentials.xml}',
];

const PACKAGES = [
  '~/.{npmrc,pypirc,bundle/config,hex/hex.config}',
  '~/.{cargo,gem}/credentials*',
  '~/{.composer,.config/composer}/auth.json',
  '~/.m2/settings{,-security}.xml',
  '~/.gradle/gradle.properties',
  '~/{.nuget/NuGet,.config/NuGet}/NuGet.Config',
  '~/.config/pypoetry/auth.toml',
  '~/.{huggingface/token,cache/huggingface/token,kaggle/kaggle.json}',
];

const DATABASES = [
  '~/.{pgpass,pg_service.conf,my.cnf,mylogin.cnf,redisclirc,cassandra/credentials,mongorc.js,mongodb/mongosh/config}',
  '/etc/mysql/debian.cnf',
  '/var/lib/mysql/mysql/**',
];

const BROWSERS = [
  '~/.{mozilla,thunderbird}/**',
  '~/.config/{google-chrome,google-chrome-beta,chromium,BraveSoftware,microsoft-edge,vivaldi,opera}/**',
  '~/snap/{firefox,chromium}/**',
  '~/Library/Application Support/{Google/Chrome,Firefox,BraveSoftware,Microsoft Edge,Chromium,Vivaldi,Arc}/**',
  '~/Library/{Cookies,Safari,Messages,Mail}/**',
  '/Users/*/Library/{Cookies,Safari,Messages,Mail}/**',
  '~/Library/Preferences/com.apple.accounts.plist',
  '~/.local/share/TelegramDesktop/**',
  '~/{.config,Library/Application Support}/{Slack,discord,Signal}/**',
  '**/AppData/{Local,Roaming}/{Google/Chrome,Mozilla,Microsoft/Edge,BraveSoftware,Microsoft/Credentials}/**',
  '**/{logins.json,key4.db,Login Data,signons.sqlite}',
];

const PASSWORD_MANAGERS = [
  '~/.config/{op,1Password,keepassxc,Bitwarden,Bitwarden CLI}/**',
  '~/.{1password,lpass,lastpass}/**',
  '~/Library/Application Support/{1Password,Bitwarden,Bitwarden CLI,KeePassXC}/**',
];

const SYSTEM = [
  '/etc/{shadow,shadow-,gshadow,gshadow-,sudoers,master.passwd,security/opasswd}',
  '/etc/sudoers.d/**',
  '/proc/*/{environ,mem}',
  '/proc/kcore',
  '/dev/mem',
  '/var/db/dslocal/**',
  '/etc/NetworkManager/system-connections/**',
  '/etc/wpa_supplicant/**',
  '/etc/{ppp/chap-secrets,davfs2/secrets}',
  '~/.{smbcredentials,davfs2/secrets}',
  '**/Windows/System32/config/{SAM,SYSTEM,SECURITY}',
  '**/{NTDS,ntds}.dit',
];

const FILES = [
  '**/{*.{pem,p12,pfx,p8,jks,keystore,kdbx,kdb,ppk,key,keytab,ovpn,bks,jceks,pkcs12,agekey},{,*[._-]}{key,keystore,signing}.properties}',
  '**/{client_secret,service-account,service_account,gcp-key,google-credentials,*{-,_}service-account,*firebase-adminsdk,play-store,google-play}*.json',
  '**/{secrets,secret,credentials,passwords,passwd,.secrets}.{yml,yaml,json,toml,ini,txt,csv,enc}',
  '**/{secrets,credentials}[._-]{prod,production,live,staging}.{yml,yaml,json,toml}',
  '**/{prod,production,live,staging}[._-]{secrets,credentials}.{yml,yaml,json,toml}',
  '**/{secrets,credentials}/{prod,production,live,staging}.{yml,yaml,json,toml,env}',
  '**/{vault_pass.txt,vault-pass.txt,vault_password.txt,vault_pass,prod.env,production.env,live.env,staging.env,secrets.env,.dev.vars,*_rsa,*_ed25519,*_ecdsa,secring.gpg}',
  '**/*.{tfstate,tfstate.backup,tfvars,auto.tfvars}',
  '**/{.htpasswd,.vault_pass,.vault-pass,.vault_password,kubeconfig,.pgpass,.netrc,.git-credentials,.dockercfg}',
  '**/{.aws/credentials,.credentials_rsaparams,wp-config.php}',
];

/** Where secrets are, by who keeps them. `"<name>"` in a pack stands for all of them. */
export const SECRET_PLACES: Places = {
  'private-keys': KEYS,
  credentials: [
    ...CLOUDS,
    ...CLUSTERS,
    ...CODE_HOSTS,
    ...PACKAGES,
    ...DATABASES,
    ...BROWSERS,
    ...PASSWORD_MANAGERS,
    ...SYSTEM,
    `~/.*/${STORES}`,
    `~/.config/*/${STORES}`,
  ],
  'secret-files': FILES,
  histories: [
    '~/.{bash,zsh,ash,sh,psql,mysql,sqlite,python,node_repl,irb,pry,rediscli,mongo}_history',
    '~/.{histfile,rediscli_history,dbshell,local/share/fish/fish_history}',
    '**/ConsoleHost_history.txt',
  ],
};
