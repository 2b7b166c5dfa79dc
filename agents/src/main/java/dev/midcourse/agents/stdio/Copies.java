package dev.midcourse.agents.stdio;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Changed copies of the collections in a memo. Every copy is unmodifiable and has a defined order,
 * because the same messages must always give the same memo.
 */
public final class Copies {
  private Copies() {}

  public static <V> SortedMap<String, V> of(SortedMap<String, V> map) {
    return Collections.unmodifiableSortedMap(new TreeMap<>(map));
  }

  public static SortedSet<String> of(SortedSet<String> set) {
    return Collections.unmodifiableSortedSet(new TreeSet<>(set));
  }

  public static <V> SortedMap<String, V> with(SortedMap<String, V> map, String key, V value) {
    SortedMap<String, V> copy = new TreeMap<>(map);
    copy.put(key, value);
    return Collections.unmodifiableSortedMap(copy);
  }

  public static <V> SortedMap<String, V> without(SortedMap<String, V> map, String key) {
    SortedMap<String, V> copy = new TreeMap<>(map);
    copy.remove(key);
    return Collections.unmodifiableSortedMap(copy);
  }

  public static SortedSet<String> with(SortedSet<String> set, String element) {
    SortedSet<String> copy = new TreeSet<>(set);
    copy.add(element);
    return Collections.unmodifiableSortedSet(copy);
  }

  public static SortedSet<String> without(SortedSet<String> set, String element) {
    SortedSet<String> copy = new TreeSet<>(set);
    copy.remove(element);
    return Collections.unmodifiableSortedSet(copy);
  }

  public static List<String> with(List<String> list, String element) {
    List<String> copy = new ArrayList<>(list);
    copy.add(element);
    return List.copyOf(copy);
  }

  public static List<String> without(List<String> list, String element) {
    return list.stream().filter(other -> !other.equals(element)).toList();
  }
}
