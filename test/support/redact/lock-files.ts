import { createHash } from 'node:crypto';

type Encoding = 'hex' | 'base64';

const digest = (name: string, algorithm: string, encoding: Encoding) =>
  createHash(algorithm).update(name).digest(encoding);

interface Entry {
  readonly digest: string;
  readonly lines: string;
}

type Format = (name: string, version: string) => Entry;

const sri = (name: string) => `sha512-${digest(name, 'sha512', 'base64')}`;
const hex256 = (name: string) => digest(name, 'sha256', 'hex');
const url = (name: string, version: string) => `https://registry.npmjs.org/${name}/-/${name}-${version}.tgz`;

/** One package in the words of each tool, with the digest that must survive. */
const FORMATS: Readonly<Record<string, Format>> = {
  'package-lock.json': (name, version) => ({
    digest: sri(name),
    lines: `    "node_modules/${name}": {\n      "version": "${version}",\n      "resolved": "${url(name, version)}",\n      "integrity": "${sri(name)}"\n    },`,
  }),
  'pnpm-lock.yaml': (name, version) => ({
    digest: sri(name),
    lines: `  ${name}@${version}:\n    resolution: {integrity: ${sri(name)}}\n    engines: {node: '>=18'}`,
  }),
  'yarn.lock, classic': (name, version) => ({
    digest: sri(name),
    lines: `${name}@^${version}:\n  version "${version}"\n  resolved "${url(name, version)}#${digest(name, 'sha1', 'hex')}"\n  integrity ${sri(name)}`,
  }),
  'yarn.lock, berry': (name, version) => ({
    digest: digest(name, 'sha512', 'hex'),
    lines: `"${name}@npm:^${version}":\n  version: ${version}\n  resolution: "${name}@npm:${version}"\n  checksum: 10c0/${digest(name, 'sha512', 'hex')}\n  languageName: node`,
  }),
  'bun.lock': (name, version) => ({
    digest: sri(name),
    lines: `    "${name}": ["${name}@${version}", "", {}, "${sri(name)}"],`,
  }),
  'deno.lock': (name, version) => ({
    digest: sri(name),
    lines: `    "${name}@${version}": { "integrity": "${sri(name)}" },`,
  }),
  'go.sum': (name, version) => ({
    digest: digest(name, 'sha256', 'base64'),
    lines: `github.com/acme/${name} v${version} h1:${digest(name, 'sha256', 'base64')}\ngithub.com/acme/${name} v${version}/go.mod h1:${digest(`${name}.mod`, 'sha256', 'base64')}`,
  }),
  'Cargo.lock': (name, version) => ({
    digest: hex256(name),
    lines: `[[package]]\nname = "${name}"\nversion = "${version}"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\nchecksum = "${hex256(name)}"`,
  }),
  'poetry.lock': (name, version) => ({
    digest: hex256(name),
    lines: `[[package]]\nname = "${name}"\nfiles = [\n    {file = "${name}-${version}-py3-none-any.whl", hash = "sha256:${hex256(name)}"},\n]`,
  }),
  'requirements.txt': (name, version) => ({
    digest: hex256(name),
    lines: `${name}==${version} \\\n    --hash=sha256:${hex256(name)}`,
  }),
  'Pipfile.lock': (name, version) => ({
    digest: hex256(name),
    lines: `        "${name}": { "hashes": ["sha256:${hex256(name)}"], "version": "==${version}" },`,
  }),
  'uv.lock': (name, version) => ({
    digest: hex256(name),
    lines: `sdist = { url = "https://files.pythonhosted.org/${name}-${version}.tar.gz", hash = "sha256:${hex256(name)}", size = 10434 }`,
  }),
  'Gemfile.lock': (name, version) => ({
    digest: hex256(name),
    lines: `  ${name} (${version}) sha256=${hex256(name)}`,
  }),
  'composer.lock': (name, version) => ({
    digest: digest(name, 'sha1', 'hex'),
    lines: `        {"name": "acme/${name}", "version": "v${version}", "source": {"type": "git", "reference": "${digest(name, 'sha1', 'hex')}"}, "dist": {"shasum": ""}},`,
  }),
  'flake.lock': (name) => ({
    digest: `sha256-${digest(name, 'sha256', 'base64')}`,
    lines: `    "${name}": { "locked": { "lastModified": 1731139594, "narHash": "sha256-${digest(name, 'sha256', 'base64')}", "rev": "${digest(name, 'sha1', 'hex')}", "type": "github" } },`,
  }),
  'packages.lock.json': (name, version) => ({
    digest: digest(name, 'sha512', 'base64'),
    lines: `      "${name}": { "type": "Direct", "resolved": "${version}", "contentHash": "${digest(name, 'sha512', 'base64')}" },`,
  }),
  '.terraform.lock.hcl': (name, version) => ({
    digest: digest(name, 'sha256', 'base64'),
    lines: `provider "registry.terraform.io/acme/${name}" {\n  version = "${version}"\n  hashes = [\n    "h1:${digest(name, 'sha256', 'base64')}",\n    "zh:${hex256(name)}",\n  ]\n}`,
  }),
  'pubspec.lock': (name, version) => ({
    digest: hex256(name),
    lines: `  ${name}:\n    description:\n      sha256: "${hex256(name)}"\n    version: "${version}"`,
  }),
  'mix.lock': (name, version) => ({
    digest: hex256(name),
    lines: `  "${name}": {:hex, :${name}, "${version}", "${hex256(name)}", [:mix], [], "hexpm"},`,
  }),
};

const PACKAGES = 30;
/** Some of them with names that sound like secrets. */
const NAMES = [
  'js-tokens',
  'jsonwebtoken',
  'auth-token',
  'get-password',
  'secret-stack',
  'api-key',
  'passport',
];

interface LockFile {
  readonly format: string;
  readonly text: string;
  readonly digests: readonly string[];
}

/** A file of each format with thirty packages. */
export const LOCK_FILES: readonly LockFile[] = Object.entries(FORMATS).map(([format, entry]) => {
  const entries = Array.from({ length: PACKAGES }, (_, at) =>
    entry(NAMES[at] ?? `package-${at}`, `${at % 7}.${at}.${at % 3}`),
  );
  return {
    format,
    text: `${entries.map(({ lines }) => lines).join('\n')}\n`,
    digests: entries.map((one) => one.digest),
  };
});
