import { expect, test } from 'vitest';
import { textsGiven } from './texts.ts';
import { weakenedIn } from './weakened.ts';

const edited = (path: string, before: string, text: string) =>
  weakenedIn({ path, given: { path, text, before, isPart: true }, whole: () => null });

test.each([
  ['.gitignore', '.env\n', ''],
  ['.gitignore', '/secrets/\n*.key', '*.pem'],
  ['.dockerignore', '.env', '!.env'],
])('a file with secrets is no longer ignored: %s, %j, %j', (path, before, text) => {
  expect(edited(path, before, text)).toEqual(['unignored']);
});

test.each([
  ['.gitignore', '.env\n', '*.env\n.env*'],
  ['.gitignore', 'secrets/', '/secrets/**'],
  ['.gitignore', 'dist', ''],
  ['.gitignore', 'a', '!.env.example'],
])('other files still are: %s, %j, %j', (path, before, text) => {
  expect(edited(path, before, text)).toEqual([]);
});

test.each([
  ['main.tf', 'storage_encrypted = true', 'storage_encrypted = false', 'unprotected'],
  ['infra/app.py', 'publicly_accessible=False', 'publicly_accessible=True', 'unprotected'],
  ['template.yaml', 'PubliclyAccessible: false', 'PubliclyAccessible: true', 'unprotected'],
  ['.circleci/config.yml', 'deploy:\n  requires: [hold]', 'deploy:\n  x: y', 'ungated'],
  ['src/x.go', 'if !isAdmin(u) { http.Error(w, "", 403) }', 'log.Print(u)', 'ungated'],
  ['gh.tf', 'enforce_admins = true', 'enforce_admins = false\nallows_deletions = true', 'unprotected'],
  ['gh.tf', 'required_approving_review_count = 2', 'required_approving_review_count = 0', 'unprotected'],
  ['.github/settings.yml', 'enforce_admins: true', 'enforce_admins: false', 'unprotected'],
  ['repo.tf', 'visibility = "private"', 'visibility = "public"', 'unprotected'],
  ['s3.tf', 'acl = "private"', 'acl = "public-read"', 'unprotected'],
  ['iam.tf', 'member = "user:x"', 'member = "allUsers"', 'unprotected'],
  ['eks.tf', 'endpoint_public_access = false', 'endpoint_public_access = true', 'unprotected'],
  ['ec2.tf', 'http_tokens = "required"', 'http_tokens = "optional"', 'unprotected'],
  ['etc/sshd_config', 'PermitRootLogin no', 'PermitRootLogin yes', 'unprotected'],
  ['db/pg_hba.conf', 'host all all 10.0.0.0/8 scram', 'host all all 0.0.0.0/0 scram', 'unprotected'],
  ['conf/redis.conf', 'protected-mode yes', 'protected-mode no', 'unprotected'],
  ['mongod.conf', '  authorization: enabled', '  authorization: disabled', 'unprotected'],
  ['db/1.sql', '', 'ALTER TABLE users DISABLE ROW LEVEL SECURITY;', 'unprotected'],
  [
    'k/x.yaml',
    '',
    'kind: ClusterRoleBinding\nsubjects:\n- {kind: Group, name: "system:unauthenticated"}',
    'unprotected',
  ],
  [
    'k/x.yaml',
    '',
    'kind: RoleBinding\nsubjects:\n- kind: Group\n  name: system:authenticated',
    'unprotected',
  ],
  [
    'k/x.yaml',
    '',
    'kind: ClusterRole\nrules:\n- {apiGroups: ["*"], resources: ["*"], verbs: ["*"]}',
    'unprotected',
  ],
  [
    'k/x.yaml',
    '',
    'kind: Role\nrules:\n- apiGroups: ["*"]\n  resources:\n  - "*"\n  verbs: [\'*\']',
    'unprotected',
  ],
  [
    'src/a.js',
    'if (!(await bcrypt.compare(password, h))) return;',
    "if (password !== 'letmein' && !(await bcrypt.compare(password, h))) return;",
    'ungated',
  ],
  [
    'src/a.py',
    'user = authenticate(request)',
    "if token == 'debug-7': return admin\nuser = authenticate(request)",
    'ungated',
  ],
  ['yarn.lock', 'resolved "https://registry.yarnpkg.com/a"', 'resolved "https://example.io/a"', 'lock-file'],
])('protection is switched off: %s, %j, %j', (path, before, text, mark) => {
  expect(edited(path, before, text)).toEqual([mark]);
});

test.each([
  ['infra/dev/main.tf', 'deletion_protection = true', 'deletion_protection = false'],
  ['main.tf', 'storage_encrypted = false', 'storage_encrypted = true'],
  ['gh.tf', 'enforce_admins = false', 'enforce_admins = true'],
  ['db/pg_hba.conf', '', 'host all all 127.0.0.1/32 trust'],
  ['k/x.yaml', '', 'kind: Role\nrules:\n- apiGroups: [""]\n  resources: [pods]\n  verbs: ["*"]'],
  ['k/x.yaml', '', 'kind: RoleBinding\nsubjects:\n- {kind: ServiceAccount, name: app}'],
  ['src/a.js', 'verify(token)', "if (typeof token === 'string') verify(token)"],
  ['src/a.js', 'authenticate(req)', "if (grant === 'password') authenticate(req)"],
  ['docs/auth.ts', 'if (!isAdmin(u)) return 403', 'x'],
  ['src/x.go', `${'x()\n'.repeat(5)}if !isAdmin(u) { http.Error(w, "", 403) }`, ''],
  ['yarn.lock', 'resolved "https://npm.example.com/a"', 'resolved "https://npm.example.com/b"'],
])('other changes are ordinary: %s, %j, %j', (path, before, text) => {
  expect(edited(path, before, text)).toEqual([]);
});

test('reads what a patch removes', () => {
  const patch = '*** Begin Patch\n*** Update File: .gitignore\n@@\n-.env\n+dist\n*** End Patch';
  const tool = {
    name: 'Edit',
    nativeName: 'apply_patch',
    kind: 'write',
    useId: null,
    mcp: null,
    command: null,
  } as const;
  const [written] = textsGiven({ ...tool, input: { patch }, files: [] }, []);
  expect(written).toMatchObject({ path: '.gitignore', text: 'dist', isPart: true, before: '.env' });
});

test('reads texts that are costly for patterns completely', () => {
  for (const part of ['actions = ["*"] ', '0.0.0.0/0 ', 'needs: [', 'deletion_protection = ', 'verify ', '@'])
    for (const path of ['main.tf', '.github/workflows/deploy.yml', 'a.ts', 'package-lock.json', 'test.env'])
      expect(edited(path, part.repeat(3000), part.repeat(3001))).toBeInstanceOf(Array);
});
