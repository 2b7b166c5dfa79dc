package dev.midcourse.gateway.pump;

import dev.midcourse.gateway.http.RequestHead;
import dev.midcourse.gateway.http.ResponseHead;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A route that keeps what its observers got. */
record ObservedRoute(Upstream upstream, List<Observation> observations) implements AttemptRoute {
  static final String SECRET = "abcdefghijklmnopqrstuvwxyz";

  static ObservedRoute to(int port) {
    return to("http://127.0.0.1:" + port);
  }

  static ObservedRoute to(String address) {
    return new ObservedRoute(Upstream.parse(address), new CopyOnWriteArrayList<>());
  }

  @Override
  public ExchangeObserver begin(RequestHead request) {
    Observation observation = new Observation(request);
    observations.add(observation);
    return observation;
  }

  /** One exchange. */
  static final class Observation implements ExchangeObserver {
    private final RequestHead request;
    private final ByteArrayOutputStream requestBody = new ByteArrayOutputStream();
    private final ByteArrayOutputStream responseBody = new ByteArrayOutputStream();
    private final List<Object> ends = new CopyOnWriteArrayList<>();

    Observation(RequestHead request) {
      this.request = request;
    }

    RequestHead request() {
      return request;
    }

    byte[] requestBody() {
      return requestBody.toByteArray();
    }

    byte[] responseBody() {
      return responseBody.toByteArray();
    }

    /** Returns whether the request was whole, the status, and how it ended. */
    List<Object> ends() {
      return ends;
    }

    @Override
    public void requestContent(byte[] bytes, int from, int length) {
      requestBody.write(bytes, from, length);
    }

    @Override
    public void requestEnded(boolean whole) {
      ends.add(whole);
    }

    @Override
    public void responded(ResponseHead head) {
      ends.add(head.status());
    }

    @Override
    public void responseContent(byte[] bytes, int from, int length) {
      responseBody.write(bytes, from, length);
    }

    @Override
    public void ended(ExchangeEnd how) {
      ends.add(how);
    }
  }
}
