import { isTestName } from '../../doors/test-names.ts';
import { changedRegion } from './region.ts';

export const INFRASTRUCTURE =
  /\.(?:tf|tfvars|hcl|bicep)(?:\.json)?$|(?:^|\/)\.github\/settings\.ya?ml$|(?:^|\/)(?:cloudformation|cfn|template|stack|serverless|sam|samconfig|cdk|pulumi)[\w.-]*\.(?:ya?ml|json|ts|js|py|toml)$|(?:^|\/)(?:infra\w*|terraform|cdk|pulumi|iac|cloudformation|ops|k8s|kubernetes|deploy|helm|charts)\/.*\.(?:ts|js|py|go|ya?ml|json|cs|java)$/i;

/** Settings with the value that protects, and the one that does not; `deletion_protection` is `DeletionProtection` as well. */
const SETTINGS: readonly (readonly [name: string, safe: string, open: string])[] = [
  ['(?:enable_?)?(?:deletion|termination|purge|delete)_?protection(?:_?enabled)?', 'true', 'false'],
  ['prevent_?destroy', 'true', 'false'],
  ['skip_?final_?snapshot', 'false', 'true'],
  ['force_?destroy', 'false', 'true'],
  [
    'publicly_?accessible|public_?network_?access(?:_?enabled)?|associate_?public_?ip_?address',
    'false|disabled',
    'true|enabled',
  ],
  ['(?:block|ignore|restrict)_?public_?(?:acls|policy|buckets)', 'true', 'false'],
  ['(?:storage_?)?encrypted|encryption_?at_?rest|enable_?key_?rotation', 'true', 'false'],
  ['require_?ssl|ssl_?enforcement_?enabled|https_?only|enable_?https_?traffic_?only', 'true', 'false'],
  ['backup_?retention(?:_?period|_?days)?|retention_?in_?days', '[1-9]\\d*', '0'],
  ['versioning|versioned|status', 'enabled', 'disabled|suspended'],
  [
    '(?:versioning|logging|encryption|backup|point_in_time_recovery)\\w{0,30}\\s{0,9}=?\\s{0,9}\\{\\s{0,40}(?:enabled|status)|versioned',
    'true|enabled',
    'false|disabled|suspended',
  ],
  ['point_?in_?time_?recovery(?:_?enabled)?', 'true', 'false'],
  [
    'deletion_?policy|update_?replace_?policy|removal_?policy',
    '(?:\\w+\\.)*(?:retain|snapshot)',
    '(?:\\w+\\.)*(?:delete|destroy|abandon)',
  ],
  ['run_?as_?non_?root|read_?only_?root_?filesystem', 'true', 'false'],
  ['allow_?privilege_?escalation', 'false', 'true'],
  // Protection of shared branches.
  [
    'enforce_?admins|require_?signed_?commits|require_?code_?owner_?reviews?|dismiss_?stale_?reviews|require_?conversation_?resolution|strict',
    'true',
    'false',
  ],
  ['allows?_?force_?push(?:es)?|allows?_?deletions?|bypass_?\\w{0,20}', 'false', 'true'],
  [
    'required_?(?:approving_?review_?count|approvals)|approvals_?required|minimum_?approvals',
    '[1-9]\\d*',
    '0',
  ],
  [
    'mfa_?delete|require_?mfa|mfa_?configuration|mfa_?enforced|enforce_?sso|soft_?delete(?:_?enabled)?|uniform_?bucket_?level_?access|iam_?database_?authentication(?:_?enabled)?|rbac(?:_?enabled)?|enable_?rbac|network_?policy(?:_?enabled)?|secret_?scanning|vulnerability_?alerts|multi_?az|private_?cluster_?enabled|enable_?private_?nodes|validate_?certs?|auto_?minor_?version_?upgrade',
    'true|on|enabled|required',
    'false|off|disabled|optional',
  ],
  [
    'endpoint_?public_?access|allow_?(?:blob|nested_?items)_?(?:to_?be_?)?public(?:_?access)?|public_?access(?:_?enabled)?|allow_?unauthenticated|anonymous(?:_?pull)?(?:_?enabled)?|admin_?enabled|local_?auth(?:entication)?_?enabled',
    'false|disabled',
    'true|enabled',
  ],
  ['visibility', 'private|internal', 'public'],
  ['acl', 'private', 'public-read(?:-write)?'],
  ['default_?action|public_?access_?prevention', 'deny|enforced|block', 'allow|inherited|unspecified'],
  [
    'http_?tokens|authorization(?:_?type)?|auth_?type',
    'required|aws_iam|custom|jwt|cognito\\w*',
    'optional|none',
  ],
  [
    'min(?:imum)?_?(?:tls_?version|protocol_?version)',
    '(?:tls)?_?v?1[._][23]\\w*',
    '(?:tls)?_?v?1[._][01]\\w*',
  ],
  ['enable_?log(?:ging|_file_validation)|is_?multi_?region_?trail|enable_?waf', 'true', 'false'],
];
const COMPILED = SETTINGS.map(([name, safe, open]) => {
  const set = (value: string) =>
    new RegExp(`\\b(?:${name})["']?\\s{0,9}[:=]\\s{0,9}["']?(?:${value})\\b`, 'gi');
  return { safe: set(safe), open: set(open) };
});
/** They protect by being there. */
const GUARDS =
  /\b(?:prevent_destroy|(?:enable_)?deletion_?protection(?:_enabled)?|DeletionPolicy|removalPolicy)\b["']?\s{0,9}[:=]\s{0,9}["']?(?:true|(?:\w+\.)*retain)\b|\brequired_(?:pull_request_reviews|status_checks)\s{0,9}[{:]|\b(?:server_side_encryption_configuration|aws_s3_bucket_public_access_block|github_branch_protection\w*|aws_guardduty_detector|aws_cloudtrail|aws_backup_plan)"?\s{1,9}["{]/gi;
const LONGEST = 64 * 1024;

/** True if a change turns off protection of data or machines, or opens them to the public. */
export function opensInfrastructure(path: string, given: string, before: string | null): boolean {
  if (!INFRASTRUCTURE.test(path)) return false;
  const text = plain(given);
  const old = before === null ? null : plain(before);
  if (openings(text) > openings(old ?? '')) return true;
  if (old === null) return false;
  const region = changedRegion(old, text);
  if (region !== null && widens(region.text, region.before)) return true;
  if (isTestName(path)) return false;
  const more = (pattern: RegExp, one: string, other: string) => count(pattern, one) > count(pattern, other);
  // The same may be set for many things, of which one loses it.
  if (COMPILED.some(({ safe, open }) => more(safe, old, text) && more(open, text, old))) return true;
  // The rest of it stays, so that it was not moved elsewhere.
  const kept = text.split('\n').length;
  const had = old.split('\n').length;
  return more(GUARDS, old, text) && (text === '' ? had <= FEW_LINES : kept >= had - 4);
}

/** A block of its own. */
const FEW_LINES = 6;

function count(pattern: RegExp, text: string): number {
  return text.match(pattern)?.length ?? 0;
}

function plain(text: string): string {
  return text
    .slice(0, LONGEST)
    .replace(/^[ \t]*(?:#|\/\/).*$/gm, '')
    .trim();
}

const ANY_ADDRESS = /0\.0\.0\.0\/0|::\/0|\banyIpv[46]\s?\(/g;
const NEAR = 300;
/** Ports of shells and databases, and all ports. */
const ADMIN_PORT =
  /(?:ports?|port_range|fromPort|toPort|tcp)\w{0,6}["']?\s{0,5}[:=(]\s{0,5}[["']{0,2}(?:22|23|2375|2379|3306|3389|5432|5439|5900|6379|6443|8500|9200|10250|11211|1433|1521|27017)\b|\ballTraffic\s?\(|\bprotocol["']?\s{0,5}[:=]\s{0,5}["']?(?:-1|all)\b|\bIpProtocol["']?\s{0,5}:\s{0,5}["']?-1/i;
const ALL_RIGHTS =
  /\bactions?["']?\s{0,5}[:=]\s{0,5}\[?\s{0,5}["']\*["'][\s\S]{0,200}\bresources?["']?\s{0,5}[:=]\s{0,5}\[?\s{0,5}["']\*["']|\bacl["']?\s{0,5}[:=]\s{0,5}["']public-read-write|\b(?:all(?:Authenticated)?Users)\b["']|\broles\/owner\b|\bpolicy\/AdministratorAccess\b|["']?\bPrincipal["']?\s{0,5}[:=]\s{0,5}(?:["']\*["']|\{\s{0,20}["']?AWS["']?\s{0,5}[:=]\s{0,5}\[?\s{0,5}["']\*["'])/gi;

const WEB = /\b(?:80|443|8080|8443)\b|\bhttps?\b|egress|outbound/i;

/** From some machines to all. */
function widens(text: string, old: string): boolean {
  const isAll = (one: string) => /\b0\.0\.0\.0\/0|::\/0/.test(one);
  return isAll(text) && !isAll(old) && /\d\/(?:8|12|16|2\d|3[0-2])\b/.test(old) && !WEB.test(text);
}

/** Counts what is open to the public. */
function openings(text: string): number {
  const rights = /\bdeny\b/i.test(text) ? 0 : count(ALL_RIGHTS, text);
  const addresses = [...text.matchAll(ANY_ADDRESS)].filter(({ index }) => {
    const start = text.slice(Math.max(0, index - NEAR), index);
    const block =
      start.slice(Math.max(start.lastIndexOf('}'), 0)) +
      (text.slice(index, index + NEAR).split('}')[0] ?? '');
    return ADMIN_PORT.test(block) && !/egress|outbound|"type"\s*=\s*"egress/i.test(block);
  });
  return rights + addresses.length;
}
