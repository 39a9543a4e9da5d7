import { expect, test } from 'vitest';
import { analyse } from '../analyse.ts';
import { cmdParts } from './cmd-line.ts';

const look = (command: string) => analyse(command, { cwd: '/home/dev/project', home: '/home/dev' });

test.each([
  ['a & b && c || d | e', [['a'], ['b'], ['c'], ['d'], ['e']]],
  ['echo "a & b" ^& c', [['echo', 'a & b', '&', 'c']]],
  ['type x > y 2>&1', [['type', 'x']]],
  ['(a b) & (c)', [['a', 'b'], ['c']]],
])('%s', (line, words) => {
  expect(cmdParts(line).map((part) => part.words)).toEqual(words);
});

test.each([
  ['cmd /c "del /f /s /q C:\\*.* & rd /s /q C:\\Users\\x"', ['/c/*.*', '/c/Users/x']],
  ['cmd.exe /c rd /s /q C:\\x', ['/c/x']],
  ['cmd.exe /c rd /s /q C:\\', ['/c']],
  ['cmd /c "if exist dist rmdir /s /q dist"', ['/home/dev/project/dist']],
  ['cmd /c "for %i in (a b) do rd /s /q C:\\x"', ['/c/x']],
  ['cmd /c "call start /wait rd /s /q C:\\x"', ['/c/x']],
  ['cmd /c "cd /d C:\\x && rd /s /q y"', ['/c/x/y']],
  ['cmd /c del %USERPROFILE%\\x', ['/home/dev/x']],
  ['robocopy C:\\a C:\\b /MIR', ['/c/b']],
])('deletions: %s', (command, paths) => {
  expect(look(command).effects.flatMap((effect) => (effect.kind === 'delete' ? effect.path : []))).toEqual(
    paths,
  );
});

test.each([
  ['cmd /c reg save HKLM\\SAM C:\\x.hiv', '/c/Windows/System32/config/SAM'],
  ['reg.exe export hklm\\security x.reg', '/c/Windows/System32/config/SECURITY'],
  ['reg save "HKEY_LOCAL_MACHINE\\SYSTEM" x', '/c/Windows/System32/config/SYSTEM'],
  ['cmd /c "type C:\\Users\\x\\.ssh\\id_rsa"', '/c/Users/x/.ssh/id_rsa'],
])('reads: %s', (command, path) => {
  expect(look(command).effects).toContainEqual(expect.objectContaining({ kind: 'read', path }));
});

test.each([
  'cmd /c dir /b src',
  'cmd /c "npm run build && type dist\\version.txt"',
  'cmd /c "echo %PATH% | find \\"x\\""',
  'cmd /c ver',
  'reg query HKCU\\Software',
])('harmless lines: %s', (command) => {
  const kinds = look(command).effects.map(({ kind }) => kind);
  expect(kinds.filter((kind) => /delete|system|permission|send/.test(kind))).toEqual([]);
});

test('no permission covers words that are looked up under other names', () => {
  expect(look('cmd /c dir').coverage).toBe('partial');
});

test('running decoded text counts as decoded', () => {
  expect(look('certutil -decode a.b64 a.exe && ./a.exe').effects).toContainEqual(
    expect.objectContaining({ kind: 'execute', from: 'decoded' }),
  );
});
