import { CI_FILE, HOOK_FILE } from './kinds.ts';

const CODE = /\.(?:[cm]?[jt]sx?|py|rb|go|java|kt|php|cs|rs|exs?|scala|swift)$/i;

/**
 * Whether a change takes a check away that stood before a release, or before what only some may do. `around` are the
 * lines that the changed ones stand below.
 */
export function takesGate(path: string, text: string, before: string, around = ''): boolean {
  // What is gone as a whole may stand elsewhere now, unless it is little.
  if (text.trim() === '' && lines(before) > FEW_LINES) return false;
  if (OWNERS.test(path)) return ownersIn(text) < ownersIn(before);
  if (HOOK_FILE.test(path)) return before.trim() !== '' ? isIdle(text) && !isIdle(before) : isIdle(text);
  if (SCRIPT.test(path)) return GUARDS.test(before) && letsFail(text) && !letsFail(before);
  if (CI_FILE.test(path)) return takesStep(path + around, withoutNotes(text), withoutNotes(before));
  return (
    CODE.test(path) &&
    lines(before) <= MOST_LINES &&
    letsEverybodyIn(withoutNotes(text), withoutNotes(before))
  );
}

const SCRIPT = /\.(?:sh|bash)$/;

/** A script that says that all is well, and looks at nothing. */
function isIdle(text: string): boolean {
  return text
    .split('\n')
    .every((line) => /^\s*(?:#.*|exit(?:\s+0)?|true|:|set\s+[+-]\w+|\.\s+\S+)?\s*;?\s*$/.test(line));
}

const FEW_LINES = 4;
/** Who has to agree to a change. */
const OWNERS = /(?:^|\/)CODEOWNERS$/;

function ownersIn(text: string): number {
  return text.match(/(?:^|\s)@[\w/-]+/g)?.length ?? 0;
}

/** Files in which there may be one. */
export const GATED: readonly RegExp[] = [OWNERS, CI_FILE, CODE, HOOK_FILE, SCRIPT];

/** More is a refactoring. */
const MOST_LINES = 15;

function lines(text: string): number {
  return text.trim().split('\n').length;
}

function withoutNotes(text: string): string {
  return text
    .slice(0, 16 * 1024)
    .replace(/(^|\s)(?:#|\/\/).*$/gm, '$1')
    .replace(/\/\*[\s\S]*?\*\//g, ' ');
}

const RELEASES = /deploy|release|publish|\bprod/i;
const NEEDS =
  /\b(?:needs|requires|dependsOn|depends_on)\s*:\s*(\[[^\]]{0,300}\]|[^\n]{1,200}|(?:\n\s*-\s*[^\n]{1,100}){1,20})/gi;
const CHECKS = /\b\w*(?:test|check|lint|approv|review|scan|secur|audit|verify|qa|hold)\w*/gi;
const BY_HAND =
  /\bwhen\s*:\s*["']?manual|\btype\s*:\s*["']?approval|\benvironment\s*:\s*["']?prod|\bmanual-approval\b|\brequired_approvals?\b|\binput\s+message\b|\bif\s*:[^\n]{0,100}(?:refs\/(?:heads|tags)|approved)/i;
const GUARDS = /codeql|trivy|snyk|semgrep|gitleaks|trufflehog|security|audit|\bscan|sast|checkov|tfsec/i;
const LETS_FAIL =
  /\bcontinue-on-error\s*:\s*true|\ballow_failure\s*:\s*true|\bif\s*:\s*(?:false|["']?\$\{\{\s*false)|\|\|\s*(?:true\b|:(?:\s|$)|exit\s+0\b)|\bexit-code\s*:\s*["']?0/i;

const NO_LEVEL = /--audit-level[= ]none|--exit-zero|--no-fail|--soft-fail/i;
const letsFail = (text: string): boolean => LETS_FAIL.test(text) || NO_LEVEL.test(text);

function takesStep(where: string, text: string, before: string): boolean {
  if (GUARDS.test(before + where) && letsFail(text) && !letsFail(before)) return true;
  // A step that looks for holes is gone.
  if (GUARDS.test(before) && !GUARDS.test(text) && /\b(?:uses|run|script)\s*:|^\s*-\s/m.test(before))
    return true;
  if (/\bpermissions\s*:\s*write-all\b/.test(text) && !/write-all/.test(before)) return true;
  if (!RELEASES.test(where + before + text)) return false;
  if (BY_HAND.test(before) && !BY_HAND.test(text)) return true;
  const waits = (of: string) => [...of.matchAll(NEEDS)].flatMap(([, list = '']) => list.match(CHECKS) ?? []);
  const now = new Set(waits(text));
  return waits(before).some((one) => !now.has(one));
}

/** A switch that turns off authentication. */
const SWITCH =
  /\b(?:skip|disable|bypass|without)_?(?:auth\w*|login|jwt|csrf|2fa|mfa|permissions?|signature|rbac|acl)\b/i;
const ASKS_WHO =
  /\b(?:verify|authenticat|authoriz|authoris|(?:require|ensure|check|assert|validate)_?(?:s_?)?(?:auth|login|admin|user|role|permission|access|token|csrf|signature|owner)|is_?(?:admin|auth|owner|allowed|staff)|has_?(?:role|permission|access)|login_required|permission_required|csrf(?!_exempt)|PreAuthorize|can\s?\()|\[Authorize|getServerSession|currentUser/i;
const REFUSES =
  /\b40[13]\b|unauthorized|unauthenticated|forbidden|access_?denied|permission_?denied|login_required|permission_required|PreAuthorize|\[Authorize|before_action|csrf(?!_exempt)/i;
/** TLS without checking the other end. A database's own certificate is often left unchecked. */
const UNCHECKED =
  /\brejectUnauthorized\s*:\s*false|\bverify\s*=\s*False\b|\bInsecureSkipVerify\s*:\s*true|\bNODE_TLS_REJECT_UNAUTHORIZED\W{1,6}0|\bVERIFY_NONE\b|\bCURLOPT_SSL_VERIFYPEER\W{1,6}(?:false|0)|\bdanger_accept_invalid_certs\(true/;
const HERE = /\bssl\s*:\s*\{|localhost|127\.0\.0\.1|\b(?:dev|development|test|local)\b/i;
/** Whether a message comes from where it says. */
const SIGNED =
  /\bconstructEvent\b|verify_?(?:signature|webhook|hmac)|timingSafeEqual|compare_digest|hash_equals/i;
/** A secret of the application that grants access. Words for its type don't count. */
const OWN_WORD =
  /(?<!typeof\s{1,3}[\w.]{0,30})\b(?:passw(?:or)?d|passwd|pwd|pass|token|secret|api_?key|otp|pin|passcode|code|signature|credentials?|(?:headers?|query|cookies?)(?:\[['"]|\.get\(['"]|\.)[\w-]{1,40}(?:['"][\])])?)\s{0,3}(?:[!=]==?|\.equals\()\s{0,3}(["'`])(?!(?:string|undefined|null|object|function|number|bearer|basic|true|false|password|token|none|GET|POST)\1)[^"'`\n]{3,80}\1/i;
const CHECKS_LOGIN =
  /\b(?:bcrypt|argon2|scrypt|checkpw|check_password|compareSync|password_verify|verify_password|timingSafeEqual|authenticate\w*|jwt\.verify|verify\w*)\b/i;
const ALWAYS = /\|\|\s*true\b|&&\s*false\b|\bif\s*\(\s*(?:true|false)\b|\bor\s+True\b|\band\s+False\b/;

function letsEverybodyIn(text: string, before: string): boolean {
  if (SWITCH.test(text) && !SWITCH.test(before)) return true;
  if (UNCHECKED.test(text) && !UNCHECKED.test(before) && !HERE.test(text)) return true;
  if (SIGNED.test(before) && !SIGNED.test(text)) return true;
  const isLogin = CHECKS_LOGIN.test(before) || ASKS_WHO.test(before) || REFUSES.test(before);
  if (isLogin && OWN_WORD.test(text) && !OWN_WORD.test(before)) return true;
  if (!ASKS_WHO.test(before) || !REFUSES.test(before)) return false;
  return !ASKS_WHO.test(text) || (ALWAYS.test(text) && !ALWAYS.test(before));
}
