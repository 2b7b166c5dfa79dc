# shellcheck shell=bash disable=SC2034,SC2154
# Sourced by the programs in the root folder; expects `root`. Every command runs it, so it starts no program except one
# `find`.

# fresh FOLDER MODULE: sets `dist` to the current build in FOLDER and `java` to the program that runs it.
# True if that build is usable: it was made in this place, none of its sources is newer, and its JDK has not changed.
fresh() {
  local name='' place='' jdk='' made_for='' now='' module sources
  sources=("$root/pom.xml" "$root/build")
  dist='' java=''
  { IFS= read -r name <"$1/current"; } 2>/dev/null
  [ -n "$name" ] || return 1
  { { IFS= read -r place && IFS= read -r jdk && IFS= read -r -d '' made_for; } <"$1/$name/made"; } 2>/dev/null
  [ "$place" = "$1/$name" ] && [ -x "$jdk/bin/java" ] || return 1
  dist=$place java=$jdk/bin/java
  { IFS= read -r -d '' now <"$jdk/release"; } 2>/dev/null
  [ "$now" = "$made_for" ] || return 1
  for module in "$root"/*/pom.xml; do
    module=${module%/pom.xml}
    case $2:$module in cli:*/proof) continue ;; esac # tests and benchmarks are not part of the program
    sources+=("$module/pom.xml" "$module/src/main")
  done
  [ -z "$(find "${sources[@]}" -newer "$dist/stamp" 2>/dev/null)" ]
}
