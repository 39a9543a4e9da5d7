import { UNKNOWN, type Word } from '../analysis.ts';
import type { Call } from '../call.ts';
import { hostOf } from '../places/hosts.ts';
import type { CodeTable } from '../tool.ts';
import { isDestructive } from '../tools/service-verbs.ts';
import { announce, scriptFile } from '../tools/shells.ts';
import { joinWords, makeWord, tail } from '../word.ts';
import { requests } from './network/http-clients.ts';

/** `kubectl exec POD -- COMMAND`. */
function inPod(call: Call): string {
  const { argv, sub, operands } = call.command;
  const at = argv.findIndex((word) => word.text === '--');
  const command = at > 0 ? argv.slice(at + 1) : operands.slice(1);
  call.resource('kubernetes', sub[0] ?? '', false, operands[0]?.text ?? null);
  if (command.length > 0) call.runArgv(command, { place: 'container', cwd: null });
  return UNKNOWN;
}

/** `doppler run -- COMMAND`. */
function doppler(call: Call): undefined {
  const script = call.value('--command');
  if (script) call.runText(script.template);
  else call.runArgv(call.operands);
}

/** `vagrant ssh -c x` runs x in its machine, as ssh does. */
function vagrantSsh(call: Call): undefined {
  const text = call.value('--command');
  if (text) call.runText(text.template, { place: 'remote', cwd: null });
}

/** Deletes what no current version of the project refers to; with `--cloud`, for other users too. */
function collectsData(call: Call): undefined {
  call.resource('cloud', 'gc', call.has('--cloud') && !call.command.inert, null);
}

function collectsRuns(call: Call): undefined {
  call.resource('cloud', 'gc', !call.command.inert, null);
}

/** A request with an explicit method: `gh api -X DELETE`. */
function gh(call: Call): undefined {
  const method = call.value('--method')?.text?.toUpperCase() ?? null;
  const files = call.values('--field').flatMap(fileOfField);
  for (const file of files) call.read(file);
  call.network({
    host: call.value('--hostname')?.text ?? 'api.github.com',
    method,
    url: call.operands[0]?.text ?? null,
    sends: call.command.sub[1] === 'create' || files.length > 0,
  });
  const [path] = call.operands;
  if (call.command.sub[0] !== 'api' || !path) return;
  const fields = [
    ...call.values('--raw-field', '--field').map(({ template }) => template),
    ...call.values('--input').map((file) => scriptFile(call, file).template),
  ];
  const url = makeWord(`https://api.github.com/${path.template.replace(/^\//, '')}`, path.raw);
  requests(call, url, {
    method: method ?? (fields.length > 0 ? 'POST' : 'GET'),
    body: fields.join('&'),
    system: 'github',
  });
}

/** `body=@notes.md`; `--raw-field` would send the text itself. */
function fileOfField(field: Word): readonly Word[] {
  const at = field.template.indexOf('=@');
  return at < 0 ? [] : [tail(field, at + 2)];
}

/** A program in a file; for the Jenkins client, also its subcommand. */
function java(call: Call): undefined {
  const at = call.command.argv.findIndex((word) => /jenkins-cli\.jar$/.test(word.template));
  const program = call.value('--jar') ?? call.operands.find(({ template }) => template.endsWith('.java'));
  call.read(program ?? null);
  if (program) announce(call, scriptFile(call, program));
  if (at < 0) return;
  const verb = call.command.argv.slice(at + 1).find((word) => /^[a-z]+(?:-[a-z]+)+$/.test(word.template));
  call.network({ host: hostOf(call.value('-s')?.text ?? null) });
  if (verb?.text) call.resource('jenkins', verb.text, isDestructive(verb.text), joinWords(call.operands));
}

/** Files of a cluster, with commands that look like options: `hdfs dfs -rm -r x`. */
function hadoop(call: Call): undefined {
  const words = call.command.argv.slice(1, 4).map(({ template }) => template);
  const verb = words.find((word) => /^-(?:rmr?|rmdir|expunge|delete(?:Snapshot)?|truncate)$/.test(word));
  call.resource('cluster', verb?.slice(1) ?? words[1] ?? '', verb !== undefined, null);
}

/** `sync` and `move` delete what is missing at the source, or the source itself. */
function rclone(call: Call): undefined {
  const [verb = ''] = call.command.sub;
  const takes = /^(?:sync|move|moveto|delete|deletefile|purge|rmdirs?|cleanup|dedupe|bisync)$/.test(verb);
  call.resource('cloud', verb, takes && !call.command.inert, call.operands.at(-1)?.text ?? null);
  call.network({ sends: true });
}

export const CLOUD: CodeTable = {
  'collects-data': collectsData,
  'collects-runs': collectsRuns,
  doppler,
  gh,
  hadoop,
  'in-pod': inPod,
  java,
  rclone,
  'vagrant-ssh': vagrantSsh,
};
