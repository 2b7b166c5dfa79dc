package dev.midcourse.agents.stdio;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.ProgramLookup;
import dev.midcourse.agents.program.ProgramSearch;
import dev.midcourse.agents.program.ProgramVersion;
import dev.midcourse.core.agent.Capabilities;
import java.util.Map;

/**
 * The definition of an agent whose program has a known name and reports its version when it is
 * asked.
 *
 * <p>An implementation names its program once, in {@link #search}. This interface derives the
 * lookup, the command and the environment from it.
 */
public interface NamedProgramDefinition extends StdioAgentDefinition {

  /** The name of the program, how to install it, and the variables of its vendor. */
  ProgramSearch search();

  AgentSettings settings();

  HubEnvironment hub();

  /** The measured capabilities of that version. */
  Capabilities capabilities(ProgramVersion version);

  @Override
  default ProgramLookup find() {
    return search().find(settings(), hub(), this::capabilities);
  }

  /** The program as it is started. */
  default String program() {
    return search().command(settings());
  }

  /** The variables that the program gets from the hub and from the settings. */
  default Map<String, String> inheritedEnvironment() {
    return search().environment(settings(), hub());
  }
}
