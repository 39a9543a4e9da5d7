if grep -q telnet; then
  echo "telnet sends passwords in the clear." >&2
  exit 2
fi
