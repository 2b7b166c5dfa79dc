package dev.midcourse.gateway.http;

import java.util.List;
import java.util.regex.Pattern;

/** How the end of a body is found. */
public sealed interface BodyFraming {
  record None() implements BodyFraming {}

  record Length(long bytes) implements BodyFraming {}

  record Chunked() implements BodyFraming {}

  /** The body ends with the connection. */
  record UntilClose() implements BodyFraming {}

  Pattern DIGITS = Pattern.compile("[0-9]{1,18}");

  /** Refuses a request whose length two programs could read in two ways. */
  static BodyFraming of(RequestHead request) throws MalformedMessageException {
    MessageHead head = request.head();
    boolean coded = head.value("transfer-encoding").isPresent();
    if (coded && head.value("content-length").isPresent()) {
      throw MalformedMessageException.invalid("the request has two lengths");
    }
    if (!coded) {
      return length(head, new None());
    }
    List<String> codings = head.tokens("transfer-encoding");
    if (codings.size() != 1 || !codings.getFirst().equalsIgnoreCase("chunked")) {
      throw MalformedMessageException.invalid("the transfer coding is not chunked");
    }
    return new Chunked();
  }

  static BodyFraming of(RequestHead request, ResponseHead response)
      throws MalformedMessageException {
    if (request.method().equals("HEAD")
        || response.isInterim()
        || response.status() == 204
        || response.status() == 304) {
      return new None();
    }
    List<String> codings = response.head().tokens("transfer-encoding");
    if (codings.isEmpty()) {
      return length(response.head(), new UntilClose());
    }
    return codings.getLast().equalsIgnoreCase("chunked") ? new Chunked() : new UntilClose();
  }

  private static BodyFraming length(MessageHead head, BodyFraming otherwise)
      throws MalformedMessageException {
    List<String> lengths = head.values("content-length").stream().distinct().toList();
    if (lengths.isEmpty()) {
      return otherwise;
    }
    if (lengths.size() > 1 || !DIGITS.matcher(lengths.getFirst()).matches()) {
      throw MalformedMessageException.invalid("the content-length is not one number");
    }
    return new Length(Long.parseLong(lengths.getFirst()));
  }
}
