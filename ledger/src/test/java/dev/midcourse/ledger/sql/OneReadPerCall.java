package dev.midcourse.ledger.sql;

import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.LedgerReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Supplier;

/** Lets a test ask a ledger as if it were a {@link LedgerReader}. */
public final class OneReadPerCall {
  private OneReadPerCall() {}

  /** A reading that asks each question through a read of its own. */
  public static LedgerReader each(Supplier<Ledger> ledger) {
    return (LedgerReader)
        Proxy.newProxyInstance(
            LedgerReader.class.getClassLoader(),
            new Class<?>[] {LedgerReader.class},
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
