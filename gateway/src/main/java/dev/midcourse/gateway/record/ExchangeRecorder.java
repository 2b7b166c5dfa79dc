package dev.midcourse.gateway.record;

import dev.midcourse.gateway.http.RequestHead;
import dev.midcourse.gateway.http.ResponseHead;
import dev.midcourse.gateway.pump.ExchangeEnd;
import dev.midcourse.gateway.pump.ExchangeObserver;
import dev.midcourse.gateway.read.ReadRequest;
import dev.midcourse.gateway.read.ReadResponse;
import dev.midcourse.gateway.read.RequestReader;
import dev.midcourse.gateway.read.ResponseReader;
import dev.midcourse.gateway.read.Wire;
import java.lang.System.Logger.Level;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.zip.DataFormatException;

/**
 * Reads the copy of one exchange and writes its records. The threads that pass the bytes on only
 * hand copies over; the records of an attempt are made one after the other, in the order of its
 * requests. Where memory is short, or the content cannot be read, the records say less; the bytes
 * are passed on all the same.
 */
final class ExchangeRecorder implements ExchangeObserver {
  private static final System.Logger LOG = System.getLogger(ExchangeRecorder.class.getName());

  private final RequestHead request;
  private final long number;
  private final AttemptRecords records;
  private final CopyBudget budget;
  private final Semaphore parsing;
  private final Instant at;
  private final long startedAt = System.nanoTime();

  // All below is used by tasks of the attempt only, which run one after the other.
  private final BodyCopy body;
  private final MessageDigest digest = sha256();
  private long requestBytes;
  private Optional<ReadRequest> content = Optional.empty();
  private Optional<AttemptRecords.MainPlace> place = Optional.empty();
  private Optional<String> sha256 = Optional.empty();
  private boolean requestRecorded;

  private Optional<ResponseHead> response = Optional.empty();
  private Optional<ContentDecoder> decoder = Optional.empty();
  private Optional<ResponseReader> reader = Optional.empty();
  private Optional<ReadResponse> read = Optional.empty();
  private long responseBytes;
  private OptionalLong headAt = OptionalLong.empty();
  private OptionalLong firstEventAt = OptionalLong.empty();
  private OptionalLong lastEventAt = OptionalLong.empty();
  private Optional<ExchangeEnd> end = Optional.empty();
  private long endedAt;

  private ExchangeRecorder(
      RequestHead request,
      Instant at,
      AttemptRecords records,
      CopyBudget budget,
      Semaphore parsing) {
    this.request = request;
    this.at = at;
    this.records = records;
    this.number = records.nextNumber();
    this.budget = budget;
    this.parsing = parsing;
    this.body = new BodyCopy(budget);
  }

  /**
   * Begins to record.
   *
   * @param parsing bounds how many bodies are parsed at once
   */
  static ExchangeRecorder start(
      RequestHead request,
      Instant at,
      AttemptRecords records,
      CopyBudget budget,
      Semaphore parsing) {
    ExchangeRecorder recorder = new ExchangeRecorder(request, at, records, budget, parsing);
    records.execute(() -> records.append(new BeginRecord(recorder.number, at)));
    return recorder;
  }

  @Override
  public void requestContent(byte[] bytes, int from, int length) {
    if (!budget.take(length)) {
      records.execute(body::lose);
      return;
    }
    byte[] copy = Arrays.copyOfRange(bytes, from, from + length);
    records.execute(() -> {
      budget.giveBack(copy.length);
      requestBytes += copy.length;
      digest.update(copy);
      body.add(copy, 0, copy.length);
    });
  }

  @Override
  public void requestEnded(boolean whole) {
    records.execute(() -> {
      boolean readable = whole && !body.isLost();
      ReadRequest said = readable ? readRequest() : RequestReader.unreadable(request);
      sha256 = readable ? Optional.of(HexFormat.of().formatHex(digest.digest())) : Optional.empty();
      body.close();
      content = Optional.of(said);
      place = Optional.of(records.place(said));
      recordWhatIsKnown();
    });
  }

  @Override
  public void responded(ResponseHead head) {
    long now = System.nanoTime();
    records.execute(() -> responded(head, now));
  }

  @Override
  public void responseContent(byte[] bytes, int from, int length) {
    if (!budget.take(length)) {
      records.execute(() -> reader = Optional.empty());
      return;
    }
    byte[] copy = Arrays.copyOfRange(bytes, from, from + length);
    long now = System.nanoTime();
    records.execute(() -> {
      budget.giveBack(copy.length);
      responseBytes += copy.length;
      decode(copy, now);
      recordWhatIsKnown();
    });
  }

  @Override
  public void ended(ExchangeEnd how) {
    long now = System.nanoTime();
    records.execute(() -> {
      end = Optional.of(how);
      endedAt = now;
      recordWhatIsKnown();
    });
  }

  /** The request is recorded when the model has begun to answer, and both when they have ended. */
  private void recordWhatIsKnown() {
    if (content.isEmpty()) {
      return;
    }
    if (end.isPresent()) {
      finish();
    } else if (firstEventAt.isPresent()) {
      recordRequest();
    }
  }

  private void responded(ResponseHead head, long nanos) {
    response = Optional.of(head);
    headAt = OptionalLong.of(nanos);
    decoder = ContentDecoder.of(head.head().value("content-encoding"));
    reader =
        decoder.map(_ ->
            new ResponseReader(
                Wire.of(request.method(), request.target()),
                head.status(),
                head.head().value("content-type").orElse("")));
  }

  private void decode(byte[] bytes, long nanos) {
    if (decoder.isEmpty() || reader.isEmpty()) {
      return;
    }
    try {
      decoder
          .get()
          .decode(
              bytes,
              0,
              bytes.length,
              (some, from, length) -> readPortion(some, from, length, nanos));
    } catch (DataFormatException invalid) {
      reader = Optional.empty();
    }
  }

  private void readPortion(byte[] bytes, int from, int length, long nanos) {
    reader.ifPresent(it -> eventsRead(it.read(bytes, from, length), nanos));
  }

  private void eventsRead(ReadResponse now, long nanos) {
    long before = read.map(ReadResponse::modelEvents).orElse(0L);
    read = Optional.of(now);
    if (now.modelEvents() > before) {
      lastEventAt = OptionalLong.of(nanos);
      if (firstEventAt.isEmpty() && isSuccess()) {
        firstEventAt = lastEventAt;
      }
    }
  }

  private boolean isSuccess() {
    return response.filter(head -> head.status() >= 200 && head.status() < 300).isPresent();
  }

  private void finish() {
    boolean whole = end.filter(how -> how == ExchangeEnd.COMPLETE).isPresent();
    reader.filter(_ -> whole).ifPresent(it -> eventsRead(it.finish(), endedAt));
    recordRequest();
    records.append(
        new ResponseRecord(
            number,
            end.orElseThrow(),
            status(),
            read.filter(ReadResponse::ended).isPresent(),
            responseBytes,
            read.flatMap(ReadResponse::usage),
            read.flatMap(ReadResponse::error),
            response.flatMap(head -> head.head().value("retry-after")),
            millis(endedAt),
            millis(lastEventAt)));
    decoder.ifPresent(ContentDecoder::close);
  }

  private void recordRequest() {
    if (requestRecorded) {
      return;
    }
    requestRecorded = true;
    ReadRequest said = content.orElseThrow();
    AttemptRecords.MainPlace main = place.orElseThrow();
    records.append(
        new RequestRecord(
            number,
            main.number(),
            at,
            said.kind(),
            said.certain(),
            said.wire().wire(),
            said.model(),
            said.session(),
            said.turn(),
            requestBytes,
            sha256,
            status(),
            firstEventAt.isPresent(),
            read.flatMap(ReadResponse::message),
            response.flatMap(head ->
                head.head().value("request-id").or(() -> head.head().value("x-request-id"))),
            said.steers(),
            main.missing(),
            said.afterCompaction(),
            said.partial(),
            millis(headAt),
            millis(firstEventAt)));
  }

  private ReadRequest readRequest() {
    parsing.acquireUninterruptibly();
    try (BodyCopy decoded = new BodyCopy(budget)) {
      Optional<ContentDecoder> coding = ContentDecoder.of(request.head().value("content-encoding"));
      if (coding.isEmpty()) {
        return RequestReader.unreadable(request);
      }
      try (ContentDecoder decoding = coding.get()) {
        byte[] bytes = body.bytes();
        if (decoding instanceof ContentDecoder.Identity) {
          return RequestReader.read(request, bytes);
        }
        decoding.decode(bytes, 0, bytes.length, decoded::add);
      }
      return decoded.isLost()
          ? RequestReader.unreadable(request)
          : RequestReader.read(request, decoded.bytes());
    } catch (DataFormatException | RuntimeException invalid) {
      LOG.log(
          Level.WARNING,
          "The body of request {0} cannot be read ({1}); it was passed on, and proves nothing.",
          number,
          invalid);
      return RequestReader.unreadable(request);
    } finally {
      parsing.release();
    }
  }

  private int status() {
    return response.map(ResponseHead::status).orElse(0);
  }

  private long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos - startedAt);
  }

  private OptionalLong millis(OptionalLong nanos) {
    return nanos.isPresent() ? OptionalLong.of(millis(nanos.getAsLong())) : nanos;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
