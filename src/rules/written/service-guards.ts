/** Settings that open a service without authentication, by file. */
const OPEN: readonly (readonly [file: RegExp, open: RegExp])[] = [
  [
    /(?:^|\/)sshd_config(?:\.d\/[\w.-]+)?$/,
    /^[ \t]*(?:PermitRootLogin[ \t]+yes|PasswordAuthentication[ \t]+yes|PermitEmptyPasswords[ \t]+yes|StrictModes[ \t]+no)\b/gim,
  ],
  [
    /(?:^|\/)pg_hba\.conf[\w.]*$/,
    /^[ \t]*host\w*[ \t]+\S+[ \t]+\S+[ \t]+(?:0\.0\.0\.0\/0|::\/0|all)[ \t]+\S+|^[ \t]*host\w*[ \t]+\S+[ \t]+\S+[ \t]+(?!127\.|::1|localhost|samehost)\S+[ \t]+trust\b/gim,
  ],
  [/(?:^|\/)redis[\w.-]*\.conf$/, /^[ \t]*protected-mode[ \t]+no\b/gim],
  [
    /(?:^|\/)mongod?[\w.-]*\.conf$/,
    /^[ \t]*(?:authorization[ \t]*:[ \t]*["']?disabled|noauth[ \t]*=[ \t]*true)/gim,
  ],
  [
    /(?:^|\/)(?:elasticsearch|opensearch)\.ya?ml$/,
    /^[ \t]*(?:xpack|plugins)\.security\.(?:enabled[ \t]*:[ \t]*false|disabled[ \t]*:[ \t]*true)/gim,
  ],
  [/(?:^|\/)(?:my|mysqld?|mariadb[\w-]*)\.cnf$/, /^[ \t]*skip[-_]grant[-_]tables\b/gim],
  [/(?:^|\/)mosquitto[\w.-]*\.conf$/, /^[ \t]*allow_anonymous[ \t]+true\b/gim],
  [
    /(?:^|\/)(?:kube-apiserver|kubelet)[\w.-]*\.(?:ya?ml|conf|json)$/,
    /--anonymous-auth=true|--authorization-mode=AlwaysAllow|--insecure-port=[1-9]/gi,
  ],
  [/(?:^|\/)(?:docker\/)?daemon\.json$/, /["']tcp:\/\/0\.0\.0\.0|["']insecure-registries["']/gi],
  [
    /(?:^|\/)(?:nginx[\w./-]*|sites-[\w/.-]+)$/,
    /^[ \t]*(?:auth_basic[ \t]+off|ssl_verify_client[ \t]+off)\b/gim,
  ],
  [
    /\.sql$/i,
    /\b(?:disable|no[ \t]+force)[ \t]+row[ \t]+level[ \t]+security\b|\bgrant[ \t]+all\b[^;]{0,200}\bto[ \t]+(?:public|anon|"anon")\b|\bfor[ \t]+all[ \t]+to[ \t]+(?:public|anon)[ \t]+using[ \t]*\([ \t]*true/gi,
  ],
];

/** `Role` and `ClusterRole` with every right, or a binding to unauthenticated users. */
const BINDING = /^[ \t]*kind[ \t]*:[ \t]*["']?(?:Cluster)?RoleBinding\b/m;
const ROLE = /^[ \t]*kind[ \t]*:[ \t]*["']?(?:Cluster)?Role\b(?!Binding)/m;
const UNAUTHENTICATED = /["']?\bsystem:(?:unauthenticated|anonymous)\b/g;
const EVERY_ACCOUNT = /["']?\bsystem:(?:authenticated|serviceaccounts)["']?[ \t]*(?:$|[,}\]])/gm;
const EVERYTHING =
  /^[ \t]*(?:-[ \t]*)?["']?(?:apiGroups|resources|verbs)["']?[ \t]*:[ \t]*(?:\[[ \t]*["']?\*["']?[ \t]*\]|\n[ \t]*-[ \t]*["']?\*["']?[ \t]*$)/gm;

const LONGEST = 64 * 1024;

export const SERVICE_FILES: readonly RegExp[] = [...OPEN.map(([file]) => file), /\.ya?ml$/i];

/** How many doors a file leaves open. */
function openIn(path: string, given: string): number {
  const text = given.slice(0, LONGEST).replace(/^[ \t]*(?:#|--|\/\/).*$/gm, '');
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const own = OPEN.filter(([file]) => file.test(path)).reduce((sum, [, open]) => sum + count(open), 0);
  if (!/\.ya?ml$/i.test(path)) return own;
  const bound = BINDING.test(text) ? count(UNAUTHENTICATED) + count(EVERY_ACCOUNT) : 0;
  const all = ROLE.test(text) ? Math.floor(count(EVERYTHING) / 3) : 0;
  return own + bound + all;
}

const COMPOSE = /(?:^|\/)(?:docker-)?compose[\w.-]*\.ya?ml$/i;
/** A port that only this machine reaches, by its two numbers. */
const OWN_PORT = /(?:127\.0\.0\.1|localhost):(\d{2,5}:\d{2,5})\b/g;

/** From now on other machines reach a port that was this machine's own. */
function unbinds(path: string, text: string, before: string): boolean {
  if (!COMPOSE.test(path)) return false;
  const own = (of: string) => new Set([...of.matchAll(OWN_PORT)].map(([, ports = '']) => ports));
  const now = own(text);
  return [...own(before)].some((ports) => !now.has(ports) && text.includes(ports));
}

/** True if a change opens a service to users who had no access before. */
export function opensService(path: string, text: string, before: string | null): boolean {
  return openIn(path, text) > openIn(path, before ?? '') || (before !== null && unbinds(path, text, before));
}
