package dev.midcourse.gateway.http;

import java.util.BitSet;

/**
 * One line of a head.
 *
 * @param line the whole line as it arrived, without its end
 * @param name the name as it arrived
 * @param value the value without the space around it
 */
public record HeaderField(String line, String name, String value) {
  private static final BitSet NAME = nameCharacters();

  static HeaderField parse(String line) throws MalformedMessageException {
    int colon = line.indexOf(':');
    if (colon <= 0) {
      throw MalformedMessageException.invalid("a header line has no name");
    }
    for (int i = 0; i < colon; i++) {
      if (!NAME.get(line.charAt(i))) {
        throw MalformedMessageException.invalid("the name of a header has an invalid character");
      }
    }
    return new HeaderField(line, line.substring(0, colon), line.substring(colon + 1).strip());
  }

  /** Returns a field that is written in the usual form. */
  public static HeaderField of(String name, String value) {
    return new HeaderField(name + ": " + value, name, value);
  }

  boolean isNamed(String wanted) {
    return name.equalsIgnoreCase(wanted);
  }

  private static BitSet nameCharacters() {
    BitSet characters = new BitSet(128);
    characters.set('0', '9' + 1);
    characters.set('a', 'z' + 1);
    characters.set('A', 'Z' + 1);
    "!#$%&'*+-.^_`|~".chars().forEach(characters::set);
    return characters;
  }
}
