package dev.midcourse.proof.crash;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Stands before a real part and sees every call to it; the part itself knows nothing of it. */
public final class Overseen {
  private Overseen() {}

  /** Who looks on; may replace what is given and what comes back. */
  public interface Overseer {
    /** Just before the call. */
    default void before(String method, Object[] given) {}

    /** Just after it. */
    default Object after(String method, Object result) {
      return result;
    }
  }

  public static <T> T of(Class<T> type, T part, Overseer overseer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, words) -> {
              Object[] given = words == null ? new Object[0] : words;
              overseer.before(method.getName(), given);
              try {
                return overseer.after(method.getName(), method.invoke(part, given));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
