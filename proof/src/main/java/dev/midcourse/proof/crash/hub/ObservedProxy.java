package dev.midcourse.proof.crash.hub;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Wraps a real object in a proxy that observes every call. The object itself is not changed. */
public final class ObservedProxy {
  private ObservedProxy() {}

  /** Observer of the calls; it may replace arguments and results. */
  public interface CallObserver {
    /** Called just before the call. */
    default void before(String method, Object[] given) {}

    /** Called just after the call; returns the result for the caller. */
    default Object after(String method, Object result) {
      return result;
    }
  }

  public static <T> T of(Class<T> type, T part, CallObserver observer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, words) -> {
              Object[] given = words == null ? new Object[0] : words;
              observer.before(method.getName(), given);
              try {
                return observer.after(method.getName(), method.invoke(part, given));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
