package dev.midcourse.agents.stdio;

import dev.midcourse.agents.Ear;
import dev.midcourse.agents.Finding;
import dev.midcourse.agents.Heard.Place;
import dev.midcourse.agents.Order;
import dev.midcourse.agents.hosted.HostedAgent;
import dev.midcourse.agents.hosted.HostedDriver;
import dev.midcourse.agents.hosted.Surroundings;
import dev.midcourse.agents.process.Hosted;
import dev.midcourse.agents.process.ProcessHost;
import dev.midcourse.core.id.SessionId;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The driver of every agent that is spoken to over its standard input and output; a {@link Dialect}
 * says how.
 */
public final class StdioDriver extends HostedDriver {
  private final Dialect dialect;

  public StdioDriver(ProcessHost host, Dialect dialect) {
    super(host);
    this.dialect = dialect;
  }

  @Override
  public Finding find() {
    return dialect.find();
  }

  @Override
  public Optional<Set<String>> recorded(Order order, SessionId session, Set<String> passages) {
    Map<String, String> environment = Surroundings.of(order, dialect.command(order).environment());
    return dialect.record(session, environment).flatMap(record -> record.holding(passages));
  }

  @Override
  protected Command command(Order order) {
    Dialect.Command command = dialect.command(order);
    return new Command(command.words(), command.environment());
  }

  @Override
  protected HostedAgent agent(Order order, Hosted program, Place from, Ear ear) {
    Protocol protocol =
        from.equals(Place.START) ? dialect.protocol(order) : dialect.restore(order, from.memo());
    return new StdioAgent(program, dialect.framing(), protocol, from, ear);
  }
}
