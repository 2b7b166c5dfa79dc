package dev.midcourse.autopilot.forge;

import dev.midcourse.core.Problem;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The forges of the settings. A project of a forge is opened once, and closed with the registry.
 */
public final class ForgeRegistry implements AutoCloseable {
  private final Map<String, ForgeSettings> settings = new TreeMap<>();
  private final Opener opener;

  /** Guarded by itself. */
  private final Map<Key, Forge> open = new HashMap<>();

  /** Guarded by {@code open}. */
  private final Map<Key, ForgeCredential> credentials = new HashMap<>();

  private record Key(String name, String project) {}

  /** Makes the forge of a kind. */
  @FunctionalInterface
  public interface Opener extends AutoCloseable {
    Forge open(ForgeSettings settings, String project, ForgeCredential credential);

    @Override
    default void close() {}
  }

  public ForgeRegistry(Collection<ForgeSettings> all, Opener opener) {
    all.forEach(it -> settings.put(it.name(), it));
    this.opener = opener;
  }

  /** A hub that uses no forge. */
  public static ForgeRegistry none() {
    return new ForgeRegistry(
        List.of(),
        (its, _, _) -> {
          throw new IllegalStateException("there is no forge " + its.name());
        });
  }

  public Collection<ForgeSettings> all() {
    return List.copyOf(settings.values());
  }

  public Optional<ForgeSettings> named(String name) {
    return Optional.ofNullable(settings.get(name));
  }

  /** The settings of this forge. Refuses a name that no forge has. */
  public ForgeSettings settings(String name) {
    return named(name)
        .orElseThrow(() -> {
          String names = settings.keySet().stream().collect(Collectors.joining(", "));
          return Problem.invalid(
                  "forge",
                  names.isEmpty() ? "a forge of the settings" : "one of: " + names,
                  names.isEmpty()
                      ? "there is no forge in the settings; add [forges." + name + "]"
                      : "there is no forge " + name + " in the settings; there are: " + names)
              .refused();
        });
  }

  /** The project at the forge of this name. */
  public Forge open(String name, String project) {
    ForgeSettings its = settings(name);
    synchronized (open) {
      ForgeCredential credential = credential(name, project);
      return open.computeIfAbsent(
          new Key(name, project), _ -> opener.open(its, project, credential));
    }
  }

  /** What proves to the forge of this name who Midcourse is. */
  public ForgeCredential credential(String name, String project) {
    ForgeSettings its = settings(name);
    synchronized (open) {
      return credentials.computeIfAbsent(
          new Key(name, project), _ -> its.credentials().of(project));
    }
  }

  @Override
  public void close() {
    synchronized (open) {
      open.values().forEach(Forge::close);
      open.clear();
      credentials.clear();
      opener.close();
    }
  }
}
