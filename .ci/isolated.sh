# What a stranger has: a clone with nothing beside it, an empty home, an empty temp folder, and none of our variables.
# Sourced by .ci/run. Sets `scratch` and `clone`; `inside` runs a command there.

scratch=$(mktemp -d "${TMPDIR:-/tmp}/hookline-ci-XXXXXX")
scratch=$(cd "$scratch" && pwd -P)
# A folder of its own for the clone: `..` must be as empty as on a stranger's machine.
clone=$scratch/work/hookline
mkdir "$scratch/work" "$scratch/home" "$scratch/tmp"

# Downloaded programs that no test changes; they outlive the scratch folder.
cache=${HOOKLINE_CLIENTS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/hookline-clients}

clean=(env -i "PATH=$PATH" "HOME=$scratch/home" "TMPDIR=$scratch/tmp" "HOOKLINE_CLIENTS_CACHE=$cache")

carry() {
  local name
  for name in "$@"; do
    [ -z "${!name-}" ] || clean+=("$name=${!name}")
  done
}

carry LANG LC_ALL TERM USER HOOKLINE_CHROMIUM HOOKLINE_NATS_SERVER HOOKLINE_POSTGRES
# What is missing fails here, however this script was started.
clean+=(CI=1)
# npm on Node 22 and newer keeps one in the temp folder; what is looked for there is what we leave.
clean+=(NODE_DISABLE_COMPILE_CACHE=1)
# How this machine reaches the registry: variables, and the user's npmrc where it lies.
carry HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR
carry npm_config_registry NPM_CONFIG_REGISTRY npm_config_cafile NPM_CONFIG_CAFILE NPM_CONFIG_GLOBALCONFIG
npmrc=${NPM_CONFIG_USERCONFIG:-${npm_config_userconfig:-$HOME/.npmrc}}
[ ! -f "$npmrc" ] || clean+=("NPM_CONFIG_USERCONFIG=$npmrc")
# rustup finds its toolchains by HOME unless it is told.
rust=("CARGO_HOME=${CARGO_HOME:-$HOME/.cargo}" "RUSTUP_HOME=${RUSTUP_HOME:-$HOME/.rustup}")

# The folders of PATH, with copies by links of those that have Rust in them: everything but Rust.
path_without_rust() {
  local folder copy path='' number=0
  while read -r folder; do
    if [ -e "$folder/cargo" ] || [ -e "$folder/rustc" ]; then
      number=$((number + 1))
      copy=$scratch/without-rust/$number
      if [ ! -d "$copy" ]; then
        mkdir -p "$copy"
        find "$folder" -mindepth 1 -maxdepth 1 ! -name 'cargo*' ! -name 'rust*' -exec ln -s -t "$copy" {} +
      fi
      folder=$copy
    fi
    path+=${path:+:}$folder
  done < <(tr : '\n' <<< "$PATH")
  printf %s "$path"
}

clone_checkout() {
  local changes
  changes=$(git -C "$root" status --porcelain) || return 1
  [ -z "$changes" ] || printf 'Not committed, and so not tested:\n%s\n' "$changes"
  git clone --quiet "$root" "$clone" && git -C "$clone" log -1 --oneline
}

# What does not end by itself is ended, so that the whole run keeps to its time.
inside() { run_in_clone "${rust[@]}" -- "$@"; }

# With Node only: on most machines there is no compiler.
inside_without_rust() { run_in_clone "PATH=$(path_without_rust)" -- "$@"; }

# run_in_clone <variable=value …> -- <command …>
run_in_clone() (
  variables=()
  while [ "$1" != -- ]; do
    variables+=("$1")
    shift
  done
  shift
  cd "$clone" || exit 1
  left=$((MOST_SECONDS > SECONDS ? MOST_SECONDS - SECONDS : 1))
  "${clean[@]}" "${variables[@]}" timeout --kill-after=30 "$left" "$@" < /dev/null
)

# For steps that do not install the packages themselves: alone, by name, they come to a clone that has none.
prepared() {
  [ -d "$clone/node_modules" ] || inside npm ci || return 1
  inside "$@"
}

in_readme() {
  grep -qE "^${1//./\\.}( +#.*)?\$" "$root/README.md" && return 0
  echo "The README does not have the line: $1"
  return 1
}
