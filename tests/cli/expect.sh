# What tests of the program as a person would use it share; sourced, with $weft set and in a folder of the test's own.
checks=0; problems=0

problem() { echo "FAILED: $*"; problems=$((problems + 1)); }

# expect CODE PATTERN ARGUMENTS...: runs weft; its exit code must be CODE and its output (both streams) match PATTERN.
expect() {
  local code=$1 pattern=$2 got; shift 2
  "$weft" "$@" >stdout 2>stderr; got=$?
  cat stdout stderr >output
  checks=$((checks + 1))
  if [ $got -ne "$code" ] || ! grep -qE -- "$pattern" output; then
    problem "weft $*: exit $got (expected $code), output (expected /$pattern/):"; head -n 12 output
  fi
}
# holds TEXT COMMAND...: the command must succeed.
holds() {
  local text=$1; shift
  checks=$((checks + 1))
  "$@" || problem "$text"
}
