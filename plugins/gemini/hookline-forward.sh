#!/bin/sh
# Written by `npm run wrappers`. Calls the forwarder that `hookline setup` puts into Hookline's home.
bin="${HOOKLINE_HOME:-$HOME/.hookline}/bin"
forwarder="$bin/hookline-forward"
closed=
if [ -e "$bin/fail-closed.json" ]; then
  case "$2" in BeforeAgent | BeforeTool) closed=yes ;; esac
fi

refuse() {
  echo "Hookline could not check this call and is set to fail closed, so it is denied. Run hookline doctor to see why." >&2
  exit 2
}

if [ -x "$forwarder" ]; then
  [ "$closed" ] || exec "$forwarder" "$@"
  "$forwarder" "$@"
  case $? in 0) exit 0 ;; 2) exit 2 ;; *) refuse ;; esac
fi

[ "$closed" ] && refuse
if [ "$2" = SessionStart ]; then
  fix='hookline setup gemini'
  command -v hookline >/dev/null 2>&1 || fix="npm install --global hookline && $fix"
  echo "{\"systemMessage\":\"Hookline is not set up on this machine, so nothing is guarded or recorded. Run: $fix\"}"
fi
exit 0
