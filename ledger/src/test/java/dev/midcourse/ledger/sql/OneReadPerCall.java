package dev.midcourse.ledger.sql;

import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.LedgerReader;
import dev.midcourse.ledger.chat.ChatReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Function;
import java.util.function.Supplier;

/** Lets a test ask a ledger as if it were a {@link LedgerReader}. */
public final class OneReadPerCall {
  private OneReadPerCall() {}

  /** A reading that asks each question through a read of its own. */
  public static LedgerReader each(Supplier<Ledger> ledger) {
    return each(ledger, LedgerReader.class, reading -> reading);
  }

  /** The same for the questions about chats. */
  public static ChatReader chats(Supplier<Ledger> ledger) {
    return each(ledger, ChatReader.class, LedgerReader::chats);
  }

  private static <T> T each(
      Supplier<Ledger> ledger, Class<T> type, Function<LedgerReader, T> part) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, values) ->
                ledger
                    .get()
                    .read(reading -> {
                      try {
                        return method.invoke(part.apply(reading), values);
                      } catch (InvocationTargetException e) {
                        throw (RuntimeException) e.getCause();
                      } catch (IllegalAccessException e) {
                        throw new IllegalStateException(e);
                      }
                    })));
  }
}
