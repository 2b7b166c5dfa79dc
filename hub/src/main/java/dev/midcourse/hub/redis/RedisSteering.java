package dev.midcourse.hub.redis;

import dev.midcourse.core.authority.Groups;
import dev.midcourse.engine.Engine;
import dev.midcourse.hub.api.operation.SteerOperations;
import dev.midcourse.hub.settings.RedisSettings;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * Takes steers from lists in Redis and writes their receipts to streams there. A start does not
 * wait for Redis: while the server is down, entries stay in it, and receipts are written later.
 */
public final class RedisSteering implements AutoCloseable {
  private final RedisLink link;
  private final ReceiptStream receipts;
  private final EntryIntake intake;
  private final ListConsumer lists;

  private RedisSteering(
      RedisSettings settings,
      Groups groups,
      Engine engine,
      SteerOperations steers,
      InstantSource clock,
      RandomGenerator random) {
    this.link = new RedisLink(settings);
    this.receipts =
        new ReceiptStream(link, engine, clock, this::release, name -> lists().readAgain(name));
    this.intake =
        new EntryIntake(
            link,
            engine.ledger(),
            steers,
            groups.named(settings.group()).orElseThrow(),
            receipts,
            random);
    this.lists = new ListConsumer(link, intake);
  }

  public static RedisSteering start(
      RedisSettings settings,
      Groups groups,
      Engine engine,
      SteerOperations steers,
      InstantSource clock,
      RandomGenerator random) {
    RedisSteering steering = new RedisSteering(settings, groups, engine, steers, clock, random);
    steering.receipts.start();
    steering.lists.start();
    return steering;
  }

  private ListConsumer lists() {
    return lists;
  }

  private void release(dev.midcourse.core.id.RunId run) {
    intake.release(run).forEach(lists::readAgain);
  }

  @Override
  public void close() {
    lists.close();
    receipts.close();
    link.close();
  }
}
