const LOCK_FILE =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lock|deno\.lock|(poetry|uv|Pipfile|pdm|Cargo|composer|Gemfile|Podfile|mix|flake|packages)\.lock(?:\.json)?|go\.sum|gradle\/verification-metadata\.xml)$/;
const PACKAGE_FILE = /(?:^|\/)package\.json$/;
/** Files that say where packages come from. */
export const LOCKED: readonly RegExp[] = [LOCK_FILE, PACKAGE_FILE];
/** Where a package comes from; those of npm also name pages for people under `url`. */
const SOURCE =
  /\b(?:resolved|tarball|resolution|registry|remote|source)\W{1,8}(?:\w{1,20}\W{1,6})?(?:(?:registry|git|sparse)\+)?(https?):\/\/([^/"'\s:?#]+)/gi;
const SOURCE_OR_URL =
  /\b(?:remote|source|url|registry)\W{1,8}(?:(?:registry|git|sparse)\+)?(https?):\/\/([^/"'\s:?#]+)/gi;
const KNOWN =
  /(?:^|\.)(?:npmjs\.(?:org|com)|yarnpkg\.com|npmmirror\.com|jsr\.io|github\.com|githubusercontent\.com|gitlab\.com|bitbucket\.org|pythonhosted\.org|pypi\.org|pytorch\.org|crates\.io|rubygems\.org|packagist\.org|hex\.pm|cocoapods\.org|golang\.org|maven\.org|google\.com|googleapis\.com|localhost)$/i;
/** A package that is named by the address of its archive. */
const TARBALL = /:\s{0,5}"https?:\/\/([^/"\s:?#]+)[^"\s]{0,300}\.(?:tgz|tar\.gz|tar)\b/gi;
const CHECKSUM = /\bintegrity\b|\bchecksum\b|\bsha(?:1|256|384|512)[-:=]|\bhash\s*=|\bh1:|<sha256/gi;
const PACKAGE = /\b(?:resolved|tarball|resolution|version)\b/gi;
const LONGEST = 256 * 1024;

/** True if a lock file lets a package come from an unexpected host, or unchecked. */
export function isForeignLock(path: string, given: string, before: string | null): boolean {
  if (PACKAGE_FILE.test(path))
    return [...given.slice(0, LONGEST).matchAll(TARBALL)].some(
      ([, host = '']) => !KNOWN.test(host) && before?.includes(host) !== true,
    );
  const kind = LOCK_FILE.exec(path);
  if (kind === null) return false;
  const text = given.slice(0, LONGEST);
  const source = kind[1] === undefined ? SOURCE : SOURCE_OR_URL;
  const hosts = [...text.matchAll(source)].map(([, scheme = '', host = '']) => ({ scheme, host }));
  if (hosts.some(({ scheme, host }) => scheme === 'http' && host !== 'localhost')) return true;
  const foreign = hosts.filter(({ host }) => !KNOWN.test(host));
  if (before === null) return foreign.length > 0 && foreign.length < hosts.length / 2;
  return foreign.some(({ host }) => !before.includes(host)) || losesChecksum(text, before);
}

/** As many packages as before, and fewer that are checked. */
function losesChecksum(text: string, before: string): boolean {
  const count = (pattern: RegExp, of: string) => of.match(pattern)?.length ?? 0;
  return (
    count(CHECKSUM, text) < count(CHECKSUM, before) &&
    count(PACKAGE, text) >= count(PACKAGE, before) &&
    text !== ''
  );
}
