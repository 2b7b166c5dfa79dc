package dev.midcourse.agents.command;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.AgentSettings.PromptBy;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.ProgramLookup;
import dev.midcourse.agents.hosted.AgentCommand;
import dev.midcourse.agents.process.attempt.ProcessMarker;
import dev.midcourse.agents.program.ProgramSearch;
import dev.midcourse.agents.stdio.Protocol;
import dev.midcourse.agents.stdio.StdioAgentDefinition;
import dev.midcourse.core.WireNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A program without a protocol. A shell runs for the whole attempt and calls the program once for
 * each turn, so that the attempt survives the hub.
 */
public record CommandDefinition(AgentSettings settings, HubEnvironment hub)
    implements StdioAgentDefinition {
  private static final ProgramSearch PROGRAM =
      ProgramSearch.ofSettings("set command to the program that is to be called");

  /**
   * The script of the shell. It reads one turn a line: the number and the message. It skips a
   * number that it has read before, so a repeated line has no effect. Each call gets the task,
   * followed by the new message. The messages are in the attempt's folder, so that they are deleted
   * with it even after a kill. A sandbox hides this folder; the script then uses a temporary
   * folder.
   */
  private static final String CALLER =
      """
      how=$1 attempt=$2; shift 2
      folder=$(mktemp -d "$attempt/call.XXXXXX" 2>/dev/null) \\
        || folder=$(mktemp -d "${TMPDIR:-/tmp}/midcourse-call.XXXXXX") || exit 1
      trap 'rm -rf "$folder"' EXIT
      trap 'exit 143' TERM
      say() { printf '\\036%s %s\\n' "$MARK_VARIABLE" "$*"; }
      last=0
      say ready
      while read -r number message; do
        [ "$number" -gt "$last" ] || continue
        last=$number
        say begin "$number"
        printf %s "$message" | base64 -d > "$folder/message"
        if [ -e "$folder/task" ]
        then { cat "$folder/task"; printf '\\n\\n'; cat "$folder/message"; } > "$folder/prompt"
        else cp "$folder/message" "$folder/task"; cp "$folder/task" "$folder/prompt"
        fi
        case $how in
          argument) "$@" "$(cat "$folder/prompt")" < /dev/null 2>&1 ;;
          file) "$@" "$folder/prompt" < /dev/null 2>&1 ;;
          stdin) "$@" < "$folder/prompt" 2>&1 ;;
        esac
        say end "$number" "$?"
      done
      """
          .replace("MARK_VARIABLE", ProcessMarker.VARIABLE);

  /** Does not ask the program for its version, because the effect of such a call is unknown. */
  @Override
  public ProgramLookup find() {
    return PROGRAM.findUnasked(settings, hub, CommandProtocol.CAPABILITIES);
  }

  @Override
  public AgentCommand command(AttemptSpec spec) {
    String how = WireNames.name(settings.prompt().orElse(PromptBy.ARGUMENT));
    List<String> words = new ArrayList<>();
    words.addAll(List.of("/bin/sh", "-c", CALLER, "midcourse-call", how));
    words.add(spec.folder().toString());
    words.add(PROGRAM.command(settings));
    words.addAll(settings.arguments());
    return new AgentCommand(words, PROGRAM.environment(settings, hub));
  }

  @Override
  public Protocol protocol(AttemptSpec spec, Optional<String> memo) {
    return new CommandProtocol(spec.mark(), memo.map(CommandMemo::read).orElse(CommandMemo.FRESH));
  }
}
