import type { Places } from './named.ts';

/** The places used in examples, in a made-up home. */
export const EXAMPLE_PLACES: Places = {
  'hookline-home': ['/home/dev/.hookline/**'],
  'hookline-root': ['/home/dev/.hookline'],
  'hookline-files': ['/home/dev/.hookline/config.yaml', '/home/dev/.hookline/rules/*.yaml'],
  'hookline-above': ['/home/dev', '/home'],
  'hookline-program': ['/opt/hookline/{bin,dist}/**', '/opt/hookline/package.json'],
  'hookline-program-folders': ['/opt/hookline'],
  'hookline-checkouts': ['/opt/hookline', '/opt/hookline/**'],
  'hookline-runtime': ['/usr/bin/node'],
  'hookline-run': ['/home/dev/.hookline/run/**'],
  'hookline-keys': [
    '/home/dev/.hookline/machine-key.pem',
    '/home/dev/.hookline/channels.json',
    '/home/dev/.hookline/secrets/**',
    '/home/dev/.hookline/phone/**',
  ],
  'agent-settings': ['**/.agent/settings.json'],
  'agent-settings-folders': ['**/.agent'],
  'agent-instructions': ['**/AGENT.md', '**/.agent/skills/**'],
  'agent-scratch': ['~/.agent/plans/**'],
  'agent-programs': ['agent'],
  'agent-unhooked': ['agent --no-hooks', "agent --set='*hooks*false*'"],
  'agent-other-settings': ['agent --settings'],
  'agent-unasked': ['agent --yolo', 'agent --approval-mode=yolo'],
  'agent-variables': ['env set AGENT_HOME'],
};
