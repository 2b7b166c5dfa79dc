# shellcheck shell=bash
# Sourced: makes sure that programs read and write text as UTF-8. Works with bash 3.2.

# Old versions of macOS have no C.UTF-8.
case ${OSTYPE-} in darwin*) utf8_locale=en_US.UTF-8 ;; *) utf8_locale=C.UTF-8 ;; esac

# locale_has_utf8: true if the encoding of the caller's locale is UTF-8.
locale_has_utf8() {
  case ${LC_ALL:-${LC_CTYPE:-${LANG-}}} in *[Uu][Tt][Ff]*8*) true ;; *) false ;; esac
}

# use_utf8: changes the encoding of the locale to UTF-8 if it is another one. Java takes the encoding of
# arguments, environment variables and file names from it, and no option of Java changes that.
use_utf8() {
  if locale_has_utf8; then return; fi
  if [ -n "${LC_ALL-}" ]; then export LC_ALL=$utf8_locale; else export LC_CTYPE=$utf8_locale; fi
}
