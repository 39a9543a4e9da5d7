import { NOT_SET_UP, REFUSAL } from '../refusals.ts';
import type { HookSettings } from './hook-settings.ts';

/**
 * The program of a plugin or an extension. It looks for the forwarder that setup installs, and where there is none it
 * fails as the user chose: a marker in the home says that calls are to be refused. A message is shown once a session,
 * because an error on every call would hide everything else. POSIX sh, and no program but the shell is needed.
 */
export function wrapperScript(
  { id, wanted }: Pick<HookSettings, 'id' | 'wanted'>,
  guards: (event: string) => boolean,
): string {
  const context = { env: {}, home: '/', cwd: '/', scope: 'user', forwarder: '/', failClosed: false } as const;
  const guarded = [...wanted(context).keys()].filter(guards);
  return `#!/bin/sh
# Written by \`npm run wrappers\`. Calls the forwarder that \`hookline setup\` puts into Hookline's home.
bin="\${HOOKLINE_HOME:-$HOME/.hookline}/bin"
forwarder="$bin/hookline-forward"
closed=
if [ -e "$bin/fail-closed.json" ]; then
  case "$2" in ${guarded.join(' | ')}) closed=yes ;; esac
fi

refuse() {
  echo "${REFUSAL}" >&2
  exit 2
}

if [ -x "$forwarder" ]; then
  [ "$closed" ] || exec "$forwarder" "$@"
  "$forwarder" "$@"
  case $? in 0) exit 0 ;; 2) exit 2 ;; *) refuse ;; esac
fi

[ "$closed" ] && refuse
if [ "$2" = SessionStart ]; then
  fix='hookline setup ${id}'
  command -v hookline >/dev/null 2>&1 || fix="npm install --global hookline && $fix"
  echo "{\\"systemMessage\\":\\"${NOT_SET_UP} Run: $fix\\"}"
fi
exit 0
`;
}
