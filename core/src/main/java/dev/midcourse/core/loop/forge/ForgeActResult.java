package dev.midcourse.core.loop.forge;

/** What became of an act. Only {@link Done} and {@link Already} are proved. */
public sealed interface ForgeActResult {

  /**
   * The forge has done it.
   *
   * @param id what the act has made: the number of a change, the id of a comment; may be blank
   */
  record Done(String id) implements ForgeActResult {}

  /** It was there before this try: an earlier try, or somebody else, has done it. */
  record Already(String id) implements ForgeActResult {}

  /** The forge did not do it. */
  record Refused(ForgeError error) implements ForgeActResult {}

  /** It is not known whether the forge did it; it is looked up before it is tried again. */
  record Unknown(String why) implements ForgeActResult {}
}
