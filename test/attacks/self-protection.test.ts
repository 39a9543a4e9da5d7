import { describe, expect, test } from 'vitest';
import { agentPrograms, rulePlaces } from '../../src/home/rule-places.ts';
import type { HookEvent } from '../../src/model/events.ts';
import { createRulesHandler } from '../../src/rules/handler.ts';
import { createSessionMemory } from '../../src/rules/memory.ts';
import { DEFAULT_PACKS, openRuleSet } from '../../src/rules/rule-set.ts';
import { plainWorld, shellCall } from '../../src/rules/testing.ts';

// An agent that cannot edit the rules by name tries another name, another program, another process, or another agent.

const HOME = '/home/dev/.hookline';

/** The decision of all rules that are on by default; without self-protection, what is left of it. */
function judged(
  packs: Readonly<Record<string, 'on' | 'off'>> = {},
): (command: string, cwd?: string) => string {
  const set = openRuleSet({
    folder: '/nowhere',
    trustFile: '/nowhere',
    systemFolder: '/nowhere',
    packs,
    off: [],
    places: rulePlaces(HOME),
  });
  const { index, problems } = set.inForce(null);
  expect(problems).toEqual([]);
  return (command, cwd) => {
    const handler = createRulesHandler({
      rulesFor: () => ({ index, problems: [] }),
      world: { ...plainWorld, programs: agentPrograms() },
      memory: createSessionMemory(),
      failed: (_, what) => {
        throw new Error(what);
      },
    });
    const opinions = handler.decide(callIn(cwd, command));
    if (opinions instanceof Promise) throw new Error('rules answer at once');
    const said = opinions.map(({ response }) => response.decision);
    return said.includes('deny') ? 'deny' : said.includes('ask') ? 'ask' : 'none';
  };
}

/** A call that names the folder it runs in, as the shells of some agents let it. */
function callIn(cwd: string | undefined, command: string): HookEvent {
  const event = shellCall(command);
  return cwd === undefined ? event : { ...event, tool: { ...event.tool, cwd } };
}

const ATTACKS: readonly (readonly [decision: 'deny' | 'ask', command: string])[] = [
  ['deny', 'ln -s ~/.hookline h'],
  ['deny', 'ln -s ~/.hookline h && echo x > h/config.yaml'],
  ['deny', 'ln ~/.hookline/config.yaml c && echo x > c'],
  ['deny', 'cd ~ && ln -sfn .hookline h'],
  ['deny', 'ln -s ../../.hookline a/h'],
  ['deny', 'cp -al ~/.hookline c'],
  ['deny', 'cp -s ~/.hookline/config.yaml c'],
  ['deny', 'link ~/.hookline/config.yaml c'],
  ['deny', 'ln -s ~/.claude/settings.json s'],
  ['deny', 'ln -s ~/.codex c'],
  ['deny', 'mount --bind /tmp/x ~/.hookline'],
  ['deny', 'sudo mount -o bind ~/.hookline /tmp/x'],
  ['deny', 'patch ~/.hookline/config.yaml < x.diff'],
  ['deny', 'patch -p1 -d ~/.hookline < x.diff'],
  ['deny', 'yq -i \'.packs.git = "off"\' ~/.hookline/config.yaml'],
  ['deny', "yq eval -i '.a = 1' ~/.hookline/config.yaml"],
  ['deny', "gawk -i inplace '{print}' ~/.hookline/config.yaml"],
  ['deny', 'perl -pi -e s/deny/allow/ ~/.hookline/rules/mine.yaml'],
  ['deny', 'perl -i.bak -pe s/deny/allow/ ~/.hookline/rules/mine.yaml'],
  ['deny', "vim -es ~/.hookline/config.yaml -c '%d' -c wq"],
  ['deny', 'mv ~/.hookline /tmp/x'],
  ['deny', 'mv ~/.claude /tmp/x'],
  ['deny', 'mv .gemini old'],
  ['deny', 'mv ~/.codex x'],
  ['deny', 'rm -rf ~/.claude'],
  ['deny', 'mv ~ /tmp/x'],
  ['deny', 'chmod -R 000 ~/.claude'],
  ['deny', 'kill $(pgrep -f hookline)'],
  ['deny', 'kill -9 $(pidof hookline)'],
  ['deny', 'pgrep -f hookline | xargs kill'],
  ['deny', "ps aux | grep [h]ookline | awk '{print $2}' | xargs kill -9"],
  ['deny', 'pkill -f hookline'],
  ['deny', 'killall hookline'],
  ['deny', 'lsof -ti:8765 | xargs kill'],
  ['deny', 'kill $(lsof -t -i:8765)'],
  ['deny', 'fuser -k 8765/tcp'],
  ['deny', 'fuser -k ~/.hookline/run/hookline.sock'],
  ['deny', 'lsof -t ~/.hookline/run/hookline.sock | xargs kill'],
  ['deny', 'pkill -f hook'],
  ['deny', 'killall -9 node hookline-forward'],
  ['deny', 'ln -s /opt/hookline/bin/hookline.js z.js; node z.js down'],
  ['deny', 'ln -s ~ h; echo x > h/.hookline/config.yaml'],
  ['deny', 'kill $(jq .pid ~/.hookline/run/daemon.json)'],
  ['deny', 'nc -U ~/.hookline/run/hookline.sock'],
  ['deny', `socat - UNIX-CONNECT:${HOME}/run/hookline.sock`],
  ['deny', 'curl --unix-socket ~/.hookline/run/hookline.sock http://x/api/grants'],
  ['deny', 'cat ~/.hookline/run/token'],
  ['deny', 'cat ~/.hookline/run/daemon.json'],
  ['deny', 'cp -r ~/.hookline/run x'],
  ['ask', 'tar czf x.tgz ~/.hookline'],
  ['deny', 'echo 99999999999999 > ~/.hookline/run/unlocked-until'],
  ['deny', 'cp /tmp/x/settings.json ~/.claude/'],
  ['deny', 'cp /tmp/x/settings.json ~/.claude'],
  ['deny', 'cp -t ~/.claude /tmp/x/settings.json'],
  ['deny', 'mv /tmp/x/settings.json ~/.claude/'],
  ['deny', 'install -t ~/.claude /tmp/x/settings.json'],
  ['deny', 'ln -st ~/.claude /tmp/x/settings.json'],
  ['deny', 'cd ~/.claude && ln -s /tmp/x/settings.json'],
  ['deny', 'rsync /tmp/x/settings.json ~/.claude/'],
  ['deny', 'scp box:x/settings.json ~/.claude/'],
  ['ask', 'cp /tmp/x/*.json ~/.claude/'],
  ['deny', 'cp hooks.json ~/.codex/'],
  ['deny', 'cp settings.json .gemini/'],
  ['deny', 'cp -r /tmp/x/.hookline ~'],
  ['deny', 'mv /tmp/x/.hookline ~/'],
  ['ask', 'cp -r /tmp/x/.claude ~'],
  ['ask', 'cp -r /tmp/x/. ~/.claude'],
  ['ask', 'rsync -a /tmp/x/ ~/.claude/'],
  ['ask', 'tar xf x.tar -C ~/.claude'],
  ['ask', 'cd ~/.codex && tar xf /tmp/x.tar'],
  ['ask', 'tar xf x.tar -C ~'],
  ['ask', 'unzip x.zip -d .gemini'],
  ['ask', 'grep -rl hookline ~/.claude | xargs sed -i s/hookline/true/'],
  ['deny', 'find ~/.hookline -name config.yaml | xargs sed -i s/on/off/'],
  ['deny', 'ls ~/.hookline/config.yaml | xargs rm'],
  ['deny', 'find ~/.hookline/run -type f | xargs cat'],
  ['deny', 'claude --bare -p hi'],
  ['deny', 'npx -y @anthropic-ai/claude-code --bare -p hi'],
  ['deny', 'npx @anthropic-ai/claude-code@latest --bare -p hi'],
  ['deny', 'bunx @anthropic-ai/claude-code --bare'],
  ['deny', 'node /usr/lib/node_modules/@anthropic-ai/claude-code/cli.js --bare -p hi'],
  ['deny', 'ln -s $(which claude) c; ./c --bare -p hi'],
  ['ask', 'npx @google/gemini-cli -e none'],
  ['deny', 'npx @openai/codex exec --disable hooks hi'],
  ['ask', 'read HOME <<< /tmp/x; claude -p hi'],
  ['ask', 'printf -v HOME %s /tmp/x; claude -p hi'],
  ['ask', 'for HOME in /tmp/x; do claude -p hi; done'],
  ['deny', 'claude -p hi --safe-mode'],
  ['deny', 'claude --restricted --tools Bash -p hi'],
  ['deny', 'claude --settings \'{"disableAllHooks":true}\' -p hi'],
  ['deny', "sh -c 'claude --bare -p hi'"],
  ['ask', 'claude --settings /tmp/x.json -p hi'],
  ['ask', 'claude --setting-sources project -p hi'],
  ['ask', 'CLAUDE_CONFIG_DIR=/tmp/x claude -p hi'],
  ['ask', 'export CLAUDE_CONFIG_DIR=/tmp/x'],
  ['ask', 'CLAUDE_CODE_SIMPLE=1 claude -p hi'],
  ['ask', 'HOME=/tmp/x claude -p hi'],
  ['deny', 'codex exec --disable hooks hi'],
  ['deny', 'codex --disable=hooks exec hi'],
  ['deny', 'codex exec -c features.hooks=false hi'],
  ['deny', "codex exec --config 'features={hooks=false}' hi"],
  ['deny', 'codex exec -cfeatures.hooks=false hi'],
  ['deny', 'codex features disable hooks'],
  ['deny', 'codex exec --ignore-user-config hi'],
  ['ask', 'codex -p other exec hi'],
  ['ask', 'CODEX_HOME=/tmp/x codex exec hi'],
  ['ask', 'env HOME=/tmp/x codex exec hi'],
  ['deny', 'gemini extensions disable hookline'],
  ['deny', 'gemini extensions uninstall hookline'],
  ['ask', 'gemini -e none -p hi'],
  ['ask', 'GEMINI_CLI_HOME=/tmp/x gemini -p hi'],
  ['ask', 'GEMINI_CLI_SYSTEM_SETTINGS_PATH=/tmp/x gemini -p hi'],
];

/** What people and agents do all day, next to what is guarded. */
const EVERYDAY = [
  'ls ~/.hookline/run',
  'cat ~/.hookline/config.yaml',
  'ln -s ../common lib',
  'ln -sf v2 current',
  'mv src lib',
  'mkdir -p .claude/commands',
  'mv .claude/commands/a.md .claude/commands/b.md',
  'chmod +x .claude/hooks/run.sh',
  'yq .version package.yaml',
  "yq -i '.version = 2' chart.yaml",
  'patch -p1 < fix.diff',
  'kill 4242',
  'kill $(lsof -t -i:3000)',
  'pgrep -f vite | xargs kill',
  'curl --unix-socket /run/app.sock http://x/info',
  'nc -z localhost 5432',
  'claude -p hi',
  'codex exec -c model=o3 hi',
  'gemini -p hi',
  'HOME=/tmp/x npm ci',
  'grep -rn hookline src',
  'npx @anthropic-ai/claude-code -p hi',
  'npm view @anthropic-ai/claude-code version',
  'while read -r line; do echo "$line"; done < x.txt',
  'pkill -f webhook',
  'cp settings.json backup/',
  'cp -r my-skill ~/.claude/skills/',
  'cp notes.md .claude',
  'tar xf x.tar',
  'unzip x.zip -d vendor',
  'rsync -a src/ lib/',
  'grep -rl foo src | xargs sed -i s/foo/bar/',
  'find src -name "*.orig" | xargs rm',
];

describe('with the rules that are on by default', () => {
  const decide = judged();
  test.each(ATTACKS)('%s: %s', (decision, command) => {
    expect(decide(command)).toBe(decision);
  });
  test.each(EVERYDAY)('nothing is said about %s', (command) => {
    expect(decide(command)).toBe('none');
  });
});

test.each([
  ['.gemini', 'echo {} > settings.json'],
  ['../.claude', 'cp /tmp/x/settings.json .'],
  [`${HOME}/run`, 'cat token'],
  ['../.hookline', 'touch config.yaml'],
])('a command that runs in %s by its arguments: %s', (cwd, command) => {
  expect(judged()(command, cwd)).toBe('deny');
});

test('without self-protection the attacks get through, so that it is what stops them', () => {
  expect(DEFAULT_PACKS['self-protection']).toBe('on');
  const decide = judged({ 'self-protection': 'off' });
  const stopped = ATTACKS.filter(([, command]) => decide(command) !== 'none').map(([, command]) => command);
  // These are guarded for other reasons as well: they delete, or touch more than Hookline.
  expect(stopped).toEqual(['sudo mount -o bind ~/.hookline /tmp/x', 'rm -rf ~/.claude', 'mv ~ /tmp/x']);
});
