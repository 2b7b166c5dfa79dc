package dev.midcourse.ledger.sql;

import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Reading;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Supplier;

/** Lets a test ask a ledger as if it were a {@link Reading}. */
final class Looks {
  private Looks() {}

  /** A reading that asks each question through a read of its own. */
  static Reading each(Supplier<Ledger> ledger) {
    return (Reading)
        Proxy.newProxyInstance(
            Reading.class.getClassLoader(),
            new Class<?>[] {Reading.class},
            (_, method, values) ->
                ledger
                    .get()
                    .read(reading -> {
                      try {
                        return method.invoke(reading, values);
                      } catch (InvocationTargetException e) {
                        throw (RuntimeException) e.getCause();
                      } catch (IllegalAccessException e) {
                        throw new IllegalStateException(e);
                      }
                    }));
  }
}
