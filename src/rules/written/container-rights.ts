import { blockStyle } from './flow-style.ts';
import { hasField, listUnder } from './yaml-lines.ts';

/** Folders of the machine through which a container can do everything there. */
const POWERFUL =
  /^(?:\/|\/etc\/?|\/root\/?|~\/?|\$\{?HOME\}?\/?|~\/\.ssh\/?|\$\{?HOME\}?\/\.ssh\/?|\/(?:var\/)?run\/?(?:docker|containerd\/containerd|podman\/podman|crio\/crio)?(?:\.sock)?)$/;
const CAPABILITIES = /^(?:ALL|SYS_ADMIN|SYS_PTRACE|SYS_MODULE|DAC_READ_SEARCH|CAP_SYS_ADMIN)$/i;
const MOST = 10;

/** Where a service, a container or another document begins. */
const PART = /^(?:---|\s*-\s+["']?(?:name|image)["']?\s*:.*|\s{1,4}["']?[\w.-]+["']?\s*:\s*)$/;
const MOST_PARTS = 200;

/** The same for each container of a file: what one more of them may do is new. */
export function containerLines(text: string): readonly string[] {
  const parts: string[][] = [[]];
  for (const line of blockStyle(text).split(/\r?\n/)) {
    if (PART.test(line) && parts.length < MOST_PARTS) parts.push([]);
    parts.at(-1)?.push(line);
  }
  let name = '';
  return parts.flatMap((lines) => {
    const [first = ''] = lines;
    if (/^\s{1,2}\S|^\s*-/.test(first)) name = /[\w.-]+(?=\W*$)/.exec(first)?.[0] ?? '';
    return containerLine(lines.join('\n'), name) ?? [];
  });
}

/**
 * The rights that a text gives to containers, as the command that starts one with them: what is asked about on a command
 * line is asked about in a file. Null where it gives none.
 */
export function containerLine(text: string, name = ''): string | null {
  const options = [
    ...(hasField(text, 'privileged', 'true') ? ['--privileged'] : []),
    ...(hasField(text, 'pid', 'host') || hasField(text, 'hostPID', 'true') ? ['--pid=host'] : []),
    ...capabilities(text),
    ...mounts(text).map((source) => `-v '${source}:/mnt'`),
  ];
  return options.length === 0 ? null : `docker run ${options.slice(0, MOST).join(' ')} ${name || 'image'}`;
}

function capabilities(text: string): string[] {
  const added = listUnder(text, /^(?:cap_add|add)$/).filter((name) => CAPABILITIES.test(name));
  return added.map((name) => `--cap-add=${name}`);
}

/** `a:b`, `source: a`, and `hostPath: {path: a}`. */
function mounts(text: string): string[] {
  const short = listUnder(text, /^(?:volumes|mounts)$/).flatMap(
    (one) => /^([^:\s]+):\//.exec(one)?.[1] ?? [],
  );
  const long = [...text.matchAll(/^[ \t-]*(?:source|src)\s*:\s*["']?([^\s"']+)["']?[ \t]*$/gm)];
  const paths = [
    ...text.matchAll(
      /\bhostPath[ \t]{0,9}:[\s{]{0,200}(?:type:[ \t]{0,9}\w{1,40}[\s,]{0,200})?path[ \t]{0,9}:[ \t]{0,9}["']?([^\s"',}]+)/g,
    ),
  ];
  const all = [...short, ...[...long, ...paths].map(([, source = '']) => source)];
  return [...new Set(all)].filter((source) => POWERFUL.test(source));
}
