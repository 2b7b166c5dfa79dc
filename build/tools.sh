# shellcheck shell=bash disable=SC2154
# Sourced: finds the JDK and the Maven that build Midcourse. Expects `root`. Works with bash 3.2.

needed_jdk=25

# jdk_major HOME: prints the major version of the JDK in HOME, or 0 if HOME has no JDK with a compiler.
jdk_major() {
  local line version=''
  if [ ! -x "$1/bin/java" ] || [ ! -x "$1/bin/javac" ]; then echo 0; return; fi
  if [ -r "$1/release" ]; then
    while IFS= read -r line; do
      case $line in JAVA_VERSION=*) version=${line#*=}; version=${version//\"/} ;; esac
    done <"$1/release"
  fi
  [ -n "$version" ] || version=$("$1/bin/javac" -version 2>&1 | sed -n 's/^javac //p')
  version=${version%%[!0-9]*}
  echo "${version:-0}"
}

# jdk_of_program PROGRAM: prints the JDK of the java or javac on PATH.
jdk_of_program() {
  local program link
  program=$(command -v "$1" 2>/dev/null) || return 1
  while [ -L "$program" ]; do
    link=$(readlink "$program")
    case $link in /*) program=$link ;; *) program=${program%/*}/$link ;; esac
  done
  program=${program%/*}
  echo "${program%/*}"
}

# find_jdk: sets JAVA_HOME to a JDK that is new enough: the JDK in JAVA_HOME, the JDK on PATH, or the
# newest JDK in the usual folders of Debian, Fedora, macOS, Homebrew, SDKMAN, IntelliJ, mise and asdf.
find_jdk() {
  local candidate major best='' best_major=0
  for candidate in "${JAVA_HOME-}" "$(jdk_of_program javac)" "$(jdk_of_program java)"; do
    if [ -n "$candidate" ] && [ "$(jdk_major "$candidate")" -ge $needed_jdk ]; then
      export JAVA_HOME=$candidate
      return
    fi
  done
  for candidate in \
    /usr/lib/jvm/* /usr/lib64/jvm/* /usr/java/* /usr/local/openjdk* /opt/java/* /opt/jdk* /opt/*jdk* \
    "${SDKMAN_DIR:-$HOME/.sdkman}"/candidates/java/* "$HOME"/.jdks/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home "$HOME"/Library/Java/JavaVirtualMachines/*/Contents/Home \
    /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home /usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home \
    "$HOME"/.local/share/mise/installs/java/* "$HOME"/.asdf/installs/java/*; do
    [ -x "$candidate/bin/javac" ] || continue
    major=$(jdk_major "$candidate")
    if [ "$major" -gt "$best_major" ]; then best=$candidate best_major=$major; fi
  done
  [ "$best_major" -ge $needed_jdk ] || return 1
  export JAVA_HOME=$best
}

explain_missing_jdk() {
  local command='sdk install java 25-tem           # SDKMAN, https://sdkman.io'
  if [ "$(uname -s)" = Darwin ]; then
    command='brew install openjdk@25'
  elif command -v apt-get >/dev/null; then
    command='sudo apt-get install openjdk-25-jdk-headless'
  elif command -v dnf >/dev/null; then
    command='sudo dnf install java-25-openjdk-devel'
  elif command -v pacman >/dev/null; then
    command='sudo pacman -S jdk-openjdk'
  fi
  cat >&2 <<EOF
midcourse: a JDK $needed_jdk or newer is needed, and none was found in JAVA_HOME, on PATH or in the usual folders.
Install one, then try again:
  $command
On another system, or if that package is too old, SDKMAN (https://sdkman.io) has one: sdk install java 25-tem
EOF
}

# maven_version PROGRAM: prints the version as one number; 3.8.7 is 3008007.
maven_version() {
  "$1" -version 2>/dev/null | sed -n 's/^.*Apache Maven \([0-9]*\)\.\([0-9]*\)\.\([0-9]*\).*/\1 \2 \3/p' \
    | { read -r a b c && echo $((a * 1000000 + b * 1000 + c)) || echo 0; }
}

# maven ARGUMENTS: runs the Maven on PATH if it is 3.6.3 or newer, else the pinned one, which the wrapper
# downloads on first use. Uses the repository and settings in HOME, also if HOME is not the home folder of the account.
maven() {
  local program=$root/mvnw account_home places
  places=()
  if command -v mvn >/dev/null && [ "$(maven_version mvn)" -ge 3006003 ]; then program=mvn; fi
  eval "account_home=~$(id -un)"
  if [ -n "${HOME-}" ] && [ "$HOME" != "$account_home" ]; then
    places=("-Dmaven.repo.local=$HOME/.m2/repository")
    if [ -f "$HOME/.m2/settings.xml" ]; then places+=(-s "$HOME/.m2/settings.xml"); fi
  fi
  (cd "$root" && "$program" --batch-mode --no-transfer-progress ${places[@]+"${places[@]}"} "$@")
}

# maven_errors LOG: prints the errors in Maven's output, and the warnings that are errors here, without Maven's hints about
# itself. Prints the end of the output if it has no errors.
maven_errors() {
  local errors
  errors=$(sed -n -e '/To see the full stack trace/,$d' -e 's/ *-> \[Help [0-9]*\]//' -e 's/^\[ERROR\] \{0,1\}//p' \
    -e 's/^\[WARNING\] \(.*\.java:\)/\1/p' "$1" \
    | awk 'NF && !seen[$0]++' | head -n 100)
  if [ -n "$errors" ]; then echo "$errors"; else tail -n 30 "$1"; fi
}
