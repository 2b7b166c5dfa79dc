package dev.midcourse.proof.lead;

import java.util.List;
import java.util.Map;

/** The hub's tools as some client of the protocol shows them. */
interface LeadTools extends AutoCloseable {

  /**
   * What a tool gave back.
   *
   * @param refused whether the text says why it was not done
   */
  record Said(boolean refused, String text) {}

  /** The protocol's own refusal: the request made no sense. */
  final class NoSuchThing extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final int code;

    NoSuchThing(int code, String message) {
      super(message);
      this.code = code;
    }

    int code() {
      return code;
    }
  }

  /** The names of the tools. */
  List<String> tools() throws Exception;

  Said call(String tool, Map<String, Object> arguments) throws Exception;
}
